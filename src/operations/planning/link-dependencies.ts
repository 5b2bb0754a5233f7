import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';
import type { Answer } from '../../llm/chat-model.js';
import type { EventPayload } from '../../plan/events.js';
import { namedGoal } from '../../plan/goal-in-words.js';
import { addUsage, NO_USAGE, usageWithBegun } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { wordRefusal } from '../../plan/refusals.js';
import { summarySchema, usageSchema } from '../../plan/schema.js';
import { linkChanges } from '../../planning/link/link-changes.js';
import type { LinkChanges } from '../../planning/link/link-changes.js';
import { askForLinks } from '../../planning/link/ask-for-links.js';
import { numberedLeaves } from '../../planning/link/link-question.js';
import type { LinkReply } from '../../planning/link/link-reply.js';
import { plannedWaits } from '../../planning/link/planned-waits.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import { budgetReached } from '../shared/budget-reached.js';
import { planArgument } from '../shared/fields.js';
import { planToChange } from '../shared/find-to-change.js';
import { applyOption } from './check-dependencies.js';
import { noModel } from './infer-dependencies.js';
import { linkFindings, linkFindingsShape } from './run/link-findings.js';
import { chooseModel } from './model-choice.js';
import { partialAnswer } from './run/link-event.js';
import { modelFields } from './planning-fields.js';
import { summaryNow } from '../shared/summary-now.js';

const linkReportSchema = z
  .object({
    plan: summarySchema,
    ...linkFindingsShape,
    applied: z.boolean(),
    usage: usageSchema,
    notices: z.array(z.string()).readonly().describe('Why less is changed than the answer says.'),
  })
  .readonly();

/**
 * Asks the model once which leaves of a plan need each other. What the asking cost is counted in the plan; nothing else
 * changes unless it is to be applied, and then all of it is one change.
 * @throws PlanError INVALID_CONFIG without a model; WRONG_STATE where there are goals to plan, fewer than two leaves, or
 *   more than one question can hold; what the model failed with; REFUSED when the plan has changed meanwhile
 */
export const linkPlanDependencies = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ apply: applyOption(), ...modelFields(), plan: planArgument() }),
  output: linkReportSchema,
  examples: ['plan dependencies link', 'plan dependencies link --apply'],
  mutates: true,
  interruptible: true,
  async run(context, input) {
    const log = await planToChange(context, input.plan);
    const asked = numberedLeaves(log.plan);
    refuseUnlessLinkable(log.plan, asked.length);
    const connect = await chooseModel(context, input, log.plan);
    if (connect === null) throw noModel();
    const { model, prompts } = await connect(usageWithBegun(log.plan.header), context.emit);
    const signal = context.signal ?? new AbortController().signal;
    let paid = NO_USAGE;
    const { answer, ...found } = await askForLinks(log.plan, {
      model,
      prompts,
      events: await log.events(),
      async keep(links, usage) {
        paid = addUsage(paid, usage);
        await log.append([partialAnswer(links, usage)]);
      },
      signal,
      stop: signal,
    });
    if (answer.kind !== 'reply') throw await unanswered(log, answer);
    const planned = plannedWaits(await log.events());
    const before = log.plan;
    const made = linkChanges(before, answer.value, { ...found, planned });
    const apply = input.apply === true;
    await store(log, apply, made, answer);
    return {
      plan: summaryNow(context, log.plan),
      ...linkFindings(before, made),
      applied: apply,
      usage: addUsage(paid, answer.usage),
      notices: [...found.notices, ...made.notices],
    };
  },
});

function refuseUnlessLinkable(plan: Plan, leaves: number): void {
  const wrong =
    plan.counts.pending > 0
      ? `${quantityOf(plan.counts.pending, 'goal')} of the plan must be planned first`
      : leaves < 2
        ? 'the plan has no two leaves to compare'
        : null;
  if (wrong === null) return;
  throw new PlanError('WRONG_STATE', wrong, {
    hint:
      plan.counts.pending > 0
        ? [{ commandLine: '`plan resume` goes on planning.' }]
        : [{ commandLine: '`plan dependencies infer` compares goals in pairs.' }],
    details: { plan: plan.header.id },
  });
}

/** Counts what a question without an answer cost, and says why there is none. */
async function unanswered(
  log: PlanLog,
  answer: Exclude<Answer<LinkReply>, { kind: 'reply' }>,
): Promise<PlanError> {
  if (answer.usage.calls > 0) {
    const because = 'asked which leaves need each other';
    await log.append([{ type: 'usage_added', because, usage: answer.usage }]);
    await log.publish('now');
  }
  switch (answer.kind) {
    case 'unavailable':
      return answer.error;
    case 'budget':
      return budgetReached({
        limit: answer.limit,
        hint: `Give a larger one with --budget-${answer.limit} N.`,
      });
    case 'rejected':
      return new PlanError('MODEL_FAILED', `the model’s answer cannot be used: ${answer.reason}`);
    case 'aborted':
      return new PlanError('INTERRUPTED', 'asking was interrupted');
  }
}

/** Stores what is to be applied, as one change, or else what the asking cost. @throws PlanError REFUSED */
async function store(
  log: PlanLog,
  apply: boolean,
  made: LinkChanges,
  { usage }: Extract<Answer<LinkReply>, { kind: 'reply' }>,
): Promise<void> {
  const paid: EventPayload = { type: 'usage_added', because: 'asked which leaves need each other', usage };
  const [outcome] = await log.append([apply ? { ...made.event, usage } : paid]);
  const refused = outcome?.refused ?? null;
  if (refused !== null) await log.append([paid]);
  await log.publish('now');
  if (refused === null) return;
  throw new PlanError(
    'REFUSED',
    wordRefusal(refused, (id) => namedGoal(log.plan, id)),
    { details: { plan: log.plan.header.id, refusal: refused } },
  );
}
