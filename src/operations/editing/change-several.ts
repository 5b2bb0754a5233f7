import type { EventPayload } from '../../plan/events.js';
import { changesBetween } from '../../plan/changes.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { actorName } from '../shared/actor.js';
import type { ActorOptions } from '../shared/actor.js';
import { simulate } from '../../plan/simulate.js';

import { changeGoals, numberedChanges, refusedChange } from './change-goals.js';
import type { ChangeReport } from './change-goals.js';
import { takenBack } from './undo-own-change.js';
import { summaryNow } from '../shared/summary-now.js';

/**
 * Makes several changes of goals in turn, all or none: where one can be seen to be refused nothing is written, and where
 * another process was faster those before it are taken back.
 * @throws PlanError REFUSED as {@link changeGoals} does
 */
export async function changeSeveral(
  context: Context,
  log: PlanLog,
  payloads: readonly EventPayload[],
  options: ActorOptions & { readonly dryRun?: boolean | undefined },
): Promise<ChangeReport> {
  const [first] = payloads;
  if (payloads.length === 1 && first !== undefined) return changeGoals(context, log, first, options);
  const who = { by: actorName(context, options), at: timeNow(context.environment) };
  const before = log.plan;
  const simulated = payloads.reduce((plan, payload) => {
    const { plan: next, refused } = simulate(plan, payload, who);
    if (refused !== null) throw refusedChange(before, payload, refused);
    return next ?? plan;
  }, before);
  if (options.dryRun === true) {
    const changes = numberedChanges(changesBetween(before, simulated), before, simulated);
    return { plan: summaryNow(context, before), changes, dry_run: true };
  }
  const changed = new Set<string>();
  try {
    for (const payload of payloads)
      for (const { goal } of (await changeGoals(context, log, payload, options)).changes) changed.add(goal);
  } catch (thrown) {
    throw await takenBack(context, before.header.id, thrown);
  }
  const changes = changesBetween(before, log.plan).filter(({ goal }) => changed.has(goal));
  return { plan: summaryNow(context, log.plan), changes: numberedChanges(changes, before, log.plan) };
}
