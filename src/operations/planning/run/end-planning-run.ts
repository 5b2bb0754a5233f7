import { PlanError } from '../../../kernel/errors.js';
import { partsOf } from '../../../kernel/hint.js';
import type { HintPart } from '../../../kernel/hint.js';
import type { EventPayload } from '../../../plan/events.js';
import type { Plan } from '../../../plan/plan.js';
import type { PauseCause, Run, Usage } from '../../../plan/schema.js';
import type { PlanningEnd } from '../../../planning/planner-state.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { budgetReached } from '../../shared/budget-reached.js';
import type { Emit } from '../planning-progress.js';
import { appendAndTell } from './append-and-tell.js';

/** Writes down how a run of planning ended, and says why when something is left to plan. */
export async function endPlanningRun(
  { log, emit }: { readonly log: PlanLog; readonly emit: Emit },
  run: Run,
  end: PlanningEnd,
): Promise<PlanError | null> {
  const { usage } = end;
  const append = (payload: EventPayload) => appendAndTell(log, [payload], emit);
  const pauseFor = (because: PauseCause, detail: string): EventPayload => ({
    type: 'plan_paused',
    because,
    detail,
    run: run.id,
    // With no goal left to plan, it is the last question that was not asked.
    ...(log.plan.counts.pending === 0 ? { left: 'link' as const } : {}),
    usage,
  });
  switch (end.kind) {
    case 'budget':
      await append(pauseFor('budget', end.limit));
      return outOfBudget(end.limit, log.plan);
    case 'unavailable':
      await append(pauseFor('model', end.error.message));
      return withPlanNamed(end.error, log.plan.header.id);
    case 'paused':
      await append(pauseOrEnd(log.plan, run, usage, pauseFor));
      return interrupted(log.plan);
    case 'done':
      await append({ type: 'planning_ended', run: run.id, usage });
      return rootFailure(log.plan);
  }
}

// When another process has paused the plan, that is written down already.
function pauseOrEnd(
  plan: Plan,
  run: Run,
  usage: Usage,
  pauseFor: (because: PauseCause, detail: string) => EventPayload,
): EventPayload {
  const paused = (plan.header.paused_because ?? null) !== null;
  return paused ? { type: 'planning_ended', run: run.id, usage } : pauseFor('user', 'interrupted');
}

/** Returns the error with the plan in its hint: without it `plan resume` would go on with the latest one that is listed. */
function withPlanNamed(error: PlanError, id: string): PlanError {
  const { code, message, hintParts, details, cause } = error;
  if (hintParts === undefined) return error;
  const named = (text: string) => text.replaceAll('`plan resume`', `\`plan resume ${id}\``);
  const hint = partsOf(hintParts).map((part): HintPart => {
    if (typeof part === 'string') return named(part);
    return 'commandLine' in part ? { ...part, commandLine: named(part.commandLine) } : part;
  });
  return new PlanError(code, message, { hint, details, cause });
}

function outOfBudget(limit: string, plan: Plan): PlanError {
  const budget = plan.header.settings?.budget ?? {};
  const found: unknown = Object.entries(budget).find(([name]) => name === limit)?.[1];
  const value = typeof found === 'number' ? found : undefined;
  return budgetReached({
    limit,
    value,
    so: 'the plan is paused',
    hint: `\`plan resume ${plan.header.id} --budget-${limit} N\` goes on with a larger one.`,
    details: { budget },
  });
}

function interrupted(plan: Plan): PlanError {
  return new PlanError('INTERRUPTED', `planning was interrupted; ${whatIsLeft(plan)}`, {
    hint: { commandLine: `\`plan resume ${plan.header.id}\` goes on from here.` },
  });
}

function whatIsLeft({ counts: { pending } }: Plan): string {
  if (pending === 0) return 'all goals are planned, and which of them need each other is left to ask';
  return `${pending === 1 ? '1 goal is' : `${pending} goals are`} left to plan`;
}

/** When not even the root could be expanded there is no plan to speak of. */
function rootFailure(plan: Plan): PlanError | null {
  const root = plan.goals.get(plan.header.root_goal_id);
  if (plan.header.status !== 'failed' || root === undefined) return null;
  return new PlanError(
    'MODEL_FAILED',
    `the goal could not be expanded: ${root.failure?.reason ?? 'no reason given'}`,
    {
      hint: {
        commandLine: `\`plan resume ${plan.header.id} --retry-failed\` asks again; --model picks another model.`,
      },
    },
  );
}
