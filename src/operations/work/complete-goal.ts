import { waitingFor } from '../../plan/readiness/dependencies.js';
import { goalsToDo } from '../../plan/readiness/readiness.js';
import type { PayloadOf } from '../../plan/events.js';
import type { Result } from '../../plan/events/result.js';
import { goalOf, summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Digest, Summary } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import type { Context } from '../shared/context.js';
import type { FoundGoal } from '../shared/find-plan.js';
import { digestCompleted } from './digest-goal.js';
import { withNumbers } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import { readResult } from './submitted-result.js';
import type { SubmittedWork } from './submitted-result.js';
import {
  foreseeRefusal,
  givenToken,
  goalAfter,
  goalToWorkOn,
  refusedWork,
  timeNow,
  workerName,
  writeEvent,
} from './work-event.js';
import type { WorkerOptions, WrittenChange } from './work-event.js';
import type { Refusal } from '../../plan/refusals.js';

export interface CompleteOptions extends WorkerOptions, SubmittedWork {
  /** What `claim` gave; without it the goal must be unclaimed or claimed under the same name. */
  readonly token?: string | undefined;
  /** Also while the goal waits for others. */
  readonly force?: boolean | undefined;
}

export interface CompletionReport {
  readonly plan: Summary;
  readonly goal: GoalWithNumber;
  /** The goals above that this completed, nearest first. */
  readonly completed_parents: readonly GoalWithNumber[];
  /** The goals that waited for what is complete now, and can start. */
  readonly became_ready: readonly GoalWithNumber[];
  /** What the user should know, such as a digest that could not be made. */
  readonly notices: readonly string[];
}

type Completion = PayloadOf<'goal_completed'>;

/**
 * Marks an atomic goal as done, with what came of it. The last child completes the goals above it. A result
 * that is refused, for an old token say, stays in the log all the same.
 * @throws PlanError REFUSED with who holds it until when or what it waits for; WRONG_STATE; INVALID_INPUT
 */
export async function completeGoal(
  context: Context,
  name: string,
  options: CompleteOptions,
): Promise<CompletionReport> {
  const token = givenToken(options.token);
  const by = workerName(context, options);
  const result = await readResult(context, options);
  const { log, goal } = await goalToWorkOn(context, name, options);
  const digest = await extracted(result);
  const payload: Completion = {
    type: 'goal_completed',
    goal: goal.id,
    ...(token === undefined ? {} : { token }),
    ...(result === undefined ? {} : { result }),
    ...(digest === null ? {} : { digest }),
  };
  const foreseen = foreseeRefusal(log.plan, payload, { by, at: timeNow(context) });
  if (foreseen === null && options.force !== true) refuseWhileWaiting(context, { log, goal });
  const written = await write(context, log, payload, { by, foreseen });
  const notices = await digestAfter(log, payload);
  return { ...reportOf(log.plan, goal.id, written), notices };
}

async function extracted(result: Result | undefined): Promise<Digest | null> {
  const { digestOfResult } = await import('../../work/digests/digest-of.js');
  const { countTokens } = await import('../../llm/spend/tokens.js');
  return (await digestOfResult(result, countTokens))?.digest ?? null;
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

function refuseWhileWaiting(context: Context, { log, goal }: FoundGoal): void {
  const waiting = waitingFor(log.plan, goal);
  if (waiting.length === 0) return;
  const refusal: Refusal = { code: 'waiting', goal: goal.id, waiting_for: waiting };
  throw refusedWork(log.plan, goal.id, timeNow(context), refusal, {
    hint: 'Nothing was stored. Complete those first, or add --force if it is done nevertheless.',
    details: { waiting_for: waiting },
  });
}

/** Writes a completion. One that brings a result is written also where it will be refused, so that the result is kept. */
async function write(
  context: Context,
  log: FoundGoal['log'],
  payload: Completion,
  { by, foreseen }: { readonly by: string; readonly foreseen: Refusal | null },
): Promise<WrittenChange> {
  const { goal, result } = payload;
  if (foreseen !== null && result === undefined)
    throw refusedWork(log.plan, goal, timeNow(context), foreseen);
  const { event, ...written } = await writeEvent(log, payload, by);
  const { refused, before } = written;
  if (refused === null) return written;
  throw refusedWork(before, goal, timeNow(context), refused, keptResult(event.id, result));
}

function keptResult(event: string, result: Result | undefined) {
  if (result === undefined) return {};
  return {
    hint: 'What you submitted is kept: `plan show` shows it with the goal, and `plan log --goal` the event.',
    details: { kept_as: event, result },
  };
}

function reportOf(
  plan: Plan,
  id: string,
  { before, after }: WrittenChange,
): Omit<CompletionReport, 'notices'> {
  const parents = ancestors(after, goalOf(after, id))
    .filter(({ status }) => status === 'complete')
    .filter((above) => before.goals.get(above.id)?.status !== 'complete')
    .toReversed();
  const done = new Set([id, ...parents.map((parent) => parent.id)]);
  const freed = goalsToDo(plan).ready.filter((goal) =>
    [goal, ...ancestors(plan, goal)].some(({ dependencies }) => dependencies.some((each) => done.has(each))),
  );
  return {
    plan: summarize(plan),
    goal: goalAfter(plan, after, id),
    completed_parents: parents.map((parent) => goalAfter(plan, after, parent.id)),
    became_ready: withNumbers(plan, freed),
  };
}
