import * as z from 'zod';

import { isJsonObject, isJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';

/** The version of frctl's own form of action plans. */
export const ACTION_PLAN_VERSION = '1.0';

/** What carrying out a plan does at worst: it reads, it writes, or it runs commands. */
export type Risk = 'read-only' | 'writes' | 'commands';

/**
 * The ordered steps, with tools, that carry out one atomic goal. Only what is there is stored: defaults are
 * applied by `resolveDefaults`. Times are RFC 3339, durations milliseconds.
 */
export interface ActionPlan {
  /** The version of this form, `1.x`; in files, not in nested plans. */
  readonly schema_version?: string;
  readonly id?: string;
  readonly title?: string;
  readonly description?: string;
  /** What the plan is to accomplish. */
  readonly goal?: string;
  /** The goal of a plan of goals that this one serves. */
  readonly goal_id?: string;
  readonly risk?: Risk;
  /** The workspace that the plan must not leave. */
  readonly workspace?: string;
  readonly created_at?: string;
  readonly assumptions?: readonly string[];
  readonly rationale?: readonly string[];
  readonly risks?: readonly string[];
  readonly context_requests?: readonly ContextRequest[];
  /** Values that references such as `${context.user}` name. */
  readonly context?: JsonObject;
  /** What must hold before any step runs. */
  readonly preconditions?: readonly Check[];
  /** What counts for steps that do not say it themselves. */
  readonly defaults?: StepDefaults;
  readonly outputs?: JsonObject;
  readonly ui_hints?: JsonObject;
  readonly metadata?: JsonObject;
  readonly steps: readonly ActionStep[];
  /** What a dialect says beyond this model, by the dialect's name; see docs/action-plans.md. */
  readonly extensions?: Extensions;
}

/** One step: a tool and its arguments, and what surrounds running it. */
export interface ActionStep {
  /** Unique within the plan and the steps of its fallbacks. */
  readonly id: string;
  readonly tool: string;
  /** Arguments; strings in them may hold references. */
  readonly args: JsonObject;
  /** What a person sees of the step. */
  readonly title?: string;
  readonly detail?: string;
  /** Ids of steps that must have succeeded before. */
  readonly depends_on?: readonly string[];
  readonly foreach?: Foreach;
  /** A name for the output, besides the step's id. */
  readonly capture_as?: string;
  readonly on_error?: OnError;
  readonly retry?: Retry;
  readonly timeout_ms?: number;
  readonly preconditions?: readonly Check[];
  readonly verifications?: readonly Check[];
  /** Whether a person must agree before the step runs. */
  readonly requires_approval?: boolean;
  /** Whether running it again does no harm. */
  readonly idempotent?: boolean;
  /** What a browser waits for after the step. */
  readonly wait?: 'none' | 'dom_ready' | 'idle';
  /** A whole plan that is carried out as this step. */
  readonly plan?: ActionPlan;
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
  readonly extensions?: Extensions;
}

/** Running a step once for each item of a list. */
export interface Foreach {
  /** A reference to a list, or a bare name. */
  readonly from: string;
  readonly item_name: string;
  readonly index_name?: string;
  /** Most items at once; 1 when it is left out. */
  readonly concurrency?: number;
}

/** What becomes of a step that failed, after its attempts are used up. */
export type OnError =
  | { readonly strategy: 'stop'; readonly message?: string }
  | { readonly strategy: 'skip'; readonly warn?: boolean }
  /** Try again as `retry` says, then stop. */
  | { readonly strategy: 'retry' }
  /** Carry out other steps in its place. */
  | { readonly strategy: 'fallback'; readonly steps: readonly ActionStep[] }
  /** Ask a person. */
  | { readonly strategy: 'approval'; readonly summary: string };

/** How often and after which waits a step is tried. */
export interface Retry {
  /** The first one included. */
  readonly max_attempts: number;
  readonly initial_delay_ms?: number;
  readonly max_delay_ms?: number;
  /** What each wait is longer by; 1 when it is left out. */
  readonly multiplier?: number;
  readonly jitter?: boolean;
}

/**
 * A condition: a precondition, or a verification of what a step did. `type` is one of a system's own
 * (`wa:pane_exists`, `soul:ElementVisible`) or any that the host knows.
 */
export interface Check {
  readonly type: string;
  readonly args: JsonObject;
  readonly description?: string;
  readonly timeout_ms?: number;
}

export interface ContextRequest {
  readonly kind: string;
  readonly options?: JsonObject;
}

export interface StepDefaults {
  readonly on_error?: OnError;
  readonly retry?: Retry;
}

/** By dialect, what its documents say beyond the model. */
export type Extensions = Readonly<Record<string, JsonObject>>;

const object: z.ZodType<JsonObject> = z
  .unknown()
  .refine((value) => isJsonObject(value) && isJsonValue(value), 'must be an object')
  .pipe(z.custom<JsonObject>())
  .meta({ type: 'object' });
const text = z.string();
const name = z.string().min(1);
const duration = z.int().nonnegative();

const checkSchema: z.ZodType<Check> = z
  .strictObject({
    type: name,
    args: object,
    description: text.exactOptional(),
    timeout_ms: duration.exactOptional(),
  })
  .meta({ id: 'Check' });

const retrySchema: z.ZodType<Retry> = z
  .strictObject({
    max_attempts: z.int().nonnegative(),
    initial_delay_ms: duration.exactOptional(),
    max_delay_ms: duration.exactOptional(),
    multiplier: z.number().exactOptional(),
    jitter: z.boolean().exactOptional(),
  })
  .meta({ id: 'Retry' });

const foreachSchema: z.ZodType<Foreach> = z
  .strictObject({
    from: name,
    item_name: name,
    index_name: name.exactOptional(),
    concurrency: z.int().positive().exactOptional(),
  })
  .meta({ id: 'Foreach' });

const onErrorSchema: z.ZodType<OnError> = z
  .lazy(() =>
    z.discriminatedUnion('strategy', [
      z.strictObject({ strategy: z.literal('stop'), message: text.exactOptional() }),
      z.strictObject({ strategy: z.literal('skip'), warn: z.boolean().exactOptional() }),
      z.strictObject({ strategy: z.literal('retry') }),
      z.strictObject({ strategy: z.literal('fallback'), steps: z.array(actionStepSchema) }),
      z.strictObject({ strategy: z.literal('approval'), summary: text }),
    ]),
  )
  .meta({ id: 'OnError' });

const extensionsSchema = z.record(name, object).meta({
  id: 'Extensions',
  description: 'By dialect, what its documents say beyond this model.',
});

/** One step. */
const actionStepSchema: z.ZodType<ActionStep> = z
  .lazy(() =>
    z.strictObject({
      id: name,
      tool: name,
      args: object,
      title: text.exactOptional(),
      detail: text.exactOptional(),
      depends_on: z.array(name).exactOptional(),
      foreach: foreachSchema.exactOptional(),
      capture_as: name.exactOptional(),
      on_error: onErrorSchema.exactOptional(),
      retry: retrySchema.exactOptional(),
      timeout_ms: duration.exactOptional(),
      preconditions: z.array(checkSchema).exactOptional(),
      verifications: z.array(checkSchema).exactOptional(),
      requires_approval: z.boolean().exactOptional(),
      idempotent: z.boolean().exactOptional(),
      wait: z.enum(['none', 'dom_ready', 'idle']).exactOptional(),
      plan: nestedPlanSchema.exactOptional(),
      tags: z.array(text).exactOptional(),
      metadata: object.exactOptional(),
      extensions: extensionsSchema.exactOptional(),
    }),
  )
  .meta({ id: 'ActionStep' });

const nestedPlanSchema: z.ZodType<ActionPlan> = z.lazy(() => actionPlanSchema);

const headerShape = {
  schema_version: z
    .string()
    .regex(/^1\.\d+$/, 'must be 1.x')
    .exactOptional(),
  id: name.exactOptional(),
  title: text.exactOptional(),
  description: text.exactOptional(),
  goal: text.exactOptional(),
  goal_id: name.exactOptional(),
  risk: z.enum(['read-only', 'writes', 'commands']).exactOptional(),
  workspace: text.exactOptional(),
  created_at: z.iso.datetime({ offset: true }).exactOptional(),
  assumptions: z.array(text).exactOptional(),
  rationale: z.array(text).exactOptional(),
  risks: z.array(text).exactOptional(),
  context_requests: z.array(z.strictObject({ kind: name, options: object.exactOptional() })).exactOptional(),
  context: object.exactOptional(),
  preconditions: z.array(checkSchema).exactOptional(),
  defaults: z
    .strictObject({ on_error: onErrorSchema.exactOptional(), retry: retrySchema.exactOptional() })
    .exactOptional(),
  outputs: object.exactOptional(),
  ui_hints: object.exactOptional(),
  metadata: object.exactOptional(),
  extensions: extensionsSchema.exactOptional(),
};

/** An action plan: strict, so that a misspelt field is an error and never ignored. */
export const actionPlanSchema: z.ZodType<ActionPlan> = z
  .strictObject({ ...headerShape, steps: z.array(actionStepSchema).min(1) })
  .meta({
    id: 'ActionPlan',
    title: 'frctl action plan',
    description: 'The steps, with tools, that carry out one atomic goal.',
  });

/** Like {@link actionPlanSchema}, but without a step as well, which documents of other systems may be. */
export const anyActionPlanSchema: z.ZodType<ActionPlan> = z.strictObject({
  ...headerShape,
  steps: z.array(actionStepSchema),
});

/** A step together with its place in the model, such as `/steps/2/on_error/steps/0`. */
export interface PlacedStep {
  readonly step: ActionStep;
  readonly pointer: string;
  /** Place among its siblings, from 0. */
  readonly index: number;
}

/**
 * Every step of an action plan in document order, those of fallbacks and nested plans included, each after the one
 * it belongs to.
 */
export function* everyStep(plan: ActionPlan, pointer = ''): Generator<PlacedStep> {
  yield* stepsWithin(plan.steps, `${pointer}/steps`);
  const onError = plan.defaults?.on_error;
  if (onError?.strategy === 'fallback')
    yield* stepsWithin(onError.steps, `${pointer}/defaults/on_error/steps`);
}

function* stepsWithin(steps: readonly ActionStep[], pointer: string): Generator<PlacedStep> {
  for (const [index, step] of steps.entries()) {
    const at = `${pointer}/${index}`;
    yield { step, pointer: at, index };
    if (step.on_error?.strategy === 'fallback')
      yield* stepsWithin(step.on_error.steps, `${at}/on_error/steps`);
    if (step.plan !== undefined) yield* everyStep(step.plan, `${at}/plan`);
  }
}

/** A value of the model of an action plan as the JSON it is. */
export function planAsJson(part: ActionPlan | ActionStep | OnError | Check): JsonValue {
  // Every member of these is JSON by their types; an interface merely lacks the index signature.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return part as unknown as JsonValue;
}
