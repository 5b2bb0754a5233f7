import * as z from 'zod';

import type { Run, RunCheck, RunStatus } from '../../model/run.js';
import { stepsOfRun } from '../../model/steps/run-step.js';
import { instanceName } from '../../model/steps/instance-names.js';
import { PENDING } from '../../model/instance.js';
import type { ReadActionPlan } from '../../../actions/model/read-action-plan.js';
import type { RunLog } from '../../model/run-log.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { defineOperation } from '../../../../operations/operation.js';
import type { Context } from '../../../../operations/shared/context.js';
import { field, text, toggle } from '../../../../operations/shared/fields.js';
import {
  instanceReport,
  instanceSchema,
  runSummarySchema,
  stepStateNow,
  countsByKind,
  runReportSummary,
  runReportWaiting,
  waitingSchema,
} from '../run-report.js';
import type { CountsByKind } from '../run-report.js';
import { isApprovedBySignatures } from '../approving/approvers.js';
import { outputsOfRun, outputsSchema } from '../run-outputs.js';
import { refuseUnknownStep } from './settle-run.js';
import { numbersAsText } from '../../../../kernel/json/numbers-as-text.js';
import { readPrepared } from '../run-source.js';
import { openRunState, runNow } from '../run-state.js';
import { nextOf } from './next-of-run.js';

/** So many items of a foreach are shown one by one: those that did not succeed first. */
const MOST_ITEMS = 20;

const shownSchema = instanceSchema.extend({
  title: z.string().nullable(),
  waits: z.string().nullable().describe('What a step waits for that is under way.'),
  items: z
    .record(z.string(), z.number())
    .nullable()
    .describe('Of a foreach, how many items are in which state.'),
});

const unknownSchema = instanceSchema.extend({
  effects: z
    .enum(['none', 'idempotent', 'once'])
    .nullable()
    .describe('What acts once is asked about; the others are called again.'),
  args: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What it was called with, its secrets left out, where that is not long.'),
});

const showSchema = runSummarySchema.extend({
  plan_goal: z.string().nullable().describe('What the plan is for, in its own words.'),
  prepared_by: z.string(),
  workspace: z.string(),
  expires_at: z.string(),
  approvals: z
    .array(
      z.object({ scope: z.string(), via: z.string(), by: z.string(), at: z.string(), used: z.boolean() }),
    )
    .readonly(),
  executor: z.object({ host: z.string(), pid: z.number(), since: z.string() }).nullable(),
  failed: z.string().nullable(),
  reason: z.string().nullable(),
  ended_at: z.string().nullable(),
  steps: z.array(shownSchema).readonly().describe('Every step of the plan, and what is below it, in order.'),
  unknown: z
    .array(unknownSchema)
    .readonly()
    .describe('Steps of which nobody knows whether they took effect.'),
  waiting: z.array(waitingSchema).readonly(),
  checks: z
    .array(
      z.object({
        step: z.string().nullable(),
        kind: z.enum(['precondition', 'verification']),
        ok: z.boolean(),
        detail: z.string(),
      }),
    )
    .readonly()
    .describe('Conditions that do not hold.'),
  outputs: outputsSchema.optional(),
  damage: z.array(z.string()).readonly().describe('Parts of the log that cannot be read.'),
  next: z
    .array(z.object({ command: z.string(), does: z.string() }))
    .readonly()
    .describe('What can be done now.'),
});

export type RunShown = z.output<typeof showSchema>;

/** A run, and for people how many of its steps and items are in which state. */
type RunForPeople = RunShown & { readonly parts: CountsByKind };

/**
 * One run for somebody who was not there: what happened, what is unknown, what can be done.
 * @throws PlanError E_PLAN_NOT_FOUND, STEP_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED
 */
export const showRun = defineOperation({
  arguments: ['run'],
  input: z.strictObject({
    run: field(z.string(), 'the run', { value: 'run' }),
    outputs: toggle('also show the outputs of its steps'),
    step: text('the output of this step', 'step'),
  }),
  output: showSchema,
  examples: ['plan runs show run-k3f9x2w8', 'plan runs show run-k3f9x2w8 --outputs --step note'],
  mutates: false,
  async run(context, { run: name, outputs, step }): Promise<RunForPeople> {
    const log = await openRunState(context, name);
    const { run, status } = await runNow(log.run, context);
    if (run !== log.run) await log.refresh();
    if (step !== undefined) refuseUnknownStep(log.run, step);
    const isAsked = outputs === true || step !== undefined;
    return {
      ...(await shownRun(context, log, status)),
      ...(isAsked ? { outputs: await outputsOfRun(log, step) } : {}),
      parts: countsByKind(run, status),
    };
  },
  document: ({ parts: _parts, outputs, ...document }: RunForPeople) => ({
    ...document,
    ...(outputs === undefined ? {} : { outputs: numbersAsText(outputs) }),
  }),
});

async function shownRun(context: Context, log: RunLog, status: RunStatus): Promise<RunShown> {
  const { run, damage } = log;
  const { prepared, executor, ended } = run;
  const read = readPrepared(prepared);
  const unknown = await unknownOf(log, status);
  const isSigned = await isApprovedBySignatures(context);
  return {
    ...runReportSummary(run, status),
    plan_goal: read.plan.goal ?? null,
    prepared_by: run.prepared_by,
    workspace: prepared.workspace.root,
    expires_at: prepared.expires_at,
    approvals: run.approvals.map(({ scope, via, by, at, used }) => ({ scope, via, by, at, used })),
    executor: executor === null ? null : { host: executor.host, pid: executor.pid, since: executor.at },
    failed: ended?.failed ?? null,
    reason: ended?.reason ?? null,
    ended_at: ended?.at ?? null,
    steps: stepsShown(run, read, status),
    unknown,
    waiting: runReportWaiting(run, new Map(), isSigned),
    checks: [...run.checks].flatMap(([, check]) =>
      check === null || isWaitedFor(run, check, status)
        ? []
        : [{ step: check.step, kind: check.kind, ok: check.ok, detail: check.detail }],
    ),
    damage: damage.map(({ place, reason }) => `${place}: ${reason}`),
    next: nextOf(run, status, { unknown, isSigned }),
  };
}

/** What was under way when an executor was lost is unknown, also before anybody has written that down. */
async function unknownOf(log: RunLog, status: RunStatus): Promise<RunShown['unknown']> {
  const { run } = log;
  const open = [...run.instances].filter(([, one]) => stepStateNow(one, status) === 'unknown');
  if (open.length === 0) return [];
  const args = await argsOf(log, new Set(open.map(([name]) => name)));
  return open.map(([name, instance]) => ({
    ...instanceReport(name, { ...instance, state: 'unknown' }),
    effects: instance.effects,
    args: args.get(name) ?? null,
  }));
}

/** What each of these steps was called with last. */
async function argsOf(log: RunLog, names: ReadonlySet<string>): Promise<ReadonlyMap<string, JsonObject>> {
  const args = new Map<string, JsonObject>();
  for (const event of await log.events())
    if (event.type === 'attempt_started' && event.args !== undefined && names.has(event.step))
      args.set(event.step, event.args);
  return args;
}

/** The steps in the order of the plan; what is below one and was begun follows it. */
function stepsShown(run: Run, read: ReadActionPlan, status: RunStatus): RunShown['steps'] {
  const { root } = stepsOfRun(read.plan, read.dialect);
  const names = Array.from(run.instances, ([name]) => name);
  return root.steps.flatMap((step) => {
    const name = instanceName(step, new Map());
    const items = names.filter((one) => one.startsWith(`${name}[`));
    const below = names.filter((one) => one.startsWith(`${name}/`));
    const own = run.instances.get(name) ?? PENDING;
    const top = {
      ...instanceReport(
        name,
        run.loops.get(name) !== undefined && own.state === 'pending'
          ? { ...own, state: 'started' }
          : { ...own, state: stepStateNow(own, status) },
      ),
      tool: step.raw.tool,
      title: step.raw.title ?? null,
      waits: waitOf(run, name, status),
      items:
        items.length === 0
          ? null
          : countsOf(
              run,
              status,
              items.filter((one) => one.endsWith(']')),
            ),
    };
    return [top, ...[...below, ...itemsShown(run, items)].map((one) => shown(run, one, status))];
  });
}

function itemsShown(run: Run, items: readonly string[]): readonly string[] {
  if (items.length <= MOST_ITEMS) return items;
  return items.filter((name) => run.instances.get(name)?.state !== 'succeeded').slice(0, MOST_ITEMS);
}

function shown(run: Run, name: string, status: RunStatus): RunShown['steps'][number] {
  const own = run.instances.get(name) ?? PENDING;
  const report = instanceReport(name, { ...own, state: stepStateNow(own, status) });
  return { ...report, title: null, waits: waitOf(run, name, status), items: null };
}

/** What a step waits for now; null when it waits for nothing. */
function waitOf(run: Run, name: string, status: RunStatus): string | null {
  for (const [, check] of run.checks)
    if (check?.step === name && isWaitedFor(run, check, status)) return check.detail;
  return null;
}

/** Whether a condition is one that a step waits for which is under way. */
function isWaitedFor(run: Run, { step, kind }: RunCheck, status: RunStatus): boolean {
  if (step === null || kind !== 'precondition' || status !== 'running') return false;
  const { state } = run.instances.get(step) ?? PENDING;
  return state === 'started' || state === 'pending';
}

function countsOf(run: Run, status: RunStatus, names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const state = stepStateNow(run.instances.get(name) ?? PENDING, status);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}
