import { setTimeout as wait } from 'node:timers/promises';

import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { EventPayload } from '../../../plan/events.js';
import { addUsage, isWaiting, NO_USAGE } from '../../../plan/plan.js';
import type { Goal, Usage } from '../../../plan/schema.js';
import { beforeAsking } from '../../../planning/before-asking.js';
import { hasAmpleRoom } from '../../../planning/child-quota.js';
import type { ExpansionOutcome } from '../../../planning/expander.js';
import { frontierBreadthFirst, frontierDepthFirst, goalsOfFrontier } from '../../../planning/frontier.js';
import { replyEvents } from '../../../planning/reply-events.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { appendAndTell, usageOfRefused } from '../../../operations/planning/run/append-and-tell.js';
import { endIfDone, pauseWorkersRun } from './end-workers-run.js';
import { linkJob } from './link-job.js';
import { runOfWorkers } from './plan-session.js';
import type { PlanSession } from './plan-session.js';

/** Near the limit of goals, a goal waits so long for those before it, and looks so often; then its job is put off. */
const PATIENCE_MS = 1000;
const LOOK_MS = 50;
/** One with so many before it is put off at once, so that its place goes to one of those; so long for each of them. */
const MOST_BEFORE = 16;
const PUT_OFF_MS = 10;
const LONGEST_PUT_OFF_MS = 1000;
/** Goals that a server refuses one after the other before it has to be known whether it refuses everything. */
const MOST_REFUSED = 3;

export interface Expanding {
  readonly session: PlanSession;
  readonly goalId: string;
  /** Drops the call under way. */
  readonly drop: AbortSignal;
  readonly emit: Emit;
  /** Called when nothing is left but to store what came of the goal. */
  readonly ending: () => void;
  /** Has the job done again after a time. */
  readonly putOff: (delayMs: number) => Promise<void>;
}

/**
 * Expands one goal as one of several workers, if it waits still: the job is only a hint. What the model answers is
 * durable, with the jobs that it makes necessary, when the promise resolves.
 * @returns whether the goal was expanded by this call
 * @throws PlanError STORAGE_FAILED
 */
export async function expandJob(expanding: Expanding): Promise<boolean> {
  const { session, goalId, drop, emit, ending, putOff } = expanding;
  const { expander, log, stop } = session;
  if (goalId === log.plan.header.root_goal_id && (await log.refresh()).counts.pending === 0) {
    await linkJob(session, drop, emit);
    return false;
  }
  const verdict = await turnOf(session, goalId);
  if (verdict === null) return false;
  if (verdict.kind === 'wait') {
    await putOff(Math.min(verdict.before * PUT_OFF_MS, LONGEST_PUT_OFF_MS));
    return false;
  }
  const { goal, plan, ...turn } = verdict;
  if (turn.kind === 'atomic') return store(expanding, [turn.event]);
  emit({ type: 'expansion_started', goal });
  const outcome = await expander.expand({ plan, goal, maxChildren: turn.maxChildren }, drop, stop.signal);
  emit({ type: 'expansion_ended', goal });
  if (outcome.kind === 'expansion') Object.assign(session, { answered: true, refusedInARow: 0 });
  const judgedOutcome = await judged(expanding, outcome);
  const events = replyEvents(judgedOutcome, {
    plan: log.plan,
    goalId,
    maxChildren: turn.maxChildren,
    options: session,
  });
  if (events.length > 0) {
    // Whoever takes the place reads the log before it asks, and so after this is written: what is stored was paid for once.
    ending();
    return store(expanding, events);
  }
  await stopFor(expanding, judgedOutcome);
  return false;
}

/**
 * Ends the job to expand a goal that nobody could be asked about: the goal is marked for review.
 * @throws PlanError STORAGE_FAILED
 */
export async function giveUpGoal(expanding: Expanding, reason: string): Promise<void> {
  const { session, goalId } = expanding;
  const events = replyEvents(
    { kind: 'review', code: 'failed', reason, usage: NO_USAGE },
    { plan: session.log.plan, goalId, maxChildren: 0, options: session },
  );
  await store(expanding, events);
}

/** What is to be done with a goal once it is its turn, or how many are before it; null when nothing is, for it waits no longer. */
async function turnOf(session: PlanSession, goalId: string) {
  const { log, run, settings, stop } = session;
  const precedence = settings.order === 'depth' ? frontierDepthFirst : frontierBreadthFirst;
  for (const begun = performance.now(); ; await wait(LOOK_MS)) {
    const plan = await log.refresh();
    const goal = plan.goals.get(goalId);
    const isOver = runOfWorkers(plan)?.id !== run.id || stop.signal.aborted;
    if (isOver || goal === undefined || !isWaiting(goal)) return null;
    const places = hasAmpleRoom(plan, goal, settings) ? [] : [...goalsOfFrontier(plan)];
    const place = places.find((one) => one.goalId === goalId) ?? { goalId, path: [] };
    // Whoever is asked about them, those before it come first. Branch by branch, nobody knows which those are.
    const growing = places.filter(
      (one) => one !== place && (settings.order === 'depth' || precedence(one, place) < 0),
    );
    const verdict = beforeAsking(goal, place, { plan, settings, growing, precedence });
    if (verdict.kind !== 'wait') return { ...verdict, goal, plan };
    const before = growing.length;
    if (before > MOST_BEFORE || performance.now() - begun > PATIENCE_MS) return { ...verdict, before };
  }
}

/** The outcome as it counts: a goal that the server refuses for its own sake is marked for review. */
async function judged({ session, drop }: Expanding, outcome: ExpansionOutcome): Promise<ExpansionOutcome> {
  if (outcome.kind !== 'unavailable' || outcome.refused !== true) return outcome;
  session.refusedInARow += 1;
  const review: ExpansionOutcome = {
    kind: 'review',
    code: 'refused',
    reason: outcome.error.message,
    usage: outcome.usage,
  };
  if (session.answered && session.refusedInARow < MOST_REFUSED) return review;
  const control = await session.expander.control?.(drop, session.stop.signal);
  if (control === undefined) return outcome;
  const usage = addUsage(outcome.usage, control.usage);
  if (control.kind !== 'answered') return { ...outcome, usage };
  session.refusedInARow = 0;
  return { ...review, usage };
}

/** Stores what came of a goal, and ends the run where it was the last. */
async function store({ session, emit }: Expanding, events: readonly EventPayload[]): Promise<boolean> {
  const { log } = session;
  const outcomes = await appendAndTell(log, events, emit);
  const vain = outcomes.flatMap((one) => usageOfRefused(log.plan, one));
  await appendAndTell(log, vain, emit);
  await endIfDone(session, emit);
  await log.publish('cheaply');
  return outcomes.every(({ refused }) => refused === null);
}

/** What a call came to that brought nothing: the plan is paused, or the job is done again. */
async function stopFor({ session, goalId, emit }: Expanding, outcome: ExpansionOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'budget':
      session.stop.abort();
      return pauseWorkersRun(
        session,
        { because: 'budget', detail: outcome.limit, usage: outcome.usage },
        emit,
      );
    case 'unavailable':
      session.stop.abort();
      return pauseWorkersRun(
        session,
        { because: 'model', detail: outcome.error.message, usage: outcome.usage },
        emit,
      );
    default:
      await addVain(session, { goalId, usage: outcome.usage }, emit);
      if (session.failure !== null)
        throw new PlanError(
          'STORAGE_FAILED',
          `workers could not agree on budget and limits: ${messageOf(session.failure)}`,
          { cause: session.failure },
        );
  }
}

async function addVain(
  { log }: PlanSession,
  { goalId, usage }: { readonly goalId: Goal['id']; readonly usage: Usage },
  emit: Emit,
): Promise<void> {
  if (usage.calls === NO_USAGE.calls) return;
  await appendAndTell(
    log,
    [{ type: 'usage_added', goal: goalId, because: 'the call was dropped', usage }],
    emit,
  );
}
