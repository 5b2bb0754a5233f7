import { addUsage, NO_USAGE } from '../../../plan/plan.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { enterLostCalls } from '../../../features/teams/operations/enter-lost-calls.js';
import type { Context } from '../../shared/context.js';
import { lostNotes } from '../../shared/spending.js';
import type { Emit } from '../planning-progress.js';
import { appendAndTell } from './append-and-tell.js';

/**
 * Has the log of a plan say what calls may have used of processes that are gone, for whoever plans it from here on.
 * @throws PlanError STORAGE_FAILED
 */
export async function enterLostSpending(context: Context, log: PlanLog, emit: Emit): Promise<void> {
  const plan = log.plan.header.id;
  const team = await context.team();
  if (team !== null) {
    await team.giveUpDead(plan);
    await enterLostCalls(team, log, emit);
  }
  const notes = (await context.documents())?.spending ?? null;
  const lost = await lostNotes(notes, plan, context.environment);
  if (lost.length === 0) return;
  const usage = lost.map((note) => note.usage).reduce(addUsage, NO_USAGE);
  const because = 'calls of a process that ended without a word; what nobody knows is counted at the most';
  // In this order: what were left out could not be known any more.
  await appendAndTell(log, [{ type: 'usage_added', because, usage }], emit);
  for (const { id } of lost) await notes?.drop(plan, id);
}
