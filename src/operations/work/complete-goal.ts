import { hintStep } from '../../kernel/hint.js';
import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';
import { truncate } from '../../kernel/text/truncate.js';
import { simulate } from '../../plan/simulate.js';
import { changesBetween } from '../../plan/changes.js';
import { holdOf } from '../../plan/readiness/holds.js';
import { waitingFor } from '../../plan/readiness/dependencies.js';
import type { PayloadOf } from '../../plan/events.js';
import type { Result } from '../../plan/events/result.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { numberOf } from '../../plan/tree.js';
import type { Digest } from '../../plan/schema.js';
import type { Context } from '../shared/context.js';
import { findGoalInPlan } from '../shared/find-plan.js';
import type { FoundGoal } from '../shared/find-plan.js';
import type { Outcome, PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import { choice, field, goalArgument, planOption, text, texts, toggle } from '../shared/fields.js';
import type { DigestSource } from '../../work/digests/digest-source.js';
import { completionReport, completionReportSchema } from './completion-report.js';
import type { CompletionReport } from './completion-report.js';
import { closedDecisions } from './close-decisions.js';
import { digestCompleted } from './digest-completed.js';
import { byOption, tokenOption } from './work-fields.js';
import { readResult } from './submitted-result.js';
import { timeNow } from '../shared/environment.js';
import { goalToChange } from '../shared/find-to-change.js';
import { actorName } from '../shared/actor.js';
import { simulateRefusal, writeEvent } from '../shared/write-event.js';
import type { WrittenChange } from '../shared/write-event.js';
import { givenToken, isWorkKept, refusedWork } from './refused-work.js';
import type { Refusal } from '../../plan/refusals.js';

/** The most decisions that a notice names, and the most columns of each. */
const MOST_TOLD = 3;
const LONGEST_TOLD = 100;

const inputSchema = z.strictObject({
  goal: goalArgument(),
  others: field(z.array(z.string()).readonly().optional(), 'more goals: all are done, or none', {
    value: 'others',
  }),
  summary: text('what was accomplished'),
  decisions: texts('a choice that others should know of; "WHAT: CHOICE" closes an open decision', 'text', {
    flag: 'decision',
  }),
  artifacts: texts('a file or thing that was made', 'path', { flag: 'artifact' }),
  from: text('a report, or a result as JSON; - reads standard input', 'file'),
  text: field(z.string().optional(), 'what such a file would hold', { textOf: 'from' }),
  fromGit: text('commits whose subjects and files belong to it', 'range'),
  token: tokenOption(),
  by: byOption(),
  force: toggle('also while it waits for other goals, or is on hold'),
  expander: choice(
    ['model', 'rules'],
    'model: then ask it for a better digest (default: no model is asked)',
    { value: 'kind' },
  ),
  revise: toggle('also propose a new plan for the open goals beside it'),
  plan: planOption(),
});

type CompleteInput = z.output<typeof inputSchema>;

type Completion = PayloadOf<'goal_completed'>;

/**
 * Marks an atomic goal as done, with what came of it. The last child completes the goals above it. A result
 * that is refused for its claim, with an old token say, stays in the log all the same. What is asked of a model afterwards
 * can fail without undoing the work.
 * @throws PlanError REFUSED with who holds it until when or what it waits for; WRONG_STATE; INVALID_INPUT
 */
export const completeGoal = defineOperation({
  arguments: ['goal', 'others'],
  input: inputSchema,
  output: completionReportSchema,
  examples: [
    'plan complete 1.2 --summary "The cart survives a reload" --artifact src/cart.ts',
    'plan complete 3 4 --summary "Both came with the upgrade"',
    'plan complete 1.2 --token k2v9d0q4m7x1z8ab --from result.json',
    'plan complete 1.2 --from-git main..HEAD --decision "Sessions live in Redis"',
  ],
  mutates: true,
  interruptible: 'in steps',
  async run(context, input): Promise<CompletionReport> {
    const report = await complete(context, input);
    if (input.expander !== 'model' && input.revise !== true) return report;
    context.emit({ type: 'partialResult', result: report });
    const { improveDigests: digestByModel, reviseBeside } = await import('./improve-completion.js');
    const digested = input.expander === 'model' ? await digestByModel(context, input, report) : report;
    if (input.revise !== true) return digested;
    return { ...digested, revision: await reviseBeside(context, input, report) };
  },
});

/**
 * Refuses what `complete` would refuse as the plan is now, and writes nothing.
 * @throws PlanError what `worded` makes of REFUSED, WRONG_STATE, INVALID_INPUT, GOAL_NOT_FOUND, PLAN_NOT_FOUND
 */
export async function refuseCompletion(
  context: Context,
  input: Pick<CompleteInput, 'goal' | 'token' | 'by'>,
  worded: (refusal: PlanError) => PlanError,
): Promise<void> {
  try {
    const token = givenToken(input.token);
    const at = timeNow(context.environment);
    const { log, goal } = await goalToChange(context, input.goal, {});
    const payload: Completion = {
      type: 'goal_completed',
      goal: goal.id,
      ...(token === undefined ? {} : { token }),
    };
    const simulated = simulateRefusal(log.plan, payload, { by: actorName(context, input), at });
    if (simulated !== null) throw refusedWork(log.plan, goal.id, at, simulated);
    refuseWhileHeldUp(at, log.plan, goal.id);
  } catch (thrown) {
    throw thrown instanceof PlanError ? worded(thrown) : thrown;
  }
}

async function complete(context: Context, input: CompleteInput): Promise<CompletionReport> {
  const token = givenToken(input.token);
  const by = actorName(context, input);
  const result = await readResult(context, input);
  const { log, goal } = await goalToChange(context, input.goal, input);
  const { digest, losses } = await extracted(result);
  const completionOf = (id: string): Completion => ({
    type: 'goal_completed',
    goal: id,
    ...(token === undefined ? {} : { token }),
    ...(result === undefined ? {} : { result }),
    ...(digest === null ? {} : { digest }),
  });
  const others = (input.others ?? []).map((name) => findGoalInPlan(log.plan, name).id);
  const all = [...new Set([goal.id, ...others])].map(completionOf);
  if (all.length > 1) {
    const report = await completeAll(context, log, all, { by, input });
    return { ...report, notices: [...losses, ...report.notices] };
  }
  const payload = completionOf(goal.id);
  const simulated = simulateRefusal(log.plan, payload, { by, at: timeNow(context.environment) });
  if (simulated === null && input.force !== true)
    refuseWhileHeldUp(timeNow(context.environment), log.plan, goal.id);
  const written = await write(context, log, payload, { by, simulated });
  await closeDecisions(log, [payload], by);
  const notices = [...losses, ...(await digestAfter(log, payload))];
  return { ...completionReport(log.plan, [goal.id], timeNow(context.environment), written), notices };
}

/** Completes goals in the order given, all or none: what another process was faster with leaves the others as they were. */
async function completeAll(
  context: Context,
  log: PlanLog,
  payloads: readonly Completion[],
  { by, input }: { readonly by: string; readonly input: CompleteInput },
): Promise<CompletionReport> {
  if (input.token !== undefined || input.revise === true)
    throw new PlanError('USAGE', '--token and --revise are for one goal', {
      hint: [
        'Complete the goals one by one, or leave the option out: without a token your name proves your claims.',
      ],
    });
  const at = timeNow(context.environment);
  let plan = log.plan;
  for (const payload of payloads) {
    const simulated = simulateRefusal(plan, payload, { by, at });
    if (simulated !== null) throw refusedWork(plan, payload.goal, at, simulated);
    if (input.force !== true) refuseWhileHeldUp(at, plan, payload.goal);
    plan = simulate(plan, payload, { by, at }).plan ?? plan;
  }
  const outcomes = await log.append(payloads, by);
  const failed = outcomes.findIndex(({ refused }) => refused !== null);
  const [first, last] = [outcomes[0], outcomes.at(-1)];
  const lost = outcomes[failed];
  if (lost !== undefined && lost.refused !== null) {
    await takeBack(log, outcomes, by);
    throw refusedWork(lost.before, payloads[failed]?.goal ?? '', at, lost.refused);
  }
  if (first === undefined || last === undefined) throw new TypeError('several goals have several outcomes');
  await closeDecisions(log, payloads, by);
  await log.publish('when_due');
  const notices: string[] = [];
  for (const payload of payloads) for (const notice of await digestAfter(log, payload)) notices.push(notice);
  const written = { refused: null, before: first.before, after: last.after };
  const report = completionReport(
    log.plan,
    payloads.map(({ goal }) => goal),
    at,
    written,
  );
  return { ...report, notices };
}

/** Closes the open decisions that the results of finished goals make. */
async function closeDecisions(log: PlanLog, payloads: readonly Completion[], by: string): Promise<void> {
  const made = payloads.flatMap(({ goal, result }) => closedDecisions(log.plan, goal, result));
  if (made.length > 0) await log.append(made, by);
}

/** Puts back what some completions changed, the claims that ended with them too. */
async function takeBack(log: PlanLog, outcomes: readonly Outcome[], by: string): Promise<void> {
  const done = outcomes.filter(({ refused }) => refused === null);
  const [first, last] = [done[0], done.at(-1)];
  if (first === undefined || last === undefined) return;
  const changes = [...changesBetween(first.before, last.after)];
  const undone = await writeEvent(log, { type: 'change_undone', undoes: first.event.id, changes }, by);
  if (undone.refused === null) return;
  // Somebody has changed one of them since; the others are opened one by one.
  const goals = done.flatMap(({ event }) => (event.type === 'goal_completed' ? [event.goal] : []));
  await log.append(
    goals.map((goal) => ({ type: 'goal_reopened', goal })),
    by,
  );
  await log.publish('when_due');
}

/** The digest of what is submitted, made without a model, and what to say of it where it does not hold everything. */
async function extracted(
  result: Result | undefined,
): Promise<{ readonly digest: Digest | null; readonly losses: readonly string[] }> {
  if (result === undefined) return { digest: null, losses: [] };
  const { sourceOfResult } = await import('../../work/digests/digest-source.js');
  const source = sourceOfResult(result);
  const { digestOfResult } = await import('../../work/digests/digest-of.js');
  const { lostDecisions } = await import('../../work/digests/lost-decisions.js');
  const { countTokens } = await import('../../llm/spend/tokens.js');
  const made = await digestOfResult(result, countTokens);
  if (source === null || made === null) return { digest: null, losses: [] };
  const { facts, missing } = made.fidelity;
  if (missing.length === 0) return { digest: made.digest, losses: [] };
  const kept = `the digest keeps ${facts - missing.length} of ${facts} facts of what was submitted`;
  return {
    digest: made.digest,
    losses: [`${kept}${lostOf(source, lostDecisions(source, made.digest, made.fidelity))}`],
  };
}

/** What a notice says of decisions that a digest has lost, with what helps: those that were given by themselves are too long. */
function lostOf({ decisions }: DigestSource, lost: readonly string[]): string {
  if (lost.length === 0) return '';
  const named = new Set(decisions);
  const cure = lost.every((text) => named.has(text))
    ? 'shorter ones, one a --decision "…", fit'
    : '--decision "…" submits a decision by itself';
  const told = lost.slice(0, MOST_TOLD).map((text) => truncate(text, LONGEST_TOLD));
  return `, and not ${quantityOf(lost.length, 'decision')}: ${told.join('; ')}${lost.length > MOST_TOLD ? ' …' : ''} (${cure})`;
}

/** Digests what the completion finished; the completion itself is stored, and nothing here can undo it. */
async function digestAfter(log: FoundGoal['log'], { goal, result }: Completion): Promise<readonly string[]> {
  const notices: string[] = [];
  await digestCompleted(log, {
    goals: [goal],
    results: new Map(result === undefined ? [] : [[goal, result] as const]),
    emit: (event) => {
      if (event.type === 'notice') notices.push(event.message);
    },
  });
  return notices;
}

function refuseWhileHeldUp(at: string, plan: Plan, id: string): void {
  const held = holdOf(plan, goalOf(plan, id), at);
  if (held !== null)
    throw refusedWork(
      plan,
      id,
      at,
      { code: 'on_hold', goal: id, held: held.goal, ...held.hold },
      {
        hint: [
          'Nothing was stored. ',
          {
            commandLine: `\`plan unhold ${numberOf(plan, goalOf(plan, held.goal)) || 'root'}\` ends the hold; --force completes it nevertheless.`,
            tools: 'Ask who put it on hold, or take another goal.',
          },
        ],
      },
    );
  const waiting = waitingFor(plan, goalOf(plan, id));
  if (waiting.length === 0) return;
  const refusal: Refusal = { code: 'waiting', goal: id, waiting_for: waiting };
  throw refusedWork(plan, id, at, refusal, {
    hint: [
      'Nothing was stored. Complete those first',
      { commandLine: ', or add --force if it is done nevertheless' },
      '.',
    ],
    details: { waiting_for: waiting },
  });
}

/** Writes a completion. One that brings a result is written also where its claim is refused, so that the result is kept. */
async function write(
  context: Context,
  log: FoundGoal['log'],
  payload: Completion,
  { by, simulated }: { readonly by: string; readonly simulated: Refusal | null },
): Promise<WrittenChange> {
  const { goal, result, token } = payload;
  if (simulated !== null && (result === undefined || !isWorkKept(simulated, token)))
    throw refusedWork(log.plan, goal, timeNow(context.environment), simulated);
  const { event, ...written } = await writeEvent(log, payload, by);
  const { refused, before } = written;
  if (refused === null) return written;
  throw refusedWork(before, goal, timeNow(context.environment), refused, keptResult(event.id, result));
}

function keptResult(event: string, result: Result | undefined) {
  if (result === undefined) return {};
  return {
    hint: [
      'What you submitted is kept: ',
      hintStep('show'),
      ' shows it with the goal',
      { commandLine: ', and `plan log --goal` the event' },
      '.',
    ],
    details: { kept_as: event, result },
  };
}
