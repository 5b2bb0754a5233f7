import { changesBetween } from '../plan/changes.js';
import type { PlanEvent } from '../plan/events.js';
import { replayHistory } from '../plan/history.js';
import type { Replayed } from '../plan/history.js';
import type { Goal } from '../plan/schema.js';
import { findGoal } from '../plan/tree.js';
import { PlanError } from '../errors.js';
import type { Context } from './context.js';
import { findPlan } from './find-plan.js';

export interface LogOptions {
  readonly plan?: string | undefined;
  /** Only what concerns this goal: its id, suffix or number. */
  readonly goal?: string | undefined;
}

/** One line of a plan's history. */
export interface LogEntry {
  readonly event: string;
  readonly at: string;
  readonly by: string;
  readonly type: string;
  /** Ids of the goals that it changed. */
  readonly goals: readonly string[];
  readonly message: string;
  /** Why it changed nothing; null when it was accepted. */
  readonly refused: string | null;
}

/** Who changed what and when, oldest first. @throws PlanError PLAN_NOT_FOUND, GOAL_NOT_FOUND */
export async function planLog(context: Context, options: LogOptions): Promise<readonly LogEntry[]> {
  const log = await findPlan(context.store(), options.plan);
  const goal = options.goal === undefined ? null : findGoal(log.plan, options.goal);
  if (options.goal !== undefined && goal === null) {
    throw new PlanError(
      'GOAL_NOT_FOUND',
      `plan ${log.plan.header.id} has no goal ${JSON.stringify(options.goal.slice(0, 80))}`,
    );
  }
  const entries = Array.from(replayHistory(await log.events()), entryOf);
  return goal === null ? entries : entries.filter(({ goals }) => goals.includes(goal.id));
}

function entryOf(replayed: Replayed): LogEntry {
  const { event, verdict } = replayed;
  return {
    event: event.id,
    at: event.at,
    by: event.by,
    type: event.type,
    goals: goalsOf(replayed),
    message: messageFor(event, replayed),
    refused:
      verdict.kind === 'refused'
        ? verdict.reason
        : verdict.kind === 'repeated'
          ? 'it stands in the log twice'
          : null,
  };
}

function goalsOf({ event, before, after }: Replayed): readonly string[] {
  if (before !== null && after !== null && before !== after) {
    const changed = changesBetween(before, after).map(({ goal }) => goal);
    if (changed.length > 0) return changed;
  }
  return typeof event.goal === 'string'
    ? [event.goal]
    : after === null || before !== null
      ? []
      : [...after.goals.keys()];
}

function messageFor(event: PlanEvent, { before }: Replayed): string {
  const named = (id: string) => nameOf(before?.goals.get(id), id);
  switch (event.type) {
    case 'plan_created':
      return `made the plan “${event.root.description}”`;
    case 'plan_imported':
      return `imported the plan with ${Object.keys(event.plan.goals).length} goals`;
    case 'goal_expanded':
      return event.atomic
        ? `found ${named(event.goal)} atomic`
        : `split ${named(event.goal)} into ${event.sub_goals.length}`;
    case 'goal_failed':
      return `${event.phase === 'planning' ? 'marked for review' : 'failed'} ${named(event.goal)}: ${event.reason}`;
    case 'goal_completed':
      return `completed ${named(event.goal)}`;
    case 'goal_reopened':
      return `reopened ${named(event.goal)}`;
    case 'planning_started':
      return `began to plan (process ${event.run.pid} on ${event.run.host})`;
    case 'planning_ended':
      return 'ended planning';
    case 'plan_paused':
      return `paused planning (${event.because})${event.detail === undefined ? '' : `: ${event.detail}`}`;
    case 'change_undone':
      return `undid ${event.undoes}`;
    case 'plan_restored':
      return `restored the plan from its file: ${event.reason}`;
  }
}

function nameOf(goal: Goal | undefined, id: string): string {
  return goal === undefined ? id : `“${goal.description}”`;
}
