import * as z from 'zod';

import { summarySchema } from '../../../plan/schema.js';
import { summaryNow } from '../../../operations/shared/summary-now.js';
import type { AttemptEnd } from '../attempt/work.js';
import type { Work } from '../attempt/work.js';
import { numberNow } from './goal-number.js';
import type { Spending } from './work-progress.js';

const ENDS = [
  'all_done',
  'nothing_ready',
  'failed',
  'waits',
  'budget',
  'paused',
  'agent',
  'storage',
] as const;
export const STATUS: Readonly<Record<(typeof ENDS)[number], number>> = {
  all_done: 0,
  nothing_ready: 1,
  failed: 1,
  agent: 5,
  budget: 6,
  storage: 7,
  waits: 8,
  paused: 130,
};

const workedGoalSchema = z
  .object({
    goal: z.string(),
    number: z.string().nullable().describe('Null where the goal is gone from the plan.'),
    outcome: z.enum(['landed', 'failed', 'waiting', 'lost', 'interrupted', 'agent']),
    attempts: z.number().describe('Runs of the agent.'),
    commit: z.string().nullable(),
    files: z.array(z.string()).readonly(),
    reason: z.string().nullable(),
    cost_usd: z.number().nullable(),
    seconds: z.number(),
    session: z.string().nullable(),
  })
  .readonly();

export const workReportSchema = z
  .object({
    plan: summarySchema,
    base: z.object({ branch: z.string(), from: z.string(), to: z.string() }).readonly().optional(),
    ended: z.enum(ENDS).optional(),
    goals: z.array(workedGoalSchema).readonly().optional(),
    spent: z
      .object({ attempts: z.number(), seconds: z.number(), cost_usd: z.number(), unknown: z.number() })
      .readonly()
      .optional()
      .describe('`unknown` counts goals whose cost the agent did not report.'),
    would: z
      .array(
        z
          .object({
            goal: z.string(),
            number: z.string(),
            agent: z.string(),
            checks: z.array(z.string()).readonly(),
            touches: z.array(z.string()).readonly(),
          })
          .readonly(),
      )
      .readonly()
      .optional()
      .describe('With `dryRun`: what would go on, or be begun, now.'),
    missing: z
      .array(
        z
          .object({
            goal: z.string(),
            number: z.string(),
            needs: z.array(z.object({ goal: z.string(), commit: z.string() }).readonly()).readonly(),
          })
          .readonly(),
      )
      .readonly()
      .optional()
      .describe('Goals that wait for work that has landed elsewhere, and is not on the base.'),
    refused: z.string().nullable().optional().describe('With `dryRun`: why nothing would be begun.'),
  })
  .readonly();

export type WorkReport = z.output<typeof workReportSchema>;

/** What has become of the goals so far. */
export interface Progress {
  readonly ends: AttemptEnd[];
  readonly running: Map<string, Promise<void>>;
  begun: number;
  /** Why nothing more is begun. */
  stopped: 'agent' | 'storage' | null;
  /** Whether the budget kept from beginning. */
  isOver: boolean;
  /** Whether somebody asked for a pause. */
  isPaused: boolean;
  readonly spending: Spending;
  /** The goals that wait for work that is not on the base, by the last look. */
  readonly missing: Map<string, NonNullable<WorkReport['missing']>[number]>;
  trouble: unknown;
}

/** Returns what became of the goals. */
export function reportOf(
  work: Work,
  {
    so,
    base,
    scope,
    waits,
  }: {
    readonly so: Progress;
    readonly base: WorkReport['base'];
    readonly scope: (goal: string) => boolean;
    /** Whether something waits for a person. */
    readonly waits: boolean;
  },
): WorkReport {
  const goals = so.ends.flatMap(({ attempt, outcome, reason }) =>
    outcome === 'refused'
      ? []
      : [
          {
            goal: attempt.goal,
            number: numberNow(work.log.plan, attempt.goal),
            outcome,
            attempts: attempt.runs,
            commit: attempt.merged?.commit ?? attempt.commit,
            files: attempt.files,
            reason,
            cost_usd: attempt.cost_usd,
            seconds: attempt.seconds,
            session: attempt.session,
          },
        ],
  );
  return {
    plan: summaryNow(work.context, work.log.plan),
    base,
    ended: endOf(work, so, { scope, waits }),
    goals,
    ...(so.missing.size === 0 ? {} : { missing: [...so.missing.values()] }),
    spent: {
      attempts: goals.reduce((sum, { attempts }) => sum + attempts, 0),
      seconds: goals.reduce((sum, { seconds }) => sum + seconds, 0),
      cost_usd: goals.reduce((sum, { cost_usd: cost }) => sum + (cost ?? 0), 0),
      unknown: goals.filter(({ cost_usd: cost }) => cost === null).length,
    },
  };
}

function endOf(
  { log }: Work,
  { ends, stopped, isOver, isPaused }: Progress,
  { scope, waits }: { readonly scope: (goal: string) => boolean; readonly waits: boolean },
): (typeof ENDS)[number] {
  if (stopped !== null) return stopped;
  if (isPaused) return 'paused';
  const open = [...log.plan.goals.values()].filter(
    ({ id, child_ids, status }) => scope(id) && child_ids.length === 0 && status !== 'complete',
  );
  if (open.length === 0) return 'all_done';
  if (isOver) return 'budget';
  if (waits) return 'waits';
  return ends.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'nothing_ready';
}
