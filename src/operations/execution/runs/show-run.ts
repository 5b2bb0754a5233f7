import * as z from 'zod';

import type { Run, RunStatus } from '../../../execution/run.js';
import { stepsOfRun } from '../../../execution/steps/run-step.js';
import { instanceName } from '../../../execution/steps/instance-names.js';
import { PENDING } from '../../../execution/run.js';
import type { RunLog } from '../../../execution/run-log.js';
import { defineOperation } from '../../operation.js';
import type { Context } from '../../shared/context.js';
import { field } from '../../shared/fields.js';
import {
  instanceReport,
  instanceSchema,
  quoted,
  runSummarySchema,
  summaryOf,
  waitingOf,
  waitingSchema,
} from '../run-report.js';
import { readPrepared } from '../run-source.js';
import { openRun, statusNow } from '../run-state.js';

/** So many items of a foreach are shown one by one: those that did not succeed first. */
const MOST_ITEMS = 20;

const shownSchema = instanceSchema.extend({
  title: z.string().nullable(),
  items: z
    .record(z.string(), z.number())
    .nullable()
    .describe('Of a foreach, how many items are in which state.'),
});

const showSchema = runSummarySchema.extend({
  prepared_by: z.string(),
  workspace: z.string(),
  expires_at: z.string(),
  requires_approval: z.boolean(),
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
    .array(instanceSchema)
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
  damage: z.array(z.string()).readonly().describe('What in the log cannot be read.'),
  next: z
    .array(z.object({ command: z.string(), does: z.string() }))
    .readonly()
    .describe('What can be done now.'),
});

export type RunShown = z.output<typeof showSchema>;

/**
 * One run for somebody who was not there: what happened, what is unknown, what can be done.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED
 */
export const showRun = defineOperation({
  arguments: ['run'],
  input: z.strictObject({ run: field(z.string(), 'the run', { value: 'run' }) }),
  output: showSchema,
  examples: ['plan runs show run-k3f9x2w8'],
  mutates: false,
  async run(context, { run: name }): Promise<RunShown> {
    const log = await openRun(context, name);
    return shownRun(context, log);
  },
});

async function shownRun(context: Context, log: RunLog): Promise<RunShown> {
  const { run, damage } = log;
  const status = await statusNow(run, context);
  const { prepared, executor, ended } = run;
  return {
    ...summaryOf(run, status),
    prepared_by: run.prepared_by,
    workspace: prepared.workspace.root,
    expires_at: prepared.expires_at,
    requires_approval: prepared.requires_approval,
    approvals: run.approvals.map(({ scope, via, by, at, used }) => ({ scope, via, by, at, used })),
    executor: executor === null ? null : { host: executor.host, pid: executor.pid, since: executor.at },
    failed: ended?.failed ?? null,
    reason: ended?.reason ?? null,
    ended_at: ended?.at ?? null,
    steps: stepsShown(run),
    unknown: unknownOf(run, status),
    waiting: waitingOf(run),
    checks: [...run.checks]
      .filter(([, { ok }]) => !ok)
      .map(([, { step, kind, ok, detail }]) => ({ step, kind, ok, detail })),
    damage: damage.map(({ offset, reason }) => `byte ${offset}: ${reason}`),
    next: nextOf(run, status),
  };
}

/** What was under way when an executor was lost is unknown, also before anybody has written that down. */
function unknownOf(run: Run, status: RunStatus): RunShown['unknown'] {
  const open = (state: string) => state === 'unknown' || (state === 'started' && status !== 'running');
  return [...run.instances]
    .filter(([, { state }]) => open(state))
    .map(([name, instance]) => instanceReport(name, { ...instance, state: 'unknown' }));
}

/** The steps in the order of the plan; what is below one and was begun follows it. */
function stepsShown(run: Run): RunShown['steps'] {
  const read = readPrepared(run.prepared);
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
        run.loops.get(name) !== undefined && own.state === 'pending' ? { ...own, state: 'started' } : own,
      ),
      tool: step.raw.tool,
      title: step.raw.title ?? null,
      items:
        items.length === 0
          ? null
          : countsOf(
              run,
              items.filter((one) => one.endsWith(']')),
            ),
    };
    return [top, ...[...below, ...itemsShown(run, items)].map((one) => shown(run, one))];
  });
}

function itemsShown(run: Run, items: readonly string[]): readonly string[] {
  if (items.length <= MOST_ITEMS) return items;
  return items.filter((name) => run.instances.get(name)?.state !== 'succeeded').slice(0, MOST_ITEMS);
}

function shown(run: Run, name: string): RunShown['steps'][number] {
  return { ...instanceReport(name, run.instances.get(name) ?? PENDING), title: null, items: null };
}

function countsOf(run: Run, names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const state = run.instances.get(name)?.state ?? 'pending';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** What can be done now, the most likely first. */
function nextOf(run: Run, status: RunStatus): RunShown['next'] {
  const go = { command: `plan run ${run.id}`, does: 'goes on with it' };
  const abort = { command: `plan abort ${run.id}`, does: 'ends it for good' };
  switch (status) {
    case 'prepared':
      return run.prepared.requires_approval
        ? [{ command: `plan approve ${run.id}`, does: 'agrees to it' }]
        : [{ ...go, does: 'carries it out' }];
    case 'approved':
      return [{ ...go, does: 'carries it out' }];
    case 'running':
      return [{ ...abort, does: 'drops what is under way and ends it' }];
    case 'waiting':
      return [
        ...waitingOf(run).flatMap(({ commands, step, for: what }) =>
          commands.map((command) => ({
            command,
            does:
              what === 'approval'
                ? `agrees to ${step}`
                : command.endsWith('not-done')
                  ? `says that ${step} had no effect`
                  : `says that ${step} took effect`,
          })),
        ),
        { ...go, does: 'goes on with it after that' },
        abort,
      ];
    case 'interrupted':
      return [{ ...go, does: 'goes on with it; what is unknown is looked at first, and asked about' }, abort];
    default:
      return [{ command: prepareAgain(run), does: 'prepares it again, from its first step' }];
  }
}

function prepareAgain({ prepared }: Run): string {
  return `plan prepare ${quoted(prepared.source.id ?? prepared.source.file ?? '-')}`;
}
