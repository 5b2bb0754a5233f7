import { PlanError } from '../../../kernel/errors.js';
import type { PayloadOf } from '../../../plan/events.js';
import { addUsage, goalOf, isWaiting, NO_USAGE, usageWithBegun } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, Settings, Usage } from '../../../plan/schema.js';
import type { Expander } from '../../../planning/expander.js';
import { asksForLinks, isLinkable, isLinkDue } from '../../../planning/link/link-due.js';
import { movedOutOf } from './moved-out.js';
import { proposeReplanning, replanningRequest } from '../../../planning/replanning.js';
import type { ReplanningOptions } from '../../../planning/replanning.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { changeGoals, simulatedChanges, refusedChange } from '../change-goals.js';
import { goalInWords, namedGoal } from '../../../plan/goal-in-words.js';
import type { Context } from '../../shared/context.js';
import { handOver } from '../../planning/agent/hand-over.js';
import { choosePlanning, rememberOwnSettings } from '../../planning/choose-planning.js';
import type { PlanningChoice, PlanningFlags } from '../../planning/choose-planning.js';
import { reexpand } from '../reexpand.js';
import { givenReason } from '../goal-texts.js';
import { timeNow } from '../../shared/environment.js';
import { goalToChange } from '../../shared/find-to-change.js';
import { newGoalIds } from '../../shared/new-goal-ids.js';
import { actorName } from '../../shared/actor.js';
import type { ActorOptions } from '../../shared/actor.js';
import { simulateRefusal, writeEvent } from '../../shared/write-event.js';
import type { StopSignals } from '../../operation.js';
import type { Emit, PlanningResult } from '../../planning/planning-progress.js';
import { storeProposal, NO_PROPOSAL, replanningHash, readProposal } from './replanning-proposals.js';
import type { ReplanningProposal } from './replanning-proposals.js';
import { refuseWhilePlanned } from '../../planning/run/planned-now.js';
import { replaceSettings } from '../../planning/replace-settings.js';
import { runPlanning } from '../../planning/run-planning.js';
import type { Replanned } from './replanned-schema.js';
import {
  foundAtomic,
  noProposal,
  noReasonsRead,
  noRoomForSubGoals,
  nothingInPlace,
} from './replanning-refusals.js';
import { summaryNow } from '../../shared/summary-now.js';

/** How a goal is divided anew. */
export interface ReplanOptions extends ActorOptions, PlanningFlags, StopSignals {
  /** What went wrong or has changed; it is told to whoever plans, and kept in the log. */
  readonly because?: string | undefined;
  /** Only show what would change. */
  readonly preview?: boolean | undefined;
  /** The goal is finished, and what is left beside it is to be planned anew; only shown, unless `apply` is true. */
  readonly revise?: boolean | undefined;
  readonly apply?: boolean | undefined;
  /** Refuses an answer that finds the goal atomic; it changes nothing then. */
  readonly mustDivide?: boolean | undefined;
}

interface Replanning extends ReplanningOptions {
  readonly log: PlanLog;
  readonly expander: Expander;
  readonly settings: Settings;
  /** Whether the plan is planned by another from here on. */
  readonly switched: boolean;
}

/**
 * Divides a goal anew. What is finished or held by somebody stays as it is; the other children go. A proposal that
 * was shown before is taken when nothing that it depends on has changed, so that no call is paid for twice. New
 * goals that are not atomic are then planned further, as `resume` does.
 * @throws PlanError GOAL_NOT_FOUND, REFUSED, WRONG_STATE, MODEL_FAILED and the other failures of a model,
 *   BUDGET_REACHED, INTERRUPTED, PLANNER_BUSY for a goal that a planner is about; nothing is changed then
 */
export async function replanGoal(
  context: Context,
  name: string,
  options: ReplanOptions,
  emit: Emit,
): Promise<Replanned> {
  const { log, goal: named } = await goalToChange(context, name, options);
  const goal = options.revise === true ? goalToRevise(log.plan, named) : named;
  const { because } = givenReason(options.because ?? reasonToRevise(options, named));
  const preview = options.preview === true || (options.revise === true && options.apply !== true);
  refuseUnplannable(context, log.plan, goal, options);
  // Whoever plans the plan asks about what waits, too, and each answer is paid for.
  if (isWaiting(goal)) await refuseWhilePlanned(context, log.plan);
  const choice = await choosePlanning(context, options, { plan: log.plan });
  if (choice.settings.expander === 'agent' && options.mustDivide !== true)
    return leaveToAgent(context, { log, goal, settings: choice.settings }, { ...options, preview }, emit);
  const replanning = await prepare(context, { log, goal, because, choice }, { ...options, preview }, emit);
  const payload = await proposedPayload(context, replanning, { ...options, preview }, emit);
  return preview
    ? previewOf(context, replanning, payload, options)
    : take(context, replanning, payload, options, emit);
}

/** Sees to it that a goal can be planned anew, whatever is proposed. @throws PlanError REFUSED */
function refuseUnplannable(context: Context, plan: Plan, goal: Goal, options: ReplanOptions): void {
  const asking: PayloadOf<'goal_replanned'> = {
    type: 'goal_replanned',
    goal: goal.id,
    reasoning: null,
    remove: [],
    sub_goals: [],
  };
  const who = { by: actorName(context, options), at: timeNow(context.environment) };
  const refused = simulateRefusal(plan, asking, who);
  if (refused !== null) throw refusedChange(plan, asking, refused);
}

/**
 * Has a goal of a plan that an agent answers for wait for its answer: the question shows what it replaces, and why.
 * @throws PlanError REFUSED where work in it is finished or held, WRONG_STATE where it waits already
 */
async function leaveToAgent(
  context: Context,
  { log, goal, settings }: Pick<Replanning, 'log' | 'goal' | 'settings'>,
  options: ReplanOptions & { readonly preview: boolean },
  emit: Emit,
): Promise<Replanned> {
  const { changes } = await reexpand(context, log, goal, { ...options, dryRun: options.preview });
  const { plan } = options.preview
    ? { plan: summaryNow(context, log.plan) }
    : await handOver(context, { log, settings, emit });
  return {
    plan,
    warnings: [],
    goal: goal.id,
    applied: !options.preview,
    changes,
    usage: NO_USAGE,
    stopped: null,
  };
}

/** Decides who is asked, and sees to it that the answer would be accepted. */
async function prepare(
  context: Context,
  { log, goal, because, choice }: Pick<Replanning, 'log' | 'goal' | 'because'> & { choice: PlanningChoice },
  options: ReplanOptions & { readonly preview: boolean },
  emit: Emit,
): Promise<Replanning> {
  const at = timeNow(context.environment);
  const { settings, switched } = choice;
  const { unbooked } = await readProposal(context, goal.id);
  const spent = addUsage(usageWithBegun(log.plan.header), unbooked);
  const expander = await choice.makeExpander(spent, emit);
  const newGoalId = newGoalIds(context.environment, log.plan.header.id, (id) => log.plan.goals.has(id));
  const moved = await movedOutOf(log, goal);
  const replanning = {
    log,
    plan: log.plan,
    goal,
    because,
    at,
    settings,
    switched,
    expander,
    newGoalId,
    moved,
  };
  const { maxChildren } = replanningRequest(replanning);
  if (goal.depth >= settings.max_depth || maxChildren < Math.min(2, settings.max_children))
    throw noRoomForSubGoals(log.plan, goal, settings);
  await rememberOwnSettings(context, log.plan.header.id, choice);
  if (choice.notice !== null && !(switched && options.preview))
    emit({ type: 'notice', message: choice.notice });
  if (settings.expander === 'rules' && (because ?? goal.failure) !== undefined)
    emit({ type: 'notice', message: noReasonsRead(log.plan, goal) });
  return replanning;
}

/** The kept proposal if it still holds, else the answer to a new question, which is kept. */
async function proposedPayload(
  context: Context,
  replanning: Replanning,
  options: ReplanOptions & { readonly preview: boolean },
  emit: Emit,
): Promise<PayloadOf<'goal_replanned'>> {
  const { plan, goal } = replanning;
  const question = replanningHash(replanning);
  const kept = await readProposal(context, goal.id);
  if (kept.question === question && kept.payload !== null) {
    emit({ type: 'notice', message: 'This was asked before; the answer is taken from then.' });
    const judged = judge(replanning, kept.payload, options);
    if ('error' in judged) throw judged.error;
    return { ...judged.accepted, usage: kept.unbooked };
  }
  if (options.signal?.aborted === true) throw noProposal(plan, goal, { kind: 'aborted', usage: NO_USAGE });
  emit({ type: 'expansion_started', goal });
  const never = new AbortController().signal;
  const outcome = await proposeReplanning(
    replanning,
    options.dropSignal ?? never,
    options.signal ?? options.dropSignal ?? never,
  );
  emit({ type: 'expansion_ended', goal });
  const spent = outcome.kind === 'proposed' ? (outcome.payload.usage ?? NO_USAGE) : outcome.usage;
  const usage = addUsage(kept.unbooked, spent);
  const judged =
    outcome.kind === 'proposed'
      ? judge(replanning, outcome.payload, options)
      : { error: noProposal(plan, goal, outcome) };
  if ('accepted' in judged) {
    const payload = { ...judged.accepted, usage };
    await keep(context, goal, { question, payload, unbooked: usage }, emit);
    return payload;
  }
  const { error } = judged;
  await bookCallsForNothing(context, replanning, { usage, because: error.message, options }, emit);
  throw error;
}

/** A proposal, or why it is none of what was asked for. */
function judge(
  { plan, goal, settings }: Replanning,
  payload: PayloadOf<'goal_replanned'>,
  { mustDivide }: ReplanOptions,
): { readonly accepted: PayloadOf<'goal_replanned'> } | { readonly error: PlanError } {
  if (leavesOnlyFinished(plan, payload) || isNoJudgement(settings, payload))
    return { error: nothingInPlace(plan, goal, payload) };
  const isAtomic = payload.sub_goals.length === 0 && goal.child_ids.length === 0;
  if (mustDivide === true && isAtomic) return { error: foundAtomic(plan, goal, payload.reasoning) };
  return { accepted: payload };
}

/** Counts calls that led to nothing: in the plan, or for the next replanning when nothing may be written. */
async function bookCallsForNothing(
  context: Context,
  { log, goal }: Replanning,
  lost: {
    readonly usage: Usage;
    readonly because: string;
    readonly options: ReplanOptions & { readonly preview: boolean };
  },
  emit: Emit,
): Promise<void> {
  const { usage, because, options } = lost;
  if (options.preview || usage.calls === 0)
    return keep(context, goal, { ...NO_PROPOSAL, unbooked: usage }, emit);
  const by = actorName(context, options);
  await writeEvent(log, { type: 'usage_added', goal: goal.id, because, usage }, by);
  await keep(context, goal, NO_PROPOSAL, emit);
}

/** Keeps a proposal; where that fails the next command asks again. */
async function keep(context: Context, goal: Goal, proposal: ReplanningProposal, emit: Emit): Promise<void> {
  await storeProposal(context, goal.id, proposal).catch(() =>
    emit({ type: 'notice', message: 'What was answered could not be kept for later.' }),
  );
}

/** Whether nothing would come in place of what goes, so that open work would count as done. */
function leavesOnlyFinished(
  plan: Plan,
  { goal, remove, sub_goals, keep = [] }: PayloadOf<'goal_replanned'>,
): boolean {
  const stays = goalOf(plan, goal).child_ids.length - remove.length;
  return remove.length > 0 && stays > 0 && sub_goals.length === 0 && keep.length === 0;
}

/** That no rule divides a goal says nothing of the sub-goals that it has. */
function isNoJudgement(
  { expander }: Settings,
  { remove, sub_goals, keep = [] }: PayloadOf<'goal_replanned'>,
): boolean {
  return expander === 'rules' && remove.length > 0 && sub_goals.length === 0 && keep.length === 0;
}

function previewOf(
  context: Context,
  { log, plan, goal, at }: Replanning,
  payload: PayloadOf<'goal_replanned'>,
  options: ReplanOptions,
): Replanned {
  const changes = simulatedChanges(plan, payload, { by: actorName(context, options), at });
  const usage = payload.usage ?? NO_USAGE;
  const { id } = goal;
  return {
    plan: summaryNow(context, log.plan),
    warnings: [],
    goal: id,
    applied: false,
    changes,
    usage,
    stopped: null,
  };
}

async function take(
  context: Context,
  { log, goal, settings, switched, expander }: Replanning,
  payload: PayloadOf<'goal_replanned'>,
  options: ReplanOptions,
  emit: Emit,
): Promise<Replanned> {
  // What was to be compared before is compared as well; what comes by this alone is not, since nobody asked for that.
  const withoutLinks = !isLinkDue(await log.events());
  const told = log.plan.header.warnings?.length ?? 0;
  const { changes } = await changeGoals(context, log, payload, options);
  await keep(context, goal, NO_PROPOSAL, emit);
  const open =
    payload.sub_goals.some(({ atomic, complete }) => atomic !== true && complete !== true) ||
    (payload.keep ?? []).some(({ goal: id }) => isOpen(log.plan, id));
  const further = open
    ? await planFurther(context, { log, settings, expander, withoutLinks, emit, ...stopSignals(options) })
    : { stopped: null };
  if (withoutLinks && payload.sub_goals.length > 0 && asksForLinks(settings) && isLinkable(log.plan))
    emit({
      type: 'notice',
      message: 'The new goals were not compared with the others; `plan dependencies link` does that.',
    });
  if (!open && switched) await replaceSettings(context, { log, settings, emit });
  for (const { goal_id: id, message } of log.plan.header.warnings?.slice(told) ?? [])
    emit({ type: 'notice', message: `${id === null ? '' : `${namedGoal(log.plan, id)}: `}${message}` });
  const usage = payload.usage ?? NO_USAGE;
  return {
    plan: summaryNow(context, log.plan),
    warnings: [],
    goal: goal.id,
    applied: true,
    changes,
    usage,
    stopped: further.stopped,
  };
}

/** Whether a goal is there and waits to be planned. */
function isOpen(plan: Plan, id: string): boolean {
  const goal = plan.goals.get(id);
  return goal !== undefined && isWaiting(goal);
}

/** Plans what is open, unless another process is about it already, which then takes the new goals as well. */
async function planFurther(
  context: Context,
  options: Parameters<typeof runPlanning>[1],
): Promise<Pick<PlanningResult, 'stopped'>> {
  try {
    return await runPlanning(context, options);
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'PLANNER_BUSY') throw thrown;
    options.emit({ type: 'notice', message: `${thrown.message}; it plans the new goals too.` });
    return { stopped: null };
  }
}

function stopSignals({ signal, dropSignal }: StopSignals): StopSignals {
  return { signal, dropSignal };
}

function goalToRevise(plan: Plan, finished: Goal): Goal {
  if (finished.status === 'complete' && finished.parent_id !== null) return goalOf(plan, finished.parent_id);
  const why = finished.parent_id === null ? 'has nothing beside it' : `is ${finished.status}, not complete`;
  throw new PlanError('WRONG_STATE', `${goalInWords(plan, finished)} ${why}`, {
    hint: {
      commandLine:
        '--revise is for what is left beside a finished goal; without it the goal itself is planned again.',
    },
    details: { plan: plan.header.id, goal: finished.id },
  });
}

function reasonToRevise({ revise }: ReplanOptions, { description }: Goal): string | undefined {
  if (revise !== true) return undefined;
  return `The result of “${description}” may contradict the goals that are left; plan the rest again.`;
}
