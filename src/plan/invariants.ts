import { dependencyGraph, findDependencyCycle } from './dependencies.js';
import { makePlan } from './plan.js';
import { planFileSchema } from './schema.js';
import type { Goal, PlanFile } from './schema.js';

/** One thing wrong with a plan: what, where (a JSON path such as `$.goals["…"].depth`), and in words. */
export interface Problem {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** Checks anything read from a file: the schema first, then every invariant. */
export function validatePlanFile(value: unknown): {
  readonly file: PlanFile | null;
  readonly problems: readonly Problem[];
} {
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) return { file: null, problems: parsed.error.issues.map(problemOfIssue) };
  return { file: parsed.data, problems: checkPlan(parsed.data) };
}

/**
 * Checks what the schema cannot say: ids agree with their keys, parents and children with each other,
 * every goal hangs on the root, depths, dependencies exist and form no cycle, statuses fit together.
 * Problems come in the order of the file.
 */
export function checkPlan(file: PlanFile): readonly Problem[] {
  const problems: Problem[] = [];
  const goals = new Map(Object.entries(file.goals));
  const report = (code: string, path: string, message: string) => problems.push({ code, path, message });

  if (!goals.has(file.root_goal_id)) {
    report('ROOT_MISSING', '$.root_goal_id', `the root goal ${file.root_goal_id} is not among the goals`);
  }
  const links = new Set(
    [...goals].flatMap(([key, goal]) => goal.child_ids.map((child) => linkOf(key, child))),
  );
  for (const [key, goal] of goals) checkGoal(key, goal, { file, goals, links, report });
  if (problems.length > 0) return problems;

  for (const id of unreachable(file, goals))
    report('ORPHAN', pathTo(id), `goal ${id} does not hang on the root`);
  if (problems.length > 0) return problems;

  const cycle = findDependencyCycle(dependencyGraph(makePlan(file, goals.values())));
  if (cycle !== null) {
    const path = `${pathTo(cycle[0] ?? file.root_goal_id)}.dependencies`;
    report('DEPENDENCY_CYCLE', path, `these goals wait for each other: ${cycle.join(' → ')}`);
  }
  return problems;
}

interface Checking {
  readonly file: PlanFile;
  readonly goals: ReadonlyMap<string, Goal>;
  /** Every "parent lists child", so that a parent of many children is not searched for each. */
  readonly links: ReadonlySet<string>;
  readonly report: (code: string, path: string, message: string) => void;
}

function checkGoal(key: string, goal: Goal, checking: Checking): void {
  const { file, goals, report } = checking;
  const path = pathTo(key);
  if (goal.id !== key) report('ID_MISMATCH', `${path}.id`, `the goal under ${key} calls itself ${goal.id}`);
  if (!key.startsWith(`${file.id}-`))
    report('FOREIGN_GOAL', path, `goal ${key} does not belong to plan ${file.id}`);
  checkParent(key, goal, checking);
  checkChildren(key, goal, checking);
  for (const [index, id] of goal.dependencies.entries()) {
    const place = `${path}.dependencies[${index}]`;
    if (!goals.has(id))
      report('DANGLING_DEPENDENCY', place, `goal ${key} depends on ${id}, which does not exist`);
    else if (isAncestor(goals, id, key) || isAncestor(goals, key, id)) {
      report('DEPENDS_ON_RELATIVE', place, `goal ${key} depends on ${id}, its own ancestor or descendant`);
    }
  }
}

function checkParent(key: string, goal: Goal, { file, goals, links, report }: Checking): void {
  const path = pathTo(key);
  if (goal.parent_id === null) {
    if (key !== file.root_goal_id)
      report('SECOND_ROOT', `${path}.parent_id`, `goal ${key} has no parent and is not the root`);
    if (goal.depth !== 0) report('WRONG_DEPTH', `${path}.depth`, `the root’s depth is 0, not ${goal.depth}`);
    return;
  }
  const parent = goals.get(goal.parent_id);
  if (key === file.root_goal_id) report('ROOT_HAS_PARENT', `${path}.parent_id`, 'the root has no parent');
  if (parent === undefined) {
    report('ORPHAN', `${path}.parent_id`, `the parent ${goal.parent_id} of goal ${key} does not exist`);
  } else {
    if (!links.has(linkOf(goal.parent_id, key))) {
      report(
        'PARENT_DISAGREES',
        `${path}.parent_id`,
        `goal ${goal.parent_id} does not list ${key} among its children`,
      );
    }
    if (goal.depth !== parent.depth + 1) {
      report(
        'WRONG_DEPTH',
        `${path}.depth`,
        `the depth of goal ${key} is ${parent.depth + 1}, not ${goal.depth}`,
      );
    }
  }
}

function checkChildren(key: string, goal: Goal, { goals, report }: Checking): void {
  const path = pathTo(key);
  const seen = new Set<string>();
  for (const [index, id] of goal.child_ids.entries()) {
    const place = `${path}.child_ids[${index}]`;
    const child = goals.get(id);
    if (seen.has(id)) report('DUPLICATE_CHILD', place, `goal ${key} lists the child ${id} twice`);
    else if (child === undefined)
      report('DANGLING_CHILD', place, `the child ${id} of goal ${key} does not exist`);
    else if (child.parent_id !== key)
      report('CHILD_DISAGREES', place, `goal ${id} names another parent than ${key}`);
    seen.add(id);
  }
  if (goal.child_ids.length === 0) return;
  const allComplete = goal.child_ids.every((id) => goals.get(id)?.status === 'complete');
  if (goal.status === 'complete' && !allComplete) {
    report('COMPLETE_TOO_EARLY', `${path}.status`, `goal ${key} is complete while a sub-goal is not`);
  }
  if (goal.status === 'pending' || goal.status === 'atomic') {
    report('STATUS_WITH_CHILDREN', `${path}.status`, `goal ${key} is ${goal.status} but has sub-goals`);
  }
}

/** Goals that no chain of children leads to from the root; a circle of parents is such a group. */
function unreachable(file: PlanFile, goals: ReadonlyMap<string, Goal>): readonly string[] {
  const reached = new Set<string>();
  const stack = [file.root_goal_id];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    stack.push(...(goals.get(id)?.child_ids ?? []));
  }
  return [...goals.keys()].filter((id) => !reached.has(id));
}

function isAncestor(goals: ReadonlyMap<string, Goal>, above: string, below: string): boolean {
  const seen = new Set<string>();
  for (let id: string | null = below; id !== null && !seen.has(id); id = goals.get(id)?.parent_id ?? null) {
    if (id === above) return true;
    seen.add(id);
  }
  return false;
}

function problemOfIssue(issue: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
}): Problem {
  return { code: 'SCHEMA', path: jsonPath(issue.path), message: issue.message };
}

/** A JSON path: `$.goals["0398a958-root"].depth`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^[A-Za-z_]\w*$/.test(String(part))
          ? `.${String(part)}`
          : `[${JSON.stringify(String(part))}]`,
    )
    .reduce((whole, part) => whole + part, '$');
}

function pathTo(goalId: string): string {
  return jsonPath(['goals', goalId]);
}

function linkOf(parent: string, child: string): string {
  return `${parent} ${child}`;
}
