import { findDependencyCycle } from './readiness/dependencies.js';
import { makePlan } from './make-plan.js';
import { relativesIn } from './dependencies/relatives.js';
import { planFileSchema } from './schema.js';
import type { Goal, PlanFile } from './schema.js';
import { IN_OUR_WORDS } from '../kernel/word-issue.js';

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
  const parsed = planFileSchema.safeParse(value, IN_OUR_WORDS);
  if (!parsed.success) return { file: null, problems: parsed.error.issues.map(problemOfIssue) };
  return { file: parsed.data, problems: checkInvariants(parsed.data) };
}

/**
 * Checks what the schema cannot say: the tree as {@link checkTree} does, and that no goals wait for each
 * other in a circle. Problems come in the order of the file.
 */
export function checkInvariants(file: PlanFile): readonly Problem[] {
  const problems = checkTree(file);
  if (problems.length > 0) return problems;
  const cycle = findDependencyCycle(makePlan(file, Object.values(file.goals)));
  if (cycle === null) return [];
  return [
    {
      code: 'DEPENDENCY_CYCLE',
      path: jsonPath(['goals', cycle[0] ?? file.root_goal_id, 'dependencies']),
      message: `these goals wait for each other: ${cycle.join(' → ')}`,
    },
  ];
}

/**
 * Checks the invariants of a plan's tree: ids agree with their keys, parents and children with each other, every
 * goal hangs on the root, depths count up, dependencies exist and statuses fit together. Linear in the size of the
 * plan.
 */
export function checkTree(file: PlanFile): readonly Problem[] {
  const problems: Problem[] = [];
  const goals = new Map(Object.entries(file.goals));
  const links = new Map([...goals].filter(hasChildren).map(([key, goal]) => [key, new Set(goal.child_ids)]));
  const report: Report = (code, path, message) => problems.push({ code, path: jsonPath(path), message });

  if (!goals.has(file.root_goal_id)) {
    report('ROOT_MISSING', ['root_goal_id'], `the root goal ${file.root_goal_id} is not among the goals`);
  }
  const isRelative = relativesIn(goals);
  for (const [key, goal] of goals) checkGoal(key, goal, { file, goals, links, isRelative, report });
  if (problems.length > 0) return problems;
  for (const id of unreachable(file, goals))
    report('ORPHAN', ['goals', id], `goal ${id} does not hang on the root`);
  return problems;
}

type Report = (code: string, path: readonly PropertyKey[], message: string) => void;

interface Checking {
  readonly file: PlanFile;
  readonly goals: ReadonlyMap<string, Goal>;
  /** The children each parent lists, so that a parent of many children is not searched for each. */
  readonly links: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether one goal is the other, or above or below it. */
  readonly isRelative: (one: string, other: string) => boolean;
  readonly report: Report;
}

function checkGoal(key: string, goal: Goal, checking: Checking): void {
  const { file, report } = checking;
  if (goal.id !== key)
    report('ID_MISMATCH', ['goals', key, 'id'], `the goal under ${key} calls itself ${goal.id}`);
  if (!key.startsWith(`${file.id}-`)) {
    report('FOREIGN_GOAL', ['goals', key], `goal ${key} does not belong to plan ${file.id}`);
  }
  checkParent(key, goal, checking);
  checkChildren(key, goal, checking);
  checkDependencies(key, goal, checking);
}

function checkParent(key: string, goal: Goal, { file, goals, links, report }: Checking): void {
  const depthPath = ['goals', key, 'depth'];
  const parentPath = ['goals', key, 'parent_id'];
  if (goal.parent_id === null) {
    if (key !== file.root_goal_id)
      report('SECOND_ROOT', parentPath, `goal ${key} has no parent and is not the root`);
    if (goal.depth !== 0) report('WRONG_DEPTH', depthPath, `the root’s depth is 0, not ${goal.depth}`);
    return;
  }
  const parent = goals.get(goal.parent_id);
  if (key === file.root_goal_id) report('ROOT_HAS_PARENT', parentPath, 'the root has no parent');
  if (parent === undefined) {
    report('ORPHAN', parentPath, `the parent ${goal.parent_id} of goal ${key} does not exist`);
    return;
  }
  if (links.get(goal.parent_id)?.has(key) !== true) {
    report('PARENT_DISAGREES', parentPath, `goal ${goal.parent_id} does not list ${key} among its children`);
  }
  if (goal.depth !== parent.depth + 1) {
    report('WRONG_DEPTH', depthPath, `the depth of goal ${key} is ${parent.depth + 1}, not ${goal.depth}`);
  }
}

function checkChildren(key: string, goal: Goal, { goals, report }: Checking): void {
  if (goal.child_ids.length === 0) return;
  const seen = new Set<string>();
  for (const [index, id] of goal.child_ids.entries()) {
    const path = ['goals', key, 'child_ids', index];
    const child = goals.get(id);
    if (seen.has(id)) report('DUPLICATE_CHILD', path, `goal ${key} lists the child ${id} twice`);
    else if (child === undefined)
      report('DANGLING_CHILD', path, `the child ${id} of goal ${key} does not exist`);
    else if (child.parent_id !== key)
      report('CHILD_DISAGREES', path, `goal ${id} names another parent than ${key}`);
    seen.add(id);
  }
  if (goal.status === 'complete' && !goal.child_ids.every((id) => goals.get(id)?.status === 'complete')) {
    report('COMPLETE_TOO_EARLY', ['goals', key, 'status'], `goal ${key} is complete while a sub-goal is not`);
  }
  if (goal.status === 'pending' || goal.status === 'atomic') {
    report(
      'STATUS_WITH_CHILDREN',
      ['goals', key, 'status'],
      `goal ${key} is ${goal.status} but has sub-goals`,
    );
  }
}

function checkDependencies(key: string, goal: Goal, { goals, isRelative, report }: Checking): void {
  for (const [index, id] of goal.dependencies.entries()) {
    const path = ['goals', key, 'dependencies', index];
    if (!goals.has(id)) {
      report('DANGLING_DEPENDENCY', path, `goal ${key} depends on ${id}, which does not exist`);
    } else if (isRelative(key, id)) {
      report('DEPENDS_ON_RELATIVE', path, `goal ${key} depends on ${id}, its own ancestor or descendant`);
    }
  }
}

/** Goals that no chain of children leads to from the root; a circle of parents is such a group. */
function unreachable(file: PlanFile, goals: ReadonlyMap<string, Goal>): readonly string[] {
  const reached = new Set<string>();
  const stack = [file.root_goal_id];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const child of goals.get(id)?.child_ids ?? []) stack.push(child);
  }
  return [...goals.keys()].filter((id) => !reached.has(id));
}

function problemOfIssue(issue: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
}): Problem {
  return { code: 'SCHEMA', path: jsonPath(issue.path), message: issue.message };
}

/** The JSON path of a place where an invariant is broken: `$.goals["0398a958-root"].depth`. */
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

function hasChildren([, goal]: readonly [string, Goal]): boolean {
  return goal.child_ids.length > 0;
}
