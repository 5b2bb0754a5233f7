import * as z from 'zod';

import { GOAL_ID_PATTERN } from './ids.js';
import {
  digestSchema,
  goalSchema,
  failureSchema,
  pauseCauseSchema,
  planFileSchema,
  planHeaderSchema,
  runSchema,
  settingsSchema,
  sourceSchema,
  usageSchema,
  warningSchema,
} from './schema.js';

const goalId = z.string().regex(GOAL_ID_PATTERN, 'must be <plan id>-<suffix>');
const spent = { usage: usageSchema.optional(), warnings: z.array(warningSchema).optional() };

/** A goal as it is born in an expansion. */
const newGoalSchema = z
  .looseObject({
    id: goalId,
    description: z.string().min(1),
    atomic: z.boolean().nullable().describe('The verdict given with it; null when it was not judged.'),
    reasoning: z.string().nullable(),
    dependencies: z.array(goalId).describe('Siblings of the same expansion.'),
    detail: z.string().optional(),
    source: sourceSchema.optional(),
    tags: z.array(z.string()).optional(),
    complete: z.boolean().optional().describe('Already done, as a checked item of a document is.'),
  })
  .meta({ title: 'New goal' });

const planCreated = z.looseObject({
  type: z.literal('plan_created'),
  plan: planHeaderSchema.pick({ id: true, description: true, settings: true, schema_version: true }),
  root: z.looseObject({
    description: z.string().min(1),
    detail: z.string().optional(),
    source: sourceSchema.optional(),
  }),
  ...spent,
});
const planImported = z.looseObject({ type: z.literal('plan_imported'), plan: planFileSchema });
const goalExpanded = z.looseObject({
  type: z.literal('goal_expanded'),
  goal: goalId,
  atomic: z.boolean(),
  reasoning: z.string().nullable(),
  sub_goals: z.array(newGoalSchema),
  ...spent,
});
const goalFailed = z.looseObject({
  type: z.literal('goal_failed'),
  goal: goalId,
  reason: z.string(),
  code: z.string().optional(),
  phase: failureSchema.shape.phase,
  ...spent,
});
const goalCompleted = z.looseObject({
  type: z.literal('goal_completed'),
  goal: goalId,
  digest: digestSchema.optional(),
});
const goalReopened = z.looseObject({
  type: z.literal('goal_reopened'),
  goal: goalId,
  reason: z.string().optional(),
});
const planningStarted = z.looseObject({
  type: z.literal('planning_started'),
  run: runSchema,
  replaces: z.string().nullable().describe('Id of the run that this one takes over from.'),
  settings: settingsSchema.optional().describe('The settings from here on.'),
});
const planningEnded = z.looseObject({ type: z.literal('planning_ended'), run: z.string(), ...spent });
const planPaused = z.looseObject({
  type: z.literal('plan_paused'),
  because: pauseCauseSchema,
  detail: z.string().optional(),
  run: z.string().optional().describe('The run that ends with the pause.'),
  ...spent,
});

const changeUndone = z.looseObject({
  type: z.literal('change_undone'),
  undoes: z.string().describe('Id of the event whose changes of goals are taken back.'),
  changes: z
    .array(z.object({ goal: goalId, before: goalSchema.nullable(), after: goalSchema.nullable() }))
    .describe('Each goal that changed, as it was and as it became; null where there was none.'),
});
const planRestored = z.looseObject({
  type: z.literal('plan_restored'),
  plan: planFileSchema.describe('The state from here on, as a plan file said it.'),
  reason: z.string(),
});

const stamp = {
  id: z.string().min(1).max(64),
  at: z.iso.datetime({ offset: true }),
  by: z.string(),
  replica: z.string().min(1).max(64).describe('The copy of the store that the writer worked in.'),
  clock: z.int().positive().describe('Lamport time: one more than the greatest the writer had read.'),
};

/** What happened, before the store stamps it with who, when and where. */
const eventPayloadSchema = z.discriminatedUnion('type', [
  planCreated,
  planImported,
  goalExpanded,
  goalFailed,
  goalCompleted,
  goalReopened,
  planningStarted,
  planningEnded,
  planPaused,
  changeUndone,
  planRestored,
]);

/** One line of an event log, without its `crc`. */
export const eventSchema = z
  .discriminatedUnion('type', [
    planCreated.extend(stamp),
    planImported.extend(stamp),
    goalExpanded.extend(stamp),
    goalFailed.extend(stamp),
    goalCompleted.extend(stamp),
    goalReopened.extend(stamp),
    planningStarted.extend(stamp),
    planningEnded.extend(stamp),
    planPaused.extend(stamp),
    changeUndone.extend(stamp),
    planRestored.extend(stamp),
  ])
  .meta({
    title: 'frctl event',
    description: 'One change of a plan, a line of its event log. A plan changes in no other way.',
  });

/** The stamp alone: what is legible of an event whose type a newer version added. */
export const eventStampSchema = z.looseObject({ ...stamp, type: z.string() });

export type NewGoal = z.infer<typeof newGoalSchema>;
/** What happened, before the store stamps it with who, when and where. */
export type EventPayload = z.infer<typeof eventPayloadSchema>;
export type EventType = EventPayload['type'];
export type PayloadOf<Type extends EventType> = Extract<EventPayload, { type: Type }>;
/** Who, when and where; added by the store when an event is written. */
export type EventStamp = {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly replica: string;
  readonly clock: number;
};
export type PlanEvent = EventPayload & EventStamp;
