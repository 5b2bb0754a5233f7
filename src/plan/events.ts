import { z } from 'zod';

import { GOAL_ID_PATTERN } from './ids.js';
import {
  digestSchema,
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
export const newGoalSchema = z
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

const payloads = [
  z.looseObject({
    type: z.literal('plan_created'),
    plan: planHeaderSchema.pick({ id: true, description: true, settings: true, schema_version: true }),
    root: z.looseObject({
      description: z.string().min(1),
      detail: z.string().optional(),
      source: sourceSchema.optional(),
    }),
    ...spent,
  }),
  z.looseObject({ type: z.literal('plan_imported'), plan: planFileSchema }),
  z.looseObject({
    type: z.literal('goal_expanded'),
    goal: goalId,
    atomic: z.boolean(),
    reasoning: z.string().nullable(),
    sub_goals: z.array(newGoalSchema),
    ...spent,
  }),
  z.looseObject({
    type: z.literal('goal_failed'),
    goal: goalId,
    reason: z.string(),
    code: z.string().optional(),
    phase: failureSchema.shape.phase,
    ...spent,
  }),
  z.looseObject({ type: z.literal('goal_completed'), goal: goalId, digest: digestSchema.optional() }),
  z.looseObject({ type: z.literal('goal_reopened'), goal: goalId, reason: z.string().optional() }),
  z.looseObject({
    type: z.literal('planning_started'),
    run: runSchema,
    replaces: z.string().nullable().describe('Id of the run that this one takes over from.'),
    settings: settingsSchema.optional().describe('The settings from here on.'),
  }),
  z.looseObject({ type: z.literal('planning_ended'), run: z.string(), ...spent }),
  z.looseObject({
    type: z.literal('plan_paused'),
    because: pauseCauseSchema,
    detail: z.string().optional(),
    run: z.string().optional().describe('The run that ends with the pause.'),
    ...spent,
  }),
] as const;

const stamp = {
  id: z.string().min(1).max(64),
  at: z.iso.datetime({ offset: true }),
  by: z.string(),
  replica: z.string().describe('The copy of the store that the writer worked in.'),
  clock: z.int().positive().describe('Lamport time: one more than the greatest the writer had read.'),
};

/** What happened, before the store stamps it with who, when and where. */
export const eventPayloadSchema = z.discriminatedUnion('type', [...payloads]);

/** One line of an event log, without its `crc`. */
export const eventSchema = z
  .intersection(z.looseObject(stamp), eventPayloadSchema)
  .meta({ title: 'frctl event', description: 'One change of a plan. A plan changes in no other way.' });

/** Stamp fields alone: what a reader needs to order an event whose type it may not know. */
export const eventStampSchema = z.looseObject({ ...stamp, type: z.string() });

export type NewGoal = z.infer<typeof newGoalSchema>;
export type EventPayload = z.infer<typeof eventPayloadSchema>;
export type EventType = EventPayload['type'];
export type PayloadOf<Type extends EventType> = Extract<EventPayload, { type: Type }>;
export type EventStamp = {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly replica: string;
  readonly clock: number;
};
export type PlanEvent = EventPayload & EventStamp;
