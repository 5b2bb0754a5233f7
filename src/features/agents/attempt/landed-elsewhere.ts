import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import type { Work } from './work.js';

/** Work that a goal needs and the base does not have. */
export interface MissingWork {
  readonly goal: string;
  /** As what it landed where it was done. */
  readonly commit: string;
}

/** Goals whose work is in the base, so that nobody looks again. */
const here = new WeakMap<Work, Set<string>>();

/**
 * Returns the work of agents that a goal needs and that has landed on another machine, or branch, alone.
 * What people have completed by hand nobody can look for.
 */
export async function missingWork(work: Work, goal: Goal): Promise<readonly MissingWork[]> {
  const known = here.get(work) ?? new Set();
  here.set(work, known);
  const missing: MissingWork[] = [];
  for (const needed of neededLeaves(work.log.plan, goal)) {
    if (known.has(needed)) continue;
    const commit = await landedAs(work, needed);
    if (commit === null || (await isInBase(work, needed, commit))) known.add(needed);
    else missing.push({ goal: needed, commit });
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

/** Returns the commit as which an agent's work on a goal has landed last; null where none has. */
async function landedAs({ context, log }: Work, goal: string): Promise<string | null> {
  const tries = await context.store().eventsOf(log.plan.header.id, 'work_attempted', goal);
  const landed = tries.findLast((event) => event.type === 'work_attempted' && event.outcome === 'landed');
  const commit = landed?.type === 'work_attempted' ? landed.commit : null;
  return commit !== null && /^[\da-f]{40,64}$/.test(commit) ? commit : null;
}

/** Whether the base has a commit, or one that was made of it and kept its message. */
async function isInBase({ git, branch }: Work, goal: string, commit: string): Promise<boolean> {
  const base = `refs/heads/${branch}`;
  if ((await git.tried(['merge-base', '--is-ancestor', commit, base])) !== null) return true;
  const grep = `--grep=Plan-Goal: ${goal}`;
  const found = await git(['log', '-1', '--format=%H', '--fixed-strings', grep, base, '--']);
  return found.trim() !== '';
}
