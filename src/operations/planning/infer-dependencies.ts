import { PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import { goalOf, summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Summary, Usage } from '../../plan/schema.js';
import { numberOf } from '../../plan/tree.js';
import type { InferredDependencies, ProposedDependency } from '../../planning/model-dependencies.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import type { PlanningFlags } from './expanders.js';
import { findPlan } from '../shared/find-plan.js';
import { chooseModel } from './model-choice.js';
import type { Emit } from './planning-run.js';
import { refuseArchived } from '../shared/refuse-archived.js';
import { wordRefusal } from '../../plan/refusals.js';

export interface InferOptions extends PlanningFlags {
  readonly plan?: string | undefined;
  /** Tokens that all requests together may have as input (20,000 by default). */
  readonly maxTokens?: number | undefined;
  /** Make the dependencies that are found part of the plan. */
  readonly apply?: boolean | undefined;
  /** When aborted, no further question is asked; those in flight are answered. */
  readonly signal?: AbortSignal | undefined;
  /** When aborted, the calls in flight are dropped as well. */
  readonly dropSignal?: AbortSignal | undefined;
}

/** A dependency as it is shown, goals by id and number. */
export interface InferredDependency extends ProposedDependency {
  readonly goal_number: string;
  readonly on_number: string;
  readonly goal_description: string;
  readonly on_description: string;
}

export interface InferenceReport {
  readonly plan: Summary;
  readonly dependencies: readonly InferredDependency[];
  /** Whether some questions were not asked, or not answered, because it was to stop; nothing is applied then. */
  readonly interrupted: boolean;
  readonly applied: boolean;
  /** How many pairs the model was asked about, and how many there was no room for or no sign of. */
  readonly pairs: { readonly asked: number; readonly left_out: number };
  readonly usage: Usage;
  readonly notices: readonly string[];
}

const DEFAULT_TOKENS = 20_000;

/**
 * Asks the model which goals of different branches need each other. What the asking cost is counted in the plan;
 * nothing else changes unless it is to be applied, and then what was accepted becomes one change. What was answered before an
 * interruption is told.
 * @throws PlanError INVALID_CONFIG without a model; what the model failed with, where no question was answered;
 *   PLAN_NOT_FOUND, WRONG_STATE, REFUSED when the plan has changed meanwhile
 */
export async function inferPlanDependencies(
  context: Context,
  options: InferOptions,
): Promise<InferenceReport> {
  const log = await findPlan(context.store(), options.plan);
  refuseArchived(log);
  const connect = await chooseModel(context, options, log.plan);
  if (connect === null) throw noModel();
  const notices: string[] = [];
  const emit: Emit = (event) => {
    if (event.type === 'notice') notices.push(event.message);
  };
  const { inferDependencies } = await import('../../planning/model-dependencies.js');
  const inferred = await inferDependencies(log.plan, {
    ...(await connect(log.plan.header.usage, emit)),
    maxTokens: options.maxTokens ?? DEFAULT_TOKENS,
    stop: options.signal,
    signal: options.dropSignal ?? new AbortController().signal,
  });
  const before = log.plan;
  const { usage } = inferred;
  if (usage.calls > 0) {
    await log.append([{ type: 'usage_added', because: 'asked which goals need each other', usage }]);
    await log.publish('now');
  }
  notices.push(...unansweredNotices(inferred));
  const interrupted = inferred.unanswered.some(({ kind }) => kind === 'aborted');
  const applied = options.apply === true && !interrupted && (await applyTo(log, inferred));
  return {
    plan: summarize(log.plan),
    dependencies: inferred.proposed.map((each) => shown(before, each)),
    interrupted,
    applied,
    pairs: inferred.pairs,
    usage: inferred.usage,
    notices,
  };
}

async function applyTo(log: PlanLog, { proposed }: InferredDependencies): Promise<boolean> {
  const accepted = proposed.filter(({ refused }) => refused === null);
  if (accepted.length === 0) return false;
  const changes = accepted.map(
    ({ goal, on, reason }): PayloadOf<'dependencies_changed'>['changes'][number] => ({
      goal,
      add: [on],
      remove: [],
      because: reason,
    }),
  );
  const [outcome] = await log.append([{ type: 'dependencies_changed', changes }]);
  if (outcome !== undefined && outcome.refused !== null)
    throw new PlanError('REFUSED', wordRefusal(outcome.refused), {
      details: { plan: log.plan.header.id, refusal: outcome.refused },
    });
  await log.publish('now');
  return true;
}

/** What was not answered. @throws PlanError when nothing was */
function unansweredNotices({ unanswered, answered, usage }: InferredDependencies): readonly string[] {
  const errors = unanswered.map((answer) => {
    if (answer.kind === 'unavailable') return answer.error;
    if (answer.kind === 'budget') {
      return new PlanError('BUDGET_REACHED', `the next call might exceed the budget of ${answer.limit}`, {
        hint: `Give a larger one with --budget-${answer.limit} N.`,
        details: { limit: answer.limit },
      });
    }
    return answer.kind === 'rejected'
      ? new PlanError('MODEL_FAILED', `the model’s answer was no good: ${answer.reason}`)
      : new PlanError('INTERRUPTED', 'asking was interrupted');
  });
  const [first] = errors;
  if (first !== undefined && answered === 0) {
    const { code, message, hint, details, cause } = first;
    throw new PlanError(code, message, {
      ...(hint === undefined ? {} : { hint }),
      details: { ...details, usage },
      cause,
    });
  }
  return [...new Set(errors.map(({ message }) => message))];
}

function shown(plan: Plan, one: ProposedDependency): InferredDependency {
  const [goal, on] = [goalOf(plan, one.goal), goalOf(plan, one.on)];
  return {
    ...one,
    goal_number: numberOf(plan, goal),
    on_number: numberOf(plan, on),
    goal_description: goal.description,
    on_description: on.description,
  };
}

function noModel(): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    'to see which goals need each other takes a model, and none is configured',
    {
      hint: 'Set OPENAI_API_KEY, or give --base-url (OPENAI_BASE_URL).',
    },
  );
}
