import { basename, dirname } from 'node:path';

import { fileOfHead } from '../../../host/git/git-history.js';
import { sha256 } from '../../../kernel/sha256.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { SyncedState } from '../checklists/baseline.js';
import type { Checklist, ChecklistItem } from '../checklists/checklist.js';
import { flattenItems } from '../checklists/nested-item.js';

/** What a file is compared with. */
interface Base {
  /** The state that it goes on from; null where none is known. */
  readonly base: SyncedState | null;
  /** The last state of this plan, where the file counts as an older one though it might be an edit of that. */
  readonly instead: SyncedState | null;
}

/**
 * Returns the state that a file goes on from. Git puts another log, another file or both in place of what was here, so the last
 * state counts only for a plan that has its events; a file that a sync has left goes on from that; and one that is more like what
 * git has committed than like the last state is taken for the former, which somebody may have edited.
 */
export async function baseOfSync(
  log: PlanLog,
  states: readonly SyncedState[],
  { text, path, read }: { readonly text: string; readonly path: string; readonly read: Checklist },
): Promise<Base> {
  const firstHere = firstKnown(log);
  const last = await firstHere(states);
  const digest = digestOf(text);
  if (last?.file === digest) return { base: last, instead: null };
  const left = states.filter(({ file }) => file === digest);
  if (left[0] !== undefined && (await firstHere(left)) === null) return { base: left[0], instead: null };
  if (last === null) return { base: null, instead: null };
  const committed = await committedDigest(path);
  const older = await firstHere(states.filter(({ file }) => file === committed));
  if (older === null || older === last) return { base: last, instead: null };
  const differ = differencesFrom(read, log.plan);
  return differ(older) < differ(last) ? { base: older, instead: last } : { base: last, instead: null };
}

/** Counts the goals of a state that a file lacks, or says something else of. */
function differencesFrom(read: Checklist, plan: Plan): (state: SyncedState) => number {
  const idOf = ({ goal }: ChecklistItem) => `${plan.header.id}-${goal ?? ''}`;
  const lines = flattenItems(read).filter(({ item }) => item.goal !== null);
  const said = new Map(
    lines.map(({ item, above }) => [
      idOf(item),
      JSON.stringify([item.text, item.ticked, above === null ? rootOf(plan).id : idOf(above)]),
    ]),
  );
  return ({ items }) => {
    const alike = items.filter(
      ({ goal, text, done, parent }) => said.get(goal) === JSON.stringify([text, done, parent]),
    ).length;
    return items.length + said.size - 2 * alike;
  };
}

/** Returns what finds the first state whose last event the log has; it is read only where that is not its end. */
function firstKnown(log: PlanLog): (states: readonly SyncedState[]) => Promise<SyncedState | null> {
  let known: ReadonlySet<string> | null = null;
  return async (states) => {
    for (const state of states) {
      if (state.event === undefined || state.event === null || state.event === log.lastEvent) return state;
      known ??= new Set((await log.events()).map(({ id }) => id));
      if (known.has(state.event)) return state;
    }
    return null;
  };
}

/** Returns a digest of a file; how its lines end is git's affair. */
export function digestOf(text: string): string {
  return sha256(text.replaceAll('\r\n', '\n')).slice(0, 32);
}

/** Returns the digest of a file as git has it committed; null where git has none. */
async function committedDigest(path: string): Promise<string | null> {
  const bytes = await fileOfHead(dirname(path), basename(path));
  return bytes === null ? null : digestOf(bytes.toString('utf8'));
}
