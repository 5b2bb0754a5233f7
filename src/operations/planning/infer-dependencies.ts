import * as z from 'zod';

import { exitStatus, PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import { namedGoal } from '../../plan/goal-in-words.js';
import { goalOf, usageWithBegun } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { summarySchema, usageSchema } from '../../plan/schema.js';
import { numberOf } from '../../plan/tree.js';
import type { InferredDependencies, ProposedDependency } from '../../planning/model/model-dependencies.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import { field, planArgument } from '../shared/fields.js';
import { applyOption } from './check-dependencies.js';
import { chooseModel } from './model-choice.js';
import { modelFields } from './planning-fields.js';
import type { Emit } from './planning-progress.js';
import { planToChange } from '../shared/find-to-change.js';
import { wordRefusal } from '../../plan/refusals.js';
import { budgetReached } from '../shared/budget-reached.js';
import { summaryNow } from '../shared/summary-now.js';

/** A dependency as it is shown, goals by id and number. */
const inferredDependencySchema = z
  .object({
    goal: z.string(),
    on: z.string(),
    reason: z.string(),
    refused: z.string().nullable().describe('Why it was rejected; null if it was accepted.'),
    goal_number: z.string(),
    on_number: z.string(),
    goal_description: z.string(),
    on_description: z.string(),
  })
  .readonly();

const inferenceReportSchema = z
  .object({
    plan: summarySchema,
    dependencies: z.array(inferredDependencySchema).readonly(),
    interrupted: z
      .boolean()
      .describe('Whether some questions were not answered because it was to stop; nothing is applied then.'),
    applied: z.boolean(),
    pairs: z
      .object({ asked: z.number(), left_out: z.number() })
      .readonly()
      .describe(
        'How many pairs the model was asked about, and how many there was no room for or no sign of.',
      ),
    usage: usageSchema,
    notices: z.array(z.string()).readonly(),
  })
  .readonly();

type InferredDependency = z.output<typeof inferredDependencySchema>;

const DEFAULT_TOKENS = 20_000;

/**
 * Asks the model which goals of different branches need each other. What the asking cost is counted in the plan;
 * nothing else changes unless it is to be applied, and then what was accepted becomes one change. What was answered before an
 * interruption is told.
 * @throws PlanError INVALID_CONFIG without a model; what the model failed with, where no question was answered;
 *   PLAN_NOT_FOUND, WRONG_STATE, REFUSED when the plan has changed meanwhile
 */
export const inferPlanDependencies = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    apply: applyOption(),
    maxTokens: field(
      z.int().nonnegative().optional(),
      `input tokens of all requests together (default: ${DEFAULT_TOKENS})`,
      { value: 'n' },
    ),
    ...modelFields(),
    plan: planArgument(),
  }),
  output: inferenceReportSchema,
  examples: ['plan dependencies infer', 'plan dependencies infer --max-tokens 5000 --apply'],
  mutates: true,
  interruptible: 'in steps',
  async run(context, input) {
    const log = await planToChange(context, input.plan);
    const connect = await chooseModel(context, input, log.plan);
    if (connect === null) throw noModel();
    const { emit, notices } = noted(context.emit);
    const { inferDependencies } = await import('../../planning/model/model-dependencies.js');
    const inferred = await inferDependencies(log.plan, {
      ...(await connect(usageWithBegun(log.plan.header), emit)),
      maxTokens: input.maxTokens ?? DEFAULT_TOKENS,
      stop: context.signal,
      signal: context.dropSignal ?? new AbortController().signal,
    });
    const before = log.plan;
    const { usage } = inferred;
    if (usage.calls > 0) {
      await log.append([{ type: 'usage_added', because: 'asked which goals need each other', usage }]);
      await log.publish('now');
    }
    for (const message of unansweredNotices(inferred)) emit({ type: 'notice', message });
    const interrupted = inferred.unanswered.some(({ kind }) => kind === 'aborted');
    const applied = input.apply === true && !interrupted && (await applyTo(log, inferred));
    return {
      plan: summaryNow(context, log.plan),
      dependencies: inferred.proposed.map((each) => shown(before, each)),
      interrupted,
      applied,
      pairs: inferred.pairs,
      usage: inferred.usage,
      notices,
    };
  },
  exitStatus: ({ interrupted }) => (interrupted ? exitStatus('INTERRUPTED') : 0),
});

/** Tells notices, and collects them for the report. */
function noted(tell: Emit): { readonly emit: Emit; readonly notices: readonly string[] } {
  const notices: string[] = [];
  const emit: Emit = (event) => {
    if (event.type === 'notice') notices.push(event.message);
    tell(event);
  };
  return { emit, notices };
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
    throw new PlanError(
      'REFUSED',
      wordRefusal(outcome.refused, (id) => namedGoal(log.plan, id)),
      {
        details: { plan: log.plan.header.id, refusal: outcome.refused },
      },
    );
  await log.publish('now');
  return true;
}

/** What was not answered. @throws PlanError when nothing was */
function unansweredNotices({ unanswered, answered, usage }: InferredDependencies): readonly string[] {
  const errors = unanswered.map((answer) => {
    if (answer.kind === 'unavailable') return answer.error;
    if (answer.kind === 'budget') {
      return budgetReached({
        limit: answer.limit,
        hint: `Give a larger one with --budget-${answer.limit} N.`,
      });
    }
    return answer.kind === 'rejected'
      ? new PlanError('MODEL_FAILED', `the model’s answer cannot be used: ${answer.reason}`)
      : new PlanError('INTERRUPTED', 'asking was interrupted');
  });
  const [first] = errors;
  if (first !== undefined && answered === 0) {
    const { code, message, hintParts: hint, details, cause } = first;
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

/** Returns the error for a question about dependencies where no model is configured. */
export function noModel(): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    'finding out which goals need each other takes a model, and none is configured',
    {
      hint: { commandLine: 'Set OPENAI_API_KEY, or give --base-url (OPENAI_BASE_URL).' },
    },
  );
}
