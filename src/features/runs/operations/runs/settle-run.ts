import * as z from 'zod';

import type { RunLog } from '../../model/run-log.js';
import { wordRunRefusal } from '../../model/run-refusals.js';
import { instanceInRun } from '../../model/run.js';
import type { Run } from '../../model/run.js';
import { instanceName } from '../../model/steps/instance-names.js';
import { stepsOfRun } from '../../model/steps/run-step.js';
import type { RunStep } from '../../model/steps/run-step.js';
import { storeValue } from '../../model/values/run-values.js';
import { PlanError } from '../../../../kernel/errors.js';
import { readJsonDocument } from '../../../../kernel/json/json-document.js';
import { valueOfTree } from '../../../../kernel/json/json-tree.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { nearestWord } from '../../../../kernel/text/nearest-word.js';
import { truncate } from '../../../../kernel/text/truncate.js';
import { defineOperation } from '../../../../operations/operation.js';
import type { Context } from '../../../../operations/shared/context.js';
import { field, text } from '../../../../operations/shared/fields.js';
import { readNamedFile } from '../../../../operations/shared/named-file.js';
import { instanceReport, instanceSchema } from '../run-report.js';
import { readPrepared } from '../run-source.js';
import { isExecutorAlive, openRunState, refuseDamaged, runBusy } from '../run-state.js';

/** No output that somebody brings is longer. */
const MOST_BYTES = 16 * 1024 * 1024;

const inputSchema = z.strictObject({
  run: field(z.string(), 'the run', { value: 'run' }),
  step: field(z.string(), 'the step, as `plan runs show` names it', { value: 'step' }),
  as: field(z.enum(['done', 'not-done']), 'whether it took effect', { value: 'outcome' }),
  output: text('file with its output as JSON, for the steps that use it; - reads standard input', 'file'),
  reason: text('how you know'),
});

/**
 * Says what an outcome counts as that nobody knew.
 * @throws PlanError E_PLAN_NOT_FOUND, STEP_NOT_FOUND, WRONG_STATE where its outcome is known or it has not begun, RUN_BUSY, INVALID_INPUT, FILE_NOT_FOUND
 */
export const settleRun = defineOperation({
  arguments: ['run', 'step'],
  input: inputSchema,
  output: z.object({ run: z.string(), step: instanceSchema, next: z.string() }),
  examples: [
    'plan runs settle run-k3f9x2w8 send --as done',
    'plan runs settle run-k3f9x2w8 "note[3]" --as not-done --reason "it is not in the list"',
  ],
  mutates: true,
  async run(context, { run: name, step, as, output, reason }) {
    const log = await openRunState(context, name);
    refuseDamaged(log);
    await noteLostExecutor(context, log);
    const { attempt, state } = instanceInRun(log.run, step);
    if (state !== 'unknown') throw nothingUnknown(log, step, state);
    const stored = output === undefined ? null : await storeValue(log, await readOutput(context, output));
    const [outcome] = await log.append([
      {
        type: 'outcome_settled',
        step,
        attempt,
        as: as === 'done' ? 'succeeded' : 'failed',
        how: 'person',
        ...(reason === undefined ? {} : { reason }),
        ...(stored === null ? {} : { output_digest: stored.digest() }),
        ...(stored?.inline === undefined ? {} : { output: stored.inline }),
        ...(stored?.file === undefined ? {} : { output_file: stored.file }),
      },
    ]);
    if (outcome?.refused != null)
      throw new PlanError('WRONG_STATE', wordRunRefusal(outcome.refused), { details: { run: name, step } });
    return {
      run: name,
      step: instanceReport(step, instanceInRun(log.run, step)),
      next: log.run.workers === null ? `plan run ${name}` : 'plan worker',
    };
  },
});

/** Settles what an executor had under way that is gone: it is unknown from here on. @throws PlanError RUN_BUSY */
export async function noteLostExecutor(context: Context, log: RunLog): Promise<void> {
  const { run } = log;
  if (!run.running || run.executor === null) return;
  if (await isExecutorAlive(run, context)) throw runBusy(run.id, run.executor);
  await log.append([{ type: 'run_interrupted', because: 'executor_lost', executor: run.executor.id }]);
}

async function readOutput(context: Context, file: string): Promise<JsonValue> {
  const body = await readNamedFile(context, file, MOST_BYTES);
  return valueOfTree(readJsonDocument(body).root);
}

/** Why an outcome cannot be settled: there is no such step, it has not begun, or its outcome is known. */
function nothingUnknown({ run }: RunLog, step: string, state: string): PlanError {
  const unknown = [...run.instances].filter(([, one]) => one.state === 'unknown').map(([name]) => name);
  const isPending = state === 'pending';
  if (isPending && !isStepOf(run, step)) return noSuchStep(run, step, unknown);
  const why =
    isPending && run.loops.get(step) === undefined
      ? `${step} has not started in ${run.id}, so there is nothing to settle`
      : `${step} is ${isPending ? 'started' : state} in ${run.id}: its outcome is known`;
  return new PlanError('WRONG_STATE', why, {
    hint: {
      commandLine:
        unknown.length === 0
          ? `No outcome is unknown; \`plan runs show ${run.id}\` shows what can be done.`
          : `Unknown outcomes: ${unknown.slice(0, 5).join(', ')}.`,
    },
    details: { run: run.id, step, state, unknown: unknown.slice(0, 50) },
  });
}

function noSuchStep(run: Run, step: string, unknown: readonly string[]): PlanError {
  const names = [...staticNames(run).keys()];
  const near = nearestWord(step, names);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new PlanError('STEP_NOT_FOUND', `${run.id} has no step ${JSON.stringify(truncate(step, 200))}`, {
    hint: {
      commandLine:
        unknown.length === 0
          ? `No outcome is unknown; \`plan runs show ${run.id}\` names its steps.${meant}`
          : `Unknown outcomes: ${unknown.slice(0, 5).join(', ')}.${meant}`,
    },
    details: { run: run.id, step, steps: names.slice(0, 50), unknown: unknown.slice(0, 50) },
  });
}

/** @throws PlanError STEP_NOT_FOUND for a step that a run does not have */
export function refuseUnknownStep(run: Run, step: string): void {
  if (run.instances.get(step) === undefined && !isStepOf(run, step)) throw noSuchStep(run, step, []);
}

/** The steps of a run by their names, without the items of the foreach that they are done for. */
function staticNames({ prepared }: Run): ReadonlyMap<string, RunStep> {
  const { plan, dialect } = readPrepared(prepared);
  return new Map(stepsOfRun(plan, dialect).all.map((step) => [instanceName(step, new Map()), step]));
}

const ITEM = /\[(\d+)\]/g;

/** Whether a name is that of a step, or of a step for an item that its foreach has, as far as that is known. */
function isStepOf(run: Run, name: string): boolean {
  const steps = staticNames(run);
  if (!steps.has(name.replaceAll(ITEM, ''))) return false;
  for (const { index, 0: text, 1: item } of name.matchAll(ITEM)) {
    const loop = name.slice(0, index);
    if (steps.get(loop.replaceAll(ITEM, ''))?.raw.foreach === undefined) return false;
    const count = run.loops.get(loop)?.count ?? Infinity;
    // What is right behind an item is no item, and no number begins with a zero.
    if (Number(item) >= count || `[${Number(item)}]` !== text || name[index + text.length] === '[')
      return false;
  }
  return true;
}
