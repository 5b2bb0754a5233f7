import * as z from 'zod';

import type { RunLog } from '../model/run-log.js';
import type { Instance } from '../model/instance.js';
import type { Run, RunStatus, RunWaiting } from '../model/run.js';
import type { PlanError } from '../../../kernel/errors.js';
import { readPrepared } from './run-source.js';
import { doneByRun, doneSchema, outputsOfRun, outputsSchema } from './run-outputs.js';
import type { RunDone } from './run-outputs.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import type { CompletionReport } from '../../../operations/work/completion-report.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

const errorSchema = z.object({ code: z.string(), message: z.string() });

/** A step instance, as reports name it. */
export const instanceSchema = z.object({
  step: z.string().describe('The step instance: note, note[3], note/fallback/ask, sub/plan/a.'),
  state: z.enum(['pending', 'started', 'succeeded', 'failed', 'skipped', 'unknown']),
  tool: z.string().nullable(),
  attempts: z.number(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  error: errorSchema.nullable(),
  skipped_because: z.string().nullable(),
  recovered: z.boolean().describe('Whether its fallback made it succeed.'),
  settled: z.string().nullable().describe('What an unknown outcome was settled by.'),
});

/** For what a run waits. */
export const waitingSchema = z.object({
  step: z.string(),
  for: z.enum(['approval', 'outcome']),
  summary: z.string(),
  args: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What the step would be called with, whole, where that is not long.'),
  commands: z.array(z.string()).readonly().describe('What a person can say.'),
  code: z.string().optional().describe('The one-time code, where it was drawn just now.'),
});

/** How a run can stand, in the order of its life. */
export const RUN_STATUSES = [
  'prepared',
  'approved',
  'running',
  'waiting',
  'interrupted',
  'succeeded',
  'failed',
  'aborted',
  'expired',
] as const satisfies readonly RunStatus[];

const statusSchema = z.enum(RUN_STATUSES);

/** What every report of a run begins with. */
const runSummaryShape = {
  run: z.string(),
  status: statusSchema,
  source: z.string().nullable().describe('The file, or the id in the store; null for standard input.'),
  goal: z.string().nullable(),
  requires_approval: z.boolean(),
  digest: z.string(),
  prepared_at: z.string(),
  updated_at: z.string(),
  counts: z.record(z.string(), z.number()).describe('How many steps are in which state.'),
  workers: z.boolean().describe('Whether it is left to workers.'),
};

export const runSummarySchema = z.object(runSummaryShape);
export type RunSummary = z.output<typeof runSummarySchema>;

/** What `run` prints. */
export const runReportSchema = runSummarySchema.extend({
  plan_id: z.string(),
  execution_id: z.string(),
  failed: z.string().nullable().describe('The step that failed the run.'),
  reason: z.string().nullable(),
  waiting: z.array(waitingSchema).readonly(),
  warnings: z
    .array(z.string())
    .readonly()
    .describe('Steps that were skipped, items that failed, and what a question ended.'),
  outputs: outputsSchema,
  done: doneSchema.describe('Files that it created, changed and removed, and steps that acted otherwise.'),
  completed_goal: z.string().nullable(),
  goal_refused: z
    .object({ code: z.string(), message: z.string(), hint: z.string().nullable() })
    .nullable()
    .describe('Why the goal was not completed, or its plan not told, though the run has ended.'),
});

export type RunReport = z.output<typeof runReportSchema>;

/** What a command says of a run, and for people what completing its goal came to. */
export interface CarriedOut extends RunReport {
  /** What of {@link RunDone} the plan wants shown. */
  readonly presented: ReadonlySet<keyof RunDone>;
  readonly completion: CompletionReport | null;
  readonly parts: CountsByKind;
}

/** How many steps of a run are in which state, and apart from them how many items of its loops; for people. */
export interface CountsByKind {
  readonly steps: Readonly<Record<string, number>>;
  readonly items: Readonly<Record<string, number>>;
}

/** The summary of a run, as its report gives it. @param status as the clock and the machine tell it */
export function runReportSummary(run: Run, status: RunStatus): RunSummary {
  const counts = countsOf(run, status, () => true);
  const { source, goal = null, digest, requires_approval } = run.prepared;
  return {
    run: run.id,
    status,
    source: source.id ?? source.file,
    goal,
    requires_approval,
    digest,
    prepared_at: run.prepared_at,
    updated_at: run.updated_at,
    counts,
    workers: run.workers !== null,
  };
}

/** The counts of a run, with the items of its loops apart. @param status as the clock and the machine tell it */
export function countsByKind(run: Run, status: RunStatus): CountsByKind {
  return {
    steps: countsOf(run, status, (name) => !name.includes('[')),
    items: countsOf(run, status, (name) => name.endsWith(']')),
  };
}

function countsOf(run: Run, status: RunStatus, isMeant: (name: string) => boolean): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, instance] of run.instances) {
    if (!isMeant(name)) continue;
    const state = stepStateNow(instance, status);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

interface Told {
  /** Codes that were drawn just now, by step. */
  readonly codes?: ReadonlyMap<string, string>;
  /** Whether signatures approve, and codes do not. */
  readonly isSigned?: boolean;
  /** What has ended with the question to a person. */
  readonly ended?: readonly string[];
  /** What became of the goal. */
  readonly after?: { readonly completed: CompletionReport | null; readonly refused: PlanError | null };
}

/** What a command says of a run that it has carried out, or left to workers. @param status as the clock and the machine tell it */
export async function reportOf(
  log: RunLog,
  status: RunStatus,
  {
    codes,
    isSigned,
    ended = [],
    after: { completed, refused } = { completed: null, refused: null },
  }: Told = {},
): Promise<CarriedOut> {
  const { run } = log;
  return {
    ...runReportSummary(run, status),
    parts: countsByKind(run, status),
    plan_id: run.id,
    execution_id: run.id,
    failed: run.ended?.failed ?? null,
    reason: run.ended?.reason ?? null,
    waiting: runReportWaiting(run, codes, isSigned),
    warnings: [
      ...runWarnings(log),
      ...ended.map((name) => `${name} has ended, and what it had open is lost`),
    ],
    outputs: await outputsOfRun(log),
    done: await doneByRun(log),
    presented: presentedOf(run),
    completed_goal: completed?.goal.id ?? null,
    completion: completed,
    goal_refused:
      refused === null ? null : { code: refused.code, message: refused.message, hint: refused.hint ?? null },
  };
}

/** What a plan wants shown: all, but for what it says that is not to be. */
function presentedOf({ prepared }: Run): ReadonlySet<keyof RunDone> {
  const { outputs = {} } = readPrepared(prepared).plan;
  const isShown = (name: string) => outputs[name] !== false;
  return new Set<keyof RunDone>([
    ...(isShown('showCreatedFiles') ? (['created'] as const) : []),
    ...(isShown('showModifiedFiles') ? (['changed', 'removed'] as const) : []),
    ...(isShown('showCommandRuns') ? (['ran'] as const) : []),
  ]);
}

/**
 * How far a step is, for the report of its run. A call that no process is at any more is unknown, also before that
 * is written down.
 */
export function stepStateNow({ state }: Instance, status: RunStatus): Instance['state'] {
  return state === 'started' && status !== 'running' ? 'unknown' : state;
}

/** An instance as reports show it. */
export function instanceReport(step: string, instance: Instance): z.output<typeof instanceSchema> {
  const { error, skipped } = instance;
  return {
    step,
    state: instance.state,
    tool: instance.tool,
    attempts: instance.attempt,
    started_at: instance.started_at,
    ended_at: instance.ended_at,
    error: error === null ? null : { code: error.code, message: error.message },
    skipped_because:
      skipped === null ? null : skipped.of === null ? skipped.because : `${skipped.because}: ${skipped.of}`,
    recovered: instance.recovered,
    settled: instance.settled,
  };
}

/**
 * What a run waits for, for its report, with what a person can say.
 * @param codes drawn just now, by step
 * @param isSigned whether signatures approve, and codes do not
 */
export function runReportWaiting(
  { id, waiting }: Run,
  codes: ReadonlyMap<string, string> = new Map(),
  isSigned = false,
): z.output<typeof waitingSchema>[] {
  return waiting.map((one) => {
    const code = codes.get(one.step);
    return {
      step: one.step,
      for: one.for,
      summary: one.summary,
      ...(one.args === undefined ? {} : { args: one.args }),
      commands:
        one.for === 'outcome'
          ? ['done', 'not-done'].map((as) => `plan runs settle ${id} ${shellWord(one.step)} --as ${as}`)
          : [toAgree(id, one, isSigned, code)],
      ...(code === undefined ? {} : { code }),
    };
  });
}

/** How a person agrees to a step. One for which no code could be drawn is asked about anew when the run goes on. */
function toAgree(run: string, asked: RunWaiting, isSigned: boolean, code = 'CODE'): string {
  if (isSigned) return signCommand(run, asked.step);
  return asked.code === undefined ? `plan run ${run}` : `plan approve ${code}`;
}

/**
 * The command that the report of a run names for a person who agrees by a signature.
 * @param step undefined for the run as a whole
 */
export function signCommand(run: string, step?: string): string {
  return `plan approve ${run}${step === undefined ? '' : ` --step ${shellWord(step)}`} --sign KEY`;
}

/** The warnings in the report of a run: what went otherwise than it should have, though the run goes on. */
export function runWarnings({ run }: RunLog): readonly string[] {
  const warnings: string[] = [...bringsNothing(run)];
  for (const [name, { skipped, failed_items, error, recovered }] of run.instances) {
    if (skipped?.because === 'on_error' && skipped.warn)
      warnings.push(`${name} failed and was skipped: ${error?.message ?? ''}`);
    if (failed_items > 0)
      warnings.push(
        `${quantityOf(failed_items, 'item')} of ${name} failed and ${failed_items === 1 ? 'was' : 'were'} skipped`,
      );
    if (recovered) warnings.push(`${name} failed, and its fallback did its work`);
    if (warnings.length >= MOST_WARNINGS) return [...warnings, '…'];
  }
  return warnings;
}

/** What SoulBrowser brings a user: a note, or a file. */
const BRINGING = /^(?:soul:Done|agent\.note|data\.deliver\b.*)$/;

/** In SoulBrowser a plan that runs well and tells its user nothing has not passed. */
function bringsNothing({ prepared, ended, instances }: Run): readonly string[] {
  if (prepared.source.dialect !== 'soulbrowser' || ended?.outcome !== 'succeeded') return [];
  const isTold = [...instances].some(([, { tool }]) => tool !== null && BRINGING.test(tool));
  return isTold ? [] : ['every step succeeded, and none brings its user a result'];
}

const MOST_WARNINGS = 50;
