import type { Goal, PlanFile } from '../../plan/schema.js';
import { rootGoalId } from '../../plan/ids.js';
import { SCHEMA_VERSION } from '../../plan/snapshot/format-version.js';

/** A task of another tool. */
export interface ForeignGoal {
  /** What others name it by. */
  readonly key: string;
  /** The key of the task that it is a part of; null for one that is part of none. */
  readonly parent: string | null;
  readonly description: string;
  readonly detail?: string | undefined;
  readonly acceptance?: readonly string[];
  readonly tags?: readonly string[];
  readonly done: boolean;
  /** What is said of it when it was finished. */
  readonly result?: string | undefined;
  readonly dependsOn: readonly string[];
  /** What has no place here, under the name of the tool. */
  readonly rest?: Readonly<Record<string, unknown>>;
}

/** The tasks of another tool, in order, parents before their parts or after. */
export interface ForeignPlan {
  /** The name of the tool, for `x_` members. */
  readonly tool: 'taskmaster' | 'beads' | 'github' | 'backlog';
  readonly title: string;
  readonly goals: readonly ForeignGoal[];
}

interface Making {
  readonly planId: string;
  readonly newGoalId: () => string;
  /** An ISO 8601 time. */
  readonly at: string;
}

/**
 * A plan file of the tasks of another tool. What names a task that is not there, or would be part of itself, is left out; the
 * rest may still break the rules of a plan, and is to be mended as a plan file of the legacy tool is.
 */
export function planFileOf({ tool, title, goals }: ForeignPlan, { planId, newGoalId, at }: Making): PlanFile {
  const root = rootGoalId(planId);
  const ids = new Map(goals.map(({ key }) => [key, newGoalId()]));
  const parents = new Map(goals.map(({ key, parent }) => [key, parentOf(key, parent, goals, ids)]));
  const children = new Map<string, string[]>();
  for (const { key } of goals) {
    const parent = parents.get(key) ?? null;
    const above = parent === null ? root : (ids.get(parent) ?? root);
    children.set(above, [...(children.get(above) ?? []), ids.get(key) ?? '']);
  }
  const done = new Map(goals.map((goal) => [ids.get(goal.key) ?? '', goal.done]));
  const isDone = doneBelow(children, done);
  const base = { created_at: at, updated_at: at, reasoning: null, tokens_used: 0, graph_node_id: null };
  const made = goals.map((goal): Goal => {
    const id = ids.get(goal.key) ?? '';
    const parent = parents.get(goal.key) ?? null;
    const child_ids = children.get(id) ?? [];
    return {
      ...base,
      id,
      description: goal.description,
      status: isDone(id) ? 'complete' : child_ids.length > 0 ? 'decomposing' : 'atomic',
      parent_id: parent === null ? root : (ids.get(parent) ?? root),
      child_ids,
      depth: 0,
      digest: digestOf(goal, isDone(id)),
      dependencies: [...new Set(goal.dependsOn.flatMap((key) => ids.get(key) ?? []))].filter(
        (one) => one !== id,
      ),
      ...optionalMembers(goal, tool),
    };
  });
  const rootGoal: Goal = {
    ...base,
    id: root,
    description: title,
    status: made.length > 0 && isDone(root) ? 'complete' : made.length > 0 ? 'decomposing' : 'atomic',
    parent_id: null,
    child_ids: children.get(root) ?? [],
    depth: 0,
    digest: null,
    dependencies: [],
  };
  const deep = withDepths([rootGoal, ...made], root);
  return {
    id: planId,
    root_goal_id: root,
    description: title,
    status: 'complete',
    created_at: at,
    updated_at: at,
    total_tokens: 0,
    max_depth: Math.max(...deep.map(({ depth }) => depth)),
    schema_version: SCHEMA_VERSION,
    goals: Object.fromEntries(deep.map((goal) => [goal.id, goal])),
  };
}

function optionalMembers({ detail, acceptance = [], tags = [], rest = {} }: ForeignGoal, tool: string) {
  const criteria = acceptance.map((text) => text.trim()).filter((text) => text !== '');
  const kept = Object.entries(rest).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return {
    ...(detail === undefined || detail.trim() === '' ? {} : { detail: detail.trim() }),
    ...(criteria.length === 0 ? {} : { acceptance: criteria }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    ...(kept.length === 0 ? {} : { [`x_${tool}`]: Object.fromEntries(kept) }),
  };
}

function digestOf({ result }: ForeignGoal, isDone: boolean): Goal['digest'] {
  if (!isDone || result === undefined || result.trim() === '') return null;
  return { summary: result.trim(), key_decisions: [], artifacts: [] };
}

/** The parent of a task; null where it is not there, or is below the task itself. */
function parentOf(
  key: string,
  parent: string | null,
  goals: readonly ForeignGoal[],
  ids: ReadonlyMap<string, string>,
): string | null {
  if (parent === null || parent === key || !ids.has(parent)) return null;
  const byKey = parentsOf(goals);
  const seen = new Set([key]);
  for (let above: string | null = parent; above !== null; above = byKey.get(above) ?? null) {
    if (seen.has(above)) return null;
    seen.add(above);
  }
  return parent;
}

const known = new WeakMap<readonly ForeignGoal[], ReadonlyMap<string, string | null>>();

function parentsOf(goals: readonly ForeignGoal[]): ReadonlyMap<string, string | null> {
  const found = known.get(goals) ?? new Map(goals.map(({ key, parent }) => [key, parent]));
  known.set(goals, found);
  return found;
}

/** A leaf is done as it was; what has parts is done when all of them are. */
function doneBelow(
  children: ReadonlyMap<string, readonly string[]>,
  done: ReadonlyMap<string, boolean>,
): (id: string) => boolean {
  const found = new Map<string, boolean>();
  const look = (id: string): boolean => {
    const before = found.get(id);
    if (before !== undefined) return before;
    const below = children.get(id) ?? [];
    const is = below.length === 0 ? done.get(id) === true : below.every(look);
    found.set(id, is);
    return is;
  };
  return look;
}

function withDepths(goals: readonly Goal[], root: string): readonly Goal[] {
  const byId = new Map(goals.map((goal) => [goal.id, goal]));
  const depths = new Map([[root, 0]]);
  for (const id of depths.keys())
    for (const child of byId.get(id)?.child_ids ?? []) depths.set(child, (depths.get(id) ?? 0) + 1);
  return goals.map((goal) => ({ ...goal, depth: depths.get(goal.id) ?? 1 }));
}
