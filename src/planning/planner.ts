import { messageOf, PlanError } from '../kernel/errors.js';
import type { EventPayload } from '../plan/events.js';
import { addUsage, goalOf, isWaiting, NO_USAGE } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Usage } from '../plan/schema.js';
import { beforeAsking } from './before-asking.js';
import type { ControlOutcome, ExpansionOutcome, ExpansionRequest } from './expander.js';
import { frontierOf } from './frontier.js';
import type { OpenGoal } from './frontier.js';
import { beginPlanning } from './planner-state.js';
import type { Halt, PlannerOptions, PlanningEnd, PlanningState, AnsweredGoal } from './planner-state.js';
import { replyEvents } from './reply-events.js';
import { forwardAbort } from '../kernel/forward-abort.js';

/**
 * Runs the planner: expands the waiting goals of a plan until none is left or it must stop. Yields the events of
 * all replies that have arrived, in the order of their arrival, and must be handed back the plan with those events
 * applied; so a reply is stored before anything depends on it. A place that has become free is filled as soon as its
 * reply is written, while the disk is waited for: at most `concurrency` calls are in flight or have a reply that is not
 * written, which is what a kill can cost, and at most twice as many have one that is not stored. The tree that comes out does
 * not depend on which reply came first (with `--order depth` and several calls at once, this holds up to the limit
 * of goals).
 */
export async function* planGoals(
  start: Plan,
  options: PlannerOptions,
): AsyncGenerator<readonly EventPayload[], PlanningEnd, Plan> {
  const state = beginPlanning(start, options);
  const { refusals, answers, stopwatch, taken, unstored } = state;
  const unlink = [forwardAbort(options.pause, state.stop), forwardAbort(options.abort, state.stop)];
  try {
    for (;;) {
      beginExpansions(state);
      if (taken.length > 0) {
        state.plan = yield taken.splice(0);
        continue;
      }
      if (state.inFlight.size === 0 && unstored.size === 0) {
        if (refusals.waiting > 0 && !state.stop.signal.aborted) {
          if (await areGoalsOwnFault(state))
            state.plan = yield refusals.take().flatMap((one) => eventsOf(state, one));
          continue;
        }
        const end = endOf(state, addUsage(state.unspent, stopwatch.lap()));
        if (end !== null) return end;
        continue;
      }
      const answered = withRefused(state, await answers.next());
      const events = [...answered.flatMap((one) => eventsOf(state, one)), ...taken.splice(0)];
      noteWrites(state, answered);
      if (events.length > 0) state.plan = yield stopwatch.stamp(events);
      for (const { openGoal } of answered) {
        addChildren(state, openGoal);
        unstored.delete(openGoal.goalId);
        state.unwritten.delete(openGoal.goalId);
      }
    }
  } finally {
    state.abandoned = true;
    for (const release of unlink) release();
  }
}

/** Has places filled as soon as the replies of these goals are written. */
function noteWrites(state: PlanningState, answered: readonly AnsweredGoal[]): void {
  const { writing } = state.options;
  if (writing === undefined) return;
  writing.noteWritten = () => {
    for (const { openGoal } of answered) state.unwritten.delete(openGoal.goalId);
    beginExpansions(state);
  };
}

/** How planning ends when no call is in flight; null when goals are left that nobody was asked about. */
function endOf(state: PlanningState, usage: Usage): PlanningEnd | null {
  const { asked, halt, plan, precedence, stop } = state;
  if (halt !== null) return { ...halt, usage };
  if (plan.counts.pending === 0) return { kind: 'done', usage };
  if (stop.signal.aborted) return { kind: 'paused', usage };
  // Somebody else has opened goals meanwhile. None is asked about twice: that would not end.
  state.frontier = frontierOf(plan, precedence, (goalId) => !asked.has(goalId));
  return state.frontier.size === 0 ? { kind: 'paused', usage } : null;
}

/** Begins what may begin now; goals that are taken as atomic without asking go to `taken`. */
function beginExpansions(state: PlanningState): void {
  const { asked, inFlight, options, precedence, taken, unstored } = state;
  const { settings } = options;
  while (mayBegin(state)) {
    const { frontier, plan } = state;
    const openGoal = frontier.peek();
    if (openGoal === undefined || comesLater(state, openGoal)) return;
    const goal = plan.goals.get(openGoal.goalId);
    if (goal === undefined || !isWaiting(goal) || asked.has(openGoal.goalId)) {
      frontier.take();
      continue;
    }
    const growing = [...Array.from(unstored.values(), (answered) => answered.openGoal), ...inFlight.values()];
    const verdict = beforeAsking(goal, openGoal, { plan, settings, growing, precedence });
    if (verdict.kind === 'wait') return;
    frontier.take();
    asked.add(goal.id);
    if (verdict.kind === 'ask') begin(state, openGoal, goal, verdict.maxChildren);
    else taken.push(verdict.event);
  }
}

function mayBegin({
  abandoned,
  inFlight,
  options,
  refusals,
  stop,
  unstored,
  unwritten,
}: PlanningState): boolean {
  const { concurrency } = options.settings;
  // Replies that are not written yet count as well: a kill costs what is in flight and no more. Of those that wait for the
  // disk, which a power cut can cost, there are at most as many again.
  const hasRoom =
    inFlight.size + unwritten.size < concurrency && inFlight.size + unstored.size < 2 * concurrency;
  return hasRoom && !abandoned && !stop.signal.aborted && !refusals.tooMany;
}

/** Branch by branch, what a reply brings that is yet to be stored may come before a goal that waits already. */
function comesLater({ options, precedence, unstored }: PlanningState, openGoal: OpenGoal): boolean {
  if (options.settings.order !== 'depth') return false;
  return Array.from(unstored.values()).some(
    ({ outcome, openGoal: earlier }) =>
      outcome.kind === 'expansion' && !outcome.expansion.atomic && precedence(earlier, openGoal) < 0,
  );
}

function begin(state: PlanningState, openGoal: OpenGoal, goal: Goal, maxChildren: number): void {
  const { inFlight, options, plan, answers, stop, unstored } = state;
  inFlight.set(openGoal.goalId, openGoal);
  options.observe?.({ type: 'expansion_started', goal });
  const request = { plan, goal, maxChildren };
  void askedOf(options, request, stop.signal).then((outcome) => {
    const answered = { openGoal, maxChildren, outcome };
    inFlight.delete(openGoal.goalId);
    unstored.set(openGoal.goalId, answered);
    state.unwritten.add(openGoal.goalId);
    options.observe?.({ type: 'expansion_ended', goal });
    noteEnd(state, answered);
    answers.add(answered);
  });
}

/** An expander that breaks its promise not to throw ends planning as one that cannot be reached does, and no process. */
async function askedOf(
  { expander, abort }: PlannerOptions,
  request: ExpansionRequest,
  stop: AbortSignal,
): Promise<ExpansionOutcome> {
  try {
    return await expander.expand(request, abort, stop);
  } catch (cause) {
    return { kind: 'unavailable', error: couldNotBeAsked(cause), usage: NO_USAGE };
  }
}

function couldNotBeAsked(cause: unknown): PlanError {
  if (cause instanceof PlanError) return cause;
  return new PlanError('INTERNAL', `the goal could not be asked about: ${messageOf(cause)}`, {
    hint: { commandLine: 'This is an error of the program; `plan resume` asks again.' },
    cause,
  });
}

function noteEnd(state: PlanningState, answered: AnsweredGoal): void {
  const { outcome } = answered;
  if (outcome.kind === 'expansion' || outcome.kind === 'review') return;
  state.unspent = addUsage(state.unspent, outcome.usage);
  if (outcome.kind !== 'aborted' && !state.refusals.hold(answered)) haltFor(state, outcome);
}

function haltFor(state: PlanningState, halt: Halt): void {
  state.halt ??= halt;
  state.stop.abort();
}

/** The answers that have arrived, and the goals whose refusal it shows to have been their own. */
function withRefused(
  { refusals }: PlanningState,
  answered: readonly AnsweredGoal[],
): readonly AnsweredGoal[] {
  if (!answered.some(({ outcome }) => outcome.kind === 'expansion')) return answered;
  refusals.noteAnswer();
  return [...answered, ...refusals.take()];
}

/** Whether what was refused is so for the goals' sake; if it is not, planning ends with the error. */
async function areGoalsOwnFault(state: PlanningState): Promise<boolean> {
  const { options, refusals, stop } = state;
  const { areGoalsOwn, error } = refusals;
  if (areGoalsOwn || error === null) return true;
  const refused: ControlOutcome = { kind: 'unavailable', error, usage: NO_USAGE, refused: true };
  const control = (await options.expander.control?.(options.abort, stop.signal)) ?? refused;
  state.unspent = addUsage(state.unspent, control.usage);
  if (control.kind === 'unavailable')
    haltFor(state, { ...control, error: control.refused === true ? error : control.error });
  else if (control.kind === 'budget') haltFor(state, control);
  return control.kind === 'answered';
}

function eventsOf(
  state: PlanningState,
  { openGoal, maxChildren, outcome }: AnsweredGoal,
): readonly EventPayload[] {
  return replyEvents(outcome, {
    plan: state.plan,
    goalId: openGoal.goalId,
    maxChildren,
    options: state.options,
  });
}

function addChildren({ frontier, plan }: PlanningState, { goalId, path }: OpenGoal): void {
  for (const [index, child] of (plan.goals.get(goalId)?.child_ids ?? []).entries()) {
    if (isWaiting(goalOf(plan, child))) frontier.add({ goalId: child, path: [...path, index] });
  }
}
