import * as z from 'zod';

import { GOAL_STATUSES, PAUSE_CAUSES, PHASES, PLAN_PROGRESS, PLAN_STATUSES } from './choices.js';
import { goalChecksSchema, touchesSchema } from './goal-work-schema.js';
import { GOAL_ID_PATTERN, PLAN_ID_PATTERN } from './ids.js';
import { expanderSchema, settingsSchema } from './snapshot/settings-schema.js';
import type { budgetSchema, estimateSchema } from './snapshot/settings-schema.js';
export { budgetSchema, estimateSchema, settingsSchema } from './snapshot/settings-schema.js';

/** A moment with its zone. */
export const timestampSchema = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time with a zone, such as 2025-11-30T10:00:00Z' })
  .meta({ examples: ['2025-11-30T10:00:00Z'] });
const count = z.int().nonnegative();
const planId = z
  .string()
  .regex(PLAN_ID_PATTERN, 'must be 8 hexadecimal characters')
  .meta({ examples: ['0398a958'] });
const goalId = z
  .string()
  .regex(GOAL_ID_PATTERN, 'must be <plan id>-<suffix>')
  .meta({ examples: ['0398a958-root', '0398a958-k3f9x2'] });

export const digestSchema = z
  .looseObject({
    summary: z.string().describe('What was accomplished, in two or three sentences.'),
    key_decisions: z.array(z.string()).describe('Significant choices, not routine ones.'),
    artifacts: z.array(z.string()).describe('Main deliverables: files, components, interfaces.'),
    compression_ratio: z
      .number()
      .nonnegative()
      .optional()
      .describe('Size of the digest over size of its source.'),
    fidelity_score: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Share of the source’s facts found in the digest.'),
  })
  .meta({ title: 'Digest', description: 'Compressed summary of finished work.' });

export const usageSchema = z
  .looseObject({
    calls: count.describe('Requests sent to the model, retries and repairs included.'),
    input_tokens: count,
    output_tokens: count,
    cost_usd: z.number().nonnegative().nullable().describe('US dollars; null when the price is not known.'),
    seconds: z.number().nonnegative().optional().describe('Wall time spent planning.'),
    estimated_calls: count
      .optional()
      .describe('Calls among these that timed out or were dropped; charged at the most they may have used.'),
    begun: z
      .array(z.string())
      .optional()
      .describe(
        'Of an event: ids of calls among these that stood in the plan as begun, and do so no longer.',
      ),
  })
  .meta({ title: 'Usage' });

/** Who makes a call of a model. */
export const callerSchema = z
  .looseObject({
    host: z.string(),
    pid: z.int().nonnegative(),
    process_start: z.string().optional().describe('Tells a process from a later one with the same pid.'),
    worker: z.string().optional().describe('A worker of several, by a name that no other has.'),
  })
  .meta({ title: 'Caller' });

/** A call of a model of which no event says yet what it used. */
const begunCallSchema = z
  .looseObject({
    id: z.string(),
    caller: callerSchema,
    at: timestampSchema.describe('When it was begun.'),
    usage: usageSchema.describe('The most that it may use; what it has used where `ended` is true.'),
    ended: z.boolean().optional(),
  })
  .meta({ title: 'Call that was begun' });

export const sourceSchema = z
  .looseObject({ file: z.string(), start_line: z.int().positive(), end_line: z.int().positive() })
  .meta({
    title: 'Source',
    description: 'Where in a document a goal stands; lines count from 1, both ends included.',
  });

export const decisionSchema = z
  .looseObject({
    what: z.string().min(1).describe('What is decided, such as `web framework`.'),
    choice: z.string().min(1).nullable().describe('What was chosen; null while it is open.'),
    decided_by: goalId.optional().describe('The goal that makes the choice, where it is open.'),
    confirmed: z
      .boolean()
      .optional()
      .describe('Whether somebody made or confirmed it; otherwise it was chosen while planning.'),
  })
  .meta({
    title: 'Decision',
    description:
      'A choice that holds for a goal and everything below it, unless a goal below decides otherwise.',
  });

/** What failed of a goal. */
export const phaseSchema = z.enum(PHASES).describe('Whether expanding the goal or doing it failed.');

const failureSchema = z
  .looseObject({
    reason: z.string(),
    code: z.string().optional(),
    phase: phaseSchema,
    at: timestampSchema,
  })
  .meta({ title: 'Failure' });

/** What keeps a goal from being worked on. */
export const holdSchema = z
  .looseObject({
    reason: z.string().min(1),
    until: timestampSchema.optional().describe('From then on it is on hold no longer.'),
  })
  .meta({ title: 'Hold', description: 'Why the goal, and all below it, is not to be worked on for now.' });

/** How urgent a goal is. */
export const prioritySchema = z
  .int()
  .min(0)
  .max(4)
  .describe(
    '0 critical, 1 high, 2 normal, 3 low, 4 someday; that of the nearest goal above where it is missing.',
  );

const linkSchema = z
  .looseObject({
    type: z.string().min(1),
    to: z.string().min(1).describe('What it leads to, as its tool names it.'),
  })
  .meta({
    title: 'Link',
    description: 'A link of another tool that has no meaning here and is kept for it.',
  });

const claimSchema = z
  .looseObject({ by: z.string(), since: timestampSchema, expires_at: timestampSchema, token: z.string() })
  .meta({ title: 'Claim' });

export const goalStatusSchema = z.enum(GOAL_STATUSES);

export const goalSchema = z
  .looseObject({
    id: goalId,
    description: z.string().min(1).describe('What to accomplish, in a sentence or two.'),
    status: goalStatusSchema,
    parent_id: goalId.nullable().describe('null for the root.'),
    child_ids: z.array(goalId).describe('Direct children in order.'),
    depth: count.describe('0 for the root.'),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    reasoning: z.string().nullable().default(null).describe('Why the goal is atomic or not.'),
    digest: digestSchema.nullable().default(null),
    tokens_used: count,
    dependencies: z.array(goalId).describe('Goals that must be complete before this one starts.'),
    graph_node_id: z.string().nullable().default(null).describe('Node of an architectural graph.'),
    detail: z.string().optional().describe('Text of a document that belongs to this goal.'),
    acceptance: z
      .array(z.string().min(1))
      .optional()
      .describe('What must hold for the goal to be done, one criterion each.'),
    size: z
      .string()
      .min(1)
      .optional()
      .describe('How large it is, as it was judged when it was proposed: `S`, `M` or `L`.'),
    decisions: z
      .array(decisionSchema)
      .optional()
      .describe('What was decided for everything below it, each `what` once.'),
    source: sourceSchema.optional(),
    claim: claimSchema.optional(),
    on_hold: holdSchema.optional(),
    priority: prioritySchema.optional(),
    said_done: z
      .literal(true)
      .optional()
      .describe('It came from another tool as done, over parts that were not.'),
    links: z.array(linkSchema).optional(),
    failure: failureSchema.optional(),
    usage: usageSchema.optional(),
    tags: z.array(z.string()).optional(),
    action_plans: z.array(z.string()).optional(),
    touches: touchesSchema.optional(),
    checks: goalChecksSchema.optional(),
  })
  .meta({ title: 'Goal' });

export const warningSchema = z
  .looseObject({ code: z.string(), goal_id: goalId.nullable(), message: z.string() })
  .meta({ title: 'Warning' });

export const runSchema = z
  .looseObject({
    id: z.string(),
    host: z.string(),
    pid: z.int().nonnegative(),
    process_start: z.string().optional().describe('Tells a process from a later one with the same pid.'),
    started_at: timestampSchema,
    workers: z
      .boolean()
      .optional()
      .describe(
        'Whether any number of workers plan, each as long as it likes; `host` and `pid` are of who had them begin.',
      ),
  })
  .meta({ title: 'Run', description: 'The process that is planning now, or the workers that are.' });

/** A result that goals use and none makes, as the last comparison of all leaves found. */
export const missingResultSchema = z
  .looseObject({ what: z.string().min(1), used_by: z.array(goalId) })
  .meta({ title: 'Missing result', description: 'A result that goals use and none makes.' });

const beforeAndAfter = z.tuple([count, count]);

/** What the last comparison of all leaves came to. */
export const linkedSchema = z
  .looseObject({
    at: timestampSchema,
    missing: z.array(missingResultSchema),
    added: count.optional().describe('Needs of leaves that were added.'),
    replaced: count.optional().describe('Waits between parts that were replaced.'),
    chain: beforeAndAfter.optional().describe('Leaves of the longest chain, before and after.'),
    can_start: beforeAndAfter.optional().describe('Leaves that could start, before and after.'),
  })
  .meta({ title: 'Linked', description: 'When the leaves were compared last, and what none of them makes.' });

const logPositionSchema = z
  .looseObject({
    bytes: count.describe('How much of the event log this file reflects.'),
    event: z.string().describe('Id of the last event within those bytes.'),
    clocks: z.record(z.string(), count).optional().describe('Greatest clock read of each replica.'),
    unknown: z
      .array(z.string())
      .optional()
      .describe('Types of events within those bytes that the writer did not know.'),
  })
  .meta({ title: 'Log position' });

const planStatusSchema = z.enum(PLAN_STATUSES);
export const pauseCauseSchema = z.enum(PAUSE_CAUSES);

const headerShape = {
  id: planId,
  root_goal_id: goalId,
  description: z.string().optional(),
  status: planStatusSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
  total_tokens: count,
  max_depth: count.describe('Deepest level ever reached; goals that went since, as by an undo, count.'),
  schema_version: z
    .string()
    .regex(/^\d+\.\d+$/)
    .optional(),
  settings: settingsSchema.optional(),
  usage: usageSchema.optional(),
  paused_because: pauseCauseSchema.nullable().optional(),
  linked: linkedSchema.optional(),
  link_left: z
    .literal(true)
    .optional()
    .describe('Set while planning rests, and nothing is left to ask but which leaves need each other.'),
  warnings: z.array(warningSchema).optional(),
  warnings_dropped: count.optional().describe('Warnings beyond those that are kept.'),
  run: runSchema.optional(),
  calls: z
    .array(begunCallSchema)
    .optional()
    .describe('Calls that were begun; a budget counts them, and `usage` does not.'),
  archived_at: timestampSchema
    .nullable()
    .optional()
    .describe('When the plan was archived; null when it was brought back since.'),
  accepted_damage: z
    .array(z.string())
    .optional()
    .describe('Damaged lines of the event log that somebody has looked at, each by its checksum and length.'),
};

/** A plan without its goals: the fields of the top level. */
export const planHeaderSchema = z.looseObject(headerShape);

/** The plan file (`<plan-id>.json`). */
export const planFileSchema = z
  .looseObject({
    ...headerShape,
    log: logPositionSchema.optional(),
    goals: z
      .record(goalId, goalSchema)
      .describe('Flat map of every goal; the hierarchy is in parent_id and child_ids.'),
    crc: z.string().optional().describe('CRC-32 of the file’s bytes before it; tells a merge from a whole.'),
  })
  .meta({ title: 'frctl plan', description: 'One goal as a tree of atomic goals.' });

/** What index.json keeps of a plan. */
export const keptSummarySchema = z
  .looseObject({
    id: planId,
    description: z.string(),
    status: planStatusSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
    total_goals: count,
    atomic_goals: count.describe('Leaves judged atomic, finished or not.'),
    complete_goals: count.describe('Leaves finished.'),
    pending_goals: count.describe('Goals waiting to be assessed or decomposed.'),
    failed_goals: count,
    max_depth: count.describe('Deepest level that there is now.'),
    total_tokens: count,
    usage: usageSchema,
    expander: expanderSchema.nullable(),
    paused_because: pauseCauseSchema.nullable(),
    warnings: z.array(warningSchema),
    archived_at: headerShape.archived_at,
    being_planned: z
      .literal(true)
      .optional()
      .describe('A run of planning stands in it; a process that was killed leaves its own behind.'),
    claimed_until: timestampSchema
      .optional()
      .describe('When the last of the claims ends or has ended; missing while nobody has one.'),
  })
  .meta({ title: 'Kept summary' });

/** What `plan list` prints of a plan. */
export const summarySchema = keptSummarySchema
  .extend({
    progress: z
      .enum(PLAN_PROGRESS)
      .describe(
        'How it stands with the plan now; `working` once a leaf is done or somebody holds a goal. Never stored.',
      ),
  })
  .meta({ title: 'Summary' });

/** The listing cache (`index.json`); what an older tool wrote has only the seed's eight fields. */
export const indexFileSchema = z
  .looseObject({
    plans: z.array(
      keptSummarySchema.partial({
        pending_goals: true,
        failed_goals: true,
        max_depth: true,
        total_tokens: true,
        usage: true,
        expander: true,
        paused_because: true,
        warnings: true,
      }),
    ),
    archived: z.array(keptSummarySchema).optional().describe('The same of the plans that are archived.'),
    last_updated: timestampSchema,
  })
  .meta({
    title: 'frctl index',
    description: 'Summaries of plans, and the stamps of the files they were made from.',
  });

export type Digest = z.infer<typeof digestSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type Caller = z.infer<typeof callerSchema>;
export type BegunCall = z.infer<typeof begunCallSchema>;
export type MissingResult = z.infer<typeof missingResultSchema>;
export type Source = z.infer<typeof sourceSchema>;
export type Decision = z.infer<typeof decisionSchema>;
export type Goal = z.infer<typeof goalSchema>;
/** Who holds a goal, until when. */
export type Claim = NonNullable<Goal['claim']>;
export type GoalStatus = z.infer<typeof goalStatusSchema>;
export type Settings = z.infer<typeof settingsSchema>;
export type Estimate = z.infer<typeof estimateSchema>;
export type Budget = z.infer<typeof budgetSchema>;
export type Warning = z.infer<typeof warningSchema>;
export type Run = z.infer<typeof runSchema>;
export type LogPosition = z.infer<typeof logPositionSchema>;
export type PlanStatus = z.infer<typeof planStatusSchema>;
export type PauseCause = z.infer<typeof pauseCauseSchema>;
export type PlanHeader = z.infer<typeof planHeaderSchema>;
export type PlanFile = z.infer<typeof planFileSchema>;
export type KeptSummary = z.infer<typeof keptSummarySchema>;
export type Summary = z.infer<typeof summarySchema>;
