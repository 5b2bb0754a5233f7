import { PlanError } from '../../kernel/errors.js';
import { hintStep } from '../../kernel/hint.js';
import type { EventPayload } from '../../plan/events.js';
import { simulate } from '../../plan/simulate.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import { changesBetween } from '../../plan/changes.js';
import { isWaiting } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { actorName } from '../shared/actor.js';
import type { ActorOptions } from '../shared/actor.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { numberedChanges, refusedChange } from './change-goals.js';
import type { ChangeReport } from './change-goals.js';
import { givenReason } from './goal-texts.js';
import { noRoomForSubGoals } from './replanning/replanning-refusals.js';
import { summaryNow } from '../shared/summary-now.js';

/** How a goal is to be divided anew. */
export interface DividingAnew extends ActorOptions {
  /** Why; whoever plans is told. */
  readonly because?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Has a goal wait to be planned again, whether it is divided, was found atomic or has failed. Who is asked about it next is
 * shown what it had and why that goes; {@link formerDivision} tells it.
 * @throws PlanError REFUSED where work in it is finished or held, WRONG_STATE where it waits already or can get no sub-goals
 */
export async function reexpand(
  context: Context,
  log: PlanLog,
  goal: Goal,
  options: DividingAnew,
): Promise<ChangeReport> {
  const { plan } = log;
  const { settings } = plan.header;
  if (settings !== undefined && goal.depth >= settings.max_depth)
    throw noRoomForSubGoals(plan, goal, settings);
  if (isWaiting(goal)) throw waitsAlready(plan, goal);
  const payloads = payloadsFor(goal, givenReason(options.because).because);
  const who = { by: actorName(context, options), at: timeNow(context.environment) };
  let simulated: Plan = plan;
  for (const payload of payloads) {
    const { plan: after, refused } = simulate(simulated, payload, who);
    if (refused !== null) throw refusedChange(simulated, payload, refused);
    simulated = after ?? simulated;
  }
  const [first] = payloads;
  if (options.dryRun === true) {
    const changes = numberedChanges(changesBetween(plan, simulated), plan, simulated);
    return { plan: summaryNow(context, plan), changes, dry_run: true };
  }
  const outcomes = await log.append(payloads, who.by);
  await log.publish('when_due');
  for (const [index, { refused, before }] of outcomes.entries())
    if (refused !== null) throw refusedChange(before, payloads[index] ?? first, refused);
  const [begun, ended] = [outcomes[0], outcomes.at(-1)];
  if (begun === undefined || ended === undefined)
    throw new TypeError('an event that was written has an outcome');
  const changed = changesBetween(begun.before, ended.after);
  return {
    plan: summaryNow(context, log.plan),
    changes: numberedChanges(changed, begun.before, ended.after),
  };
}

/** What takes back how a goal was divided, that it was found atomic, or that it has failed. */
function payloadsFor(
  { id, status, failure, child_ids }: Goal,
  because: string | undefined,
): readonly [EventPayload, ...EventPayload[]] {
  const reason = because === undefined ? {} : { because };
  if (child_ids.length > 0) return [{ type: 'expansion_rolled_back', goal: id, ...reason }];
  if (status !== 'failed') return [{ type: 'expansion_rolled_back', goal: id, undivided: true, ...reason }];
  if (failure?.phase !== 'work')
    return [{ type: 'goal_reopened', goal: id, ...(because === undefined ? {} : { reason: because }) }];
  // With the goal open again its failure is gone; whoever plans is to be told of it.
  const why = [...(because === undefined ? [] : [because]), `It failed: ${failure.reason}`].join('\n');
  return [
    { type: 'goal_reopened', goal: id },
    { type: 'expansion_rolled_back', goal: id, undivided: true, because: why },
  ];
}

function waitsAlready(plan: Plan, goal: Goal): PlanError {
  return new PlanError('WRONG_STATE', `goal ${goalInWords(plan, goal)} waits to be planned already`, {
    hint: [
      {
        commandLine: '`plan ask` shows the question about it, where an agent answers; `plan resume` plans it',
        tools: 'Answer the question about it with plan_answer',
      },
      '; ',
      hintStep('status'),
      ' shows who plans.',
    ],
    details: { plan: plan.header.id, goal: goal.id, status: goal.status },
  });
}
