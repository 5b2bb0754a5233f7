import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { isPaidElsewhere, paidLogOf } from '../postgres/paid-appends.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Team } from '../team.js';
import { tellOutcomes } from '../../../operations/planning/run/append-and-tell.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';

/**
 * Has the log of a plan say what the calls of workers have used that are gone, or may have used at most: each once, whoever
 * does it at once.
 * @throws PlanError STORAGE_FAILED
 */
export async function enterLostCalls(team: Team, log: PlanLog, emit: Emit): Promise<void> {
  const ledger = team.ledger(log.plan.header.id);
  for (let lost = await ledger.lost(); lost !== null; lost = await ledger.lost()) {
    const { ids, usage } = lost;
    const because = `${quantityOf(ids.length, 'call')} of workers that ended without a word; what nobody knows is counted at the most`;
    try {
      const outcomes = await paidLogOf(log).append([{ type: 'usage_added', because, usage }], {
        ids,
        as: 'lost',
      });
      tellOutcomes(log, outcomes, emit);
    } catch (cause) {
      // Another was faster, or the process that was given up has told what its call has used.
      if (!isPaidElsewhere(cause)) throw cause;
    }
  }
}
