import * as z from 'zod';

import { ACTION_PLAN_ID_PATTERN, GOAL_ID_PATTERN } from './ids.js';
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
  timestampSchema,
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
    dependencies: z
      .array(goalId)
      .describe('In an expansion its earlier siblings; where goals are added later, any goal of the plan.'),
    detail: z.string().optional(),
    acceptance: z.array(z.string().min(1)).optional(),
    size: z.string().min(1).optional(),
    source: sourceSchema.optional(),
    tags: z.array(z.string()).optional(),
    complete: z.boolean().optional().describe('Already done, as a checked item of a document is.'),
  })
  .meta({ title: 'New goal' });

const claimToken = z
  .string()
  .min(1)
  .optional()
  .describe('Proof of the claim under which it is done; without one the claim must be of the same name.');

/** What somebody says came of the work on a goal. */
export const resultSchema = z
  .looseObject({
    summary: z.string().optional(),
    decisions: z.array(z.string()).optional(),
    artifacts: z.array(z.string()).optional(),
    text: z.string().optional().describe('A longer account, such as a report or notes.'),
    commits: z.array(z.looseObject({ id: z.string(), subject: z.string() })).optional(),
  })
  .meta({ title: 'Result' });

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
  token: claimToken,
  reason: z.string(),
  code: z.string().optional(),
  phase: failureSchema.shape.phase,
  ...spent,
});
const goalCompleted = z.looseObject({
  type: z.literal('goal_completed'),
  goal: goalId,
  token: claimToken,
  result: resultSchema.optional().describe('What was submitted: the source of the digest.'),
  digest: digestSchema.optional(),
});
const goalDigested = z.looseObject({
  type: z.literal('goal_digested'),
  goal: goalId,
  digest: digestSchema,
  made_by: z.enum(['model', 'extraction']),
  ...spent,
});
const goalReopened = z.looseObject({
  type: z.literal('goal_reopened'),
  goal: goalId,
  reason: z.string().optional(),
});
const goalClaimed = z.looseObject({
  type: z.literal('goal_claimed'),
  goal: goalId,
  token: z.string().min(1).describe('What the holder proves the claim with.'),
  expires_at: timestampSchema.describe('From then on another may claim the goal.'),
});
const claimRenewed = z.looseObject({
  type: z.literal('claim_renewed'),
  goal: goalId,
  token: z.string().min(1),
  expires_at: timestampSchema,
});
const claimReleased = z.looseObject({
  type: z.literal('claim_released'),
  goal: goalId,
  token: claimToken,
  forced: z.boolean().optional().describe('Taken from its holder by somebody else.'),
});

const because = z.string().optional();
/** A goal gets other sub-goals. */
export const replanningSchema = z.looseObject({
  type: z.literal('goal_replanned'),
  goal: goalId,
  reasoning: z.string().nullable(),
  remove: z.array(goalId).describe('Children that go, with all below them; none with a finished goal in it.'),
  sub_goals: z.array(newGoalSchema).describe('Children that come, after those that stay.'),
  because,
  ...spent,
});
const expansionRolledBack = z.looseObject({
  type: z.literal('expansion_rolled_back'),
  goal: goalId,
  because,
});
const goalsAdded = z.looseObject({
  type: z.literal('goals_added'),
  parent: goalId,
  sub_goals: z.array(newGoalSchema).min(1),
  at_index: z.int().nonnegative().optional().describe('Place among the children, from 0; else last.'),
  because,
});
const goalEdited = z.looseObject({
  type: z.literal('goal_edited'),
  goal: goalId,
  fields: z
    .looseObject({
      description: z.string().min(1).optional(),
      reasoning: z.string().nullable().optional(),
      detail: z.string().nullable().optional(),
      acceptance: z.array(z.string().min(1)).nullable().optional(),
      tags: z.array(z.string()).nullable().optional(),
    })
    .describe('The fields that change; null takes one away.'),
  because,
});
const goalMoved = z.looseObject({
  type: z.literal('goal_moved'),
  goal: goalId,
  parent: goalId,
  at_index: z.int().nonnegative().optional().describe('Place among the new siblings, from 0; else last.'),
  because,
});
const goalRemoved = z.looseObject({
  type: z.literal('goal_removed'),
  goal: goalId,
  with_complete: z.boolean().optional().describe('Finished work below it goes too.'),
  because,
});
const goalsMerged = z.looseObject({
  type: z.literal('goals_merged'),
  goal: goalId.describe('The goal that stays.'),
  merged: z.array(goalId).min(1).describe('Its siblings that go into it.'),
  description: z.string().min(1).describe('What it says from here on.'),
  because,
});
const dependenciesChanged = z.looseObject({
  type: z.literal('dependencies_changed'),
  changes: z
    .array(z.looseObject({ goal: goalId, add: z.array(goalId), remove: z.array(goalId), because }))
    .min(1),
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

const planArchived = z.looseObject({ type: z.literal('plan_archived'), because });
const planUnarchived = z.looseObject({ type: z.literal('plan_unarchived'), because });
const actionPlanLinked = z.looseObject({
  type: z.literal('action_plan_linked'),
  goal: goalId,
  action_plan: z
    .string()
    .regex(ACTION_PLAN_ID_PATTERN, 'must be ap- and 6 to 61 of 0-9a-z')
    .describe('Its file is actions/<id>.json.'),
  ...spent,
});
const usageAdded = z.looseObject({
  type: z.literal('usage_added'),
  goal: goalId.optional().describe('The goal that was asked about.'),
  because: z.string().describe('What the calls were made for, and why nothing else came of them.'),
  usage: usageSchema,
  warnings: spent.warnings,
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
  goalDigested,
  goalClaimed,
  claimRenewed,
  claimReleased,
  replanningSchema,
  expansionRolledBack,
  goalsAdded,
  goalEdited,
  goalMoved,
  goalRemoved,
  goalsMerged,
  dependenciesChanged,
  planningStarted,
  planningEnded,
  planPaused,
  planArchived,
  planUnarchived,
  actionPlanLinked,
  usageAdded,
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
    goalDigested.extend(stamp),
    goalClaimed.extend(stamp),
    claimRenewed.extend(stamp),
    claimReleased.extend(stamp),
    replanningSchema.extend(stamp),
    expansionRolledBack.extend(stamp),
    goalsAdded.extend(stamp),
    goalEdited.extend(stamp),
    goalMoved.extend(stamp),
    goalRemoved.extend(stamp),
    goalsMerged.extend(stamp),
    dependenciesChanged.extend(stamp),
    planningStarted.extend(stamp),
    planningEnded.extend(stamp),
    planPaused.extend(stamp),
    planArchived.extend(stamp),
    planUnarchived.extend(stamp),
    actionPlanLinked.extend(stamp),
    usageAdded.extend(stamp),
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
/** What somebody says came of the work on a goal. */
export type Result = z.infer<typeof resultSchema>;
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
