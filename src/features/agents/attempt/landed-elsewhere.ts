import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import type { Work } from './work.js';

/** Work that a goal needs and the base does not have. */
export interface MissingWork {
  readonly goal: string;
  /** As what it landed where it was done. */
  readonly commit: string;
}

/** What is known of the needs of goals. */
interface Known {
  /** Goals whose work is in the base, so that nobody looks again. */
  readonly here: Set<string>;
  /** What the goals need that were looked at last. */
  ahead: ReadonlyMap<string, readonly MissingWork[]>;
}

const known = new WeakMap<Work, Known>();

function knownOf(work: Work): Known {
  const found = known.get(work) ?? { here: new Set(), ahead: new Map() };
  known.set(work, found);
  return found;
}

/** Looks at what goals need while others may choose, for a look can take as long as git and the log are large. */
export async function lookAhead(work: Work, goals: readonly Goal[]): Promise<void> {
  const ahead = new Map<string, readonly MissingWork[]>();
  for (const goal of goals) ahead.set(goal.id, await look(work, goal));
  knownOf(work).ahead = ahead;
}

/**
 * Returns the work of agents that a goal needs and that has landed on another machine, or branch, alone.
 * What people have completed by hand nobody can look for.
 */
export async function missingWork(work: Work, goal: Goal): Promise<readonly MissingWork[]> {
  return knownOf(work).ahead.get(goal.id) ?? (await look(work, goal));
}

async function look(work: Work, goal: Goal): Promise<readonly MissingWork[]> {
  const { here } = knownOf(work);
  const missing: MissingWork[] = [];
  for (const needed of neededLeaves(work.log.plan, goal)) {
    if (here.has(needed)) continue;
    const landed = await landingOf(work, needed);
    if (landed === null || (await isInBase(work, landed))) here.add(needed);
    else missing.push({ goal: needed, commit: landed.commit });
  }
  return missing;
}

/** The leaves that a goal, or one above it, waits for. */
function neededLeaves(plan: Plan, goal: Goal): ReadonlySet<string> {
  const leaves = new Set<string>();
  const seen = new Set<string>();
  const below = (id: string) => {
    const stack = [id];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const children = plan.goals.get(next)?.child_ids ?? [];
      if (children.length === 0) leaves.add(next);
      for (const child of children) stack.push(child);
    }
  };
  for (let one: Goal | undefined = goal; one !== undefined; one = plan.goals.get(one.parent_id ?? ''))
    for (const needed of one.dependencies) below(needed);
  return leaves;
}

interface Landing {
  readonly token: string;
  readonly commit: string;
}

/** Returns how an agent's work on a goal has landed last; null where none has, or the goal was opened again since. */
async function landingOf({ context, log }: Work, goal: string): Promise<Landing | null> {
  const { id } = log.plan.header;
  const tries = await context.store().eventsOf(id, 'work_attempted', goal);
  const landed = tries.findLast((event) => event.type === 'work_attempted' && event.outcome === 'landed');
  if (landed?.type !== 'work_attempted' || !/^[\da-f]{40,64}$/.test(landed.commit ?? '')) return null;
  const opened = (await context.store().eventsOf(id, 'goal_reopened', goal)).at(-1);
  if (opened !== undefined && opened.at > landed.at) return null;
  return { token: landed.token, commit: landed.commit ?? '' };
}

/** Whether the base has a commit, or one that was made of it and kept its message. */
async function isInBase({ git, branch }: Work, { token, commit }: Landing): Promise<boolean> {
  const base = `refs/heads/${branch}`;
  if ((await git.tried(['merge-base', '--is-ancestor', commit, base])) !== null) return true;
  const grep = `--grep=Plan-Attempt: ${token}`;
  const found = await git(['log', '-1', '--format=%H', '--fixed-strings', grep, base, '--']);
  return found.trim() !== '';
}
