import { setTimeout as wait } from 'node:timers/promises';

import type { EventPayload } from '../../../plan/events.js';
import { addUsage, NO_USAGE, subtractUsage } from '../../../plan/plan.js';
import type { Usage } from '../../../plan/schema.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { tellOutcomes } from '../../../operations/planning/run/append-and-tell.js';
import type { Outcome } from '../../../storage/plan-store.js';
import { isPaidElsewhere, paidLogOf } from '../postgres/paid-appends.js';
import type { MadeCall } from './shared-meter.js';
import type { PlanSession } from './plan-session.js';

/** How long before the ledger is told again what it could not be told. */
const AGAIN_MS = 1000;

/**
 * Stores events that say what calls have used, and has the ledger hold those no longer, in one step. Where this process was
 * taken for dead meanwhile, the others have said so of some of the calls, or will: those are left out here.
 * @throws PlanError STORAGE_FAILED
 */
export async function appendPaid(
  { log, team, settings }: Pick<PlanSession, 'log' | 'team' | 'settings'>,
  payloads: readonly EventPayload[],
  calls: readonly MadeCall[],
  emit: Emit,
): Promise<readonly Outcome[]> {
  const ledger = team.ledger(log.plan.header.id);
  // A call that came to nothing stands in the ledger no longer.
  let own = calls.filter(({ usage }) => usage === null || usage.calls > 0).map(({ id }) => id);
  for (;;) {
    const elsewhere = calls.filter(({ id }) => !own.includes(id)).map(({ usage }) => usage ?? NO_USAGE);
    const said = without(payloads, elsewhere.reduce(addUsage, NO_USAGE));
    const as = Object.keys(settings.budget ?? {}).length === 0 ? 'forgotten' : 'own';
    try {
      const outcomes = await paidLogOf(log).append(said, { ids: own, as });
      tellOutcomes(log, outcomes, emit);
      return outcomes;
    } catch (cause) {
      if (!isPaidElsewhere(cause)) throw cause;
      own = [...(await ledger.own(own))];
    }
  }
}

/** Leaves the calls of work that failed to the others, so that what they have used is not lost; not waited for. */
export function leaveToOthers(
  { log, team }: Pick<PlanSession, 'log' | 'team'>,
  calls: readonly MadeCall[],
): void {
  if (calls.length === 0) return;
  const ledger = team.ledger(log.plan.header.id);
  void (async () => {
    for (;;) {
      try {
        return await ledger.disown(calls.map(({ id }) => id));
      } catch {
        await wait(AGAIN_MS, undefined, { ref: false });
      }
    }
  })();
}

/** Events without a part of the use that they say; the seconds stay. */
function without(payloads: readonly EventPayload[], elsewhere: Usage): readonly EventPayload[] {
  let left = elsewhere;
  return payloads.map((payload) => {
    if (left.calls === 0 || !('usage' in payload) || payload.usage === undefined) return payload;
    const { usage } = payload;
    const rest = subtractUsage(usage, left);
    left = subtractUsage(left, usage);
    return { ...payload, usage: rest };
  });
}
