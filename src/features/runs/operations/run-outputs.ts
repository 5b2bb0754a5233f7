import { join } from 'node:path';

import * as z from 'zod';

import { instanceName, itemName } from '../model/steps/instance-names.js';
import { stepsOfRun } from '../model/steps/run-step.js';
import type { RunLog } from '../model/run-log.js';
import { outputsOf } from '../model/values/run-values.js';
import type { RunOutputs } from '../model/values/run-values.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { readPrepared } from './run-source.js';

/** A longer output is not shown, in bytes of JSON. */
const MOST_SHOWN = 64 * 1024;

/** What the steps of a run brought, as reports have it. */
export const outputsSchema = z
  .record(z.string(), z.unknown())
  .describe(
    'By step, what it brought, without secrets. In place of more than 64 kB: `file`, where one has it, and `bytes`.',
  );

/** What a run has done to files, and which programs and requests it made. */
export const doneSchema = z.object({
  created: z.array(z.string()).readonly(),
  changed: z.array(z.string()).readonly(),
  removed: z.array(z.string()).readonly(),
  ran: z.array(z.string()).readonly().describe('Steps that acted otherwise than on files.'),
});
export type RunDone = z.output<typeof doneSchema>;

/**
 * Returns the outputs of the steps of a run that have any, in the order of the plan; of one instance where it is named.
 * @throws PlanError STORAGE_FAILED, STORE_DAMAGED
 */
export async function outputsOfRun(log: RunLog, step?: string): Promise<JsonObject> {
  const outputs = outputsOf(log);
  const read = readPrepared(log.run.prepared);
  const names =
    step === undefined
      ? stepsOfRun(read.plan, read.dialect).root.steps.map((one) => instanceName(one, new Map()))
      : [step];
  const found: [string, JsonValue][] = [];
  for (const name of names) {
    if (log.run.instances.get(name)?.state !== 'succeeded') continue;
    found.push([name, await shownOutput(log, outputs, name)]);
  }
  return Object.fromEntries(found);
}

async function shownOutput(log: RunLog, outputs: RunOutputs, name: string): Promise<JsonValue> {
  const instance = log.run.instances.get(name);
  const loop = log.run.loops.get(name);
  if (loop !== undefined && instance?.recovered !== true) return shownList(outputs, name, loop.count);
  const value = (await outputs.of(name))?.value ?? null;
  const bytes = Buffer.byteLength(textOfJson(value));
  if (bytes <= MOST_SHOWN) return value;
  const stored = instance?.output;
  const file =
    stored != null && 'file' in stored && log.folder !== null ? join(log.folder, stored.file) : null;
  return { file, bytes };
}

/** The outputs of items, as long as all of them together can be shown. */
async function shownList(outputs: RunOutputs, name: string, count: number): Promise<JsonValue> {
  const list: JsonValue[] = [];
  let bytes = 2;
  let isShown = true;
  for (let index = 0; index < count; index += 1) {
    const value = (await outputs.of(itemName(name, index)))?.value ?? null;
    bytes += Buffer.byteLength(textOfJson(value)) + (index === 0 ? 0 : 1);
    isShown &&= bytes <= MOST_SHOWN;
    if (isShown) list.push(value);
  }
  return isShown ? list : { file: null, bytes };
}

/**
 * Returns what a run has done so far, by what its log says of files; what a program did to files that its binding does not
 * name is known to nobody.
 * @throws PlanError STORAGE_FAILED
 */
export async function doneByRun(log: RunLog): Promise<RunDone> {
  const before = new Map(log.run.prepared.inputs.map(({ path, sha256 }) => [path, sha256]));
  const now = new Map<string, string | null>();
  const ran = new Set<string>();
  const acting = new Set<string>();
  for (const event of await log.events()) {
    if (event.type === 'attempt_started') {
      if (event.effects !== 'none') acting.add(event.step);
      for (const { path, sha256 } of event.before ?? []) if (!before.has(path)) before.set(path, sha256);
    }
    if (event.type !== 'attempt_ended' || event.outcome === 'not_sent') continue;
    const { files = [], output, step } = event;
    for (const { path, sha256 } of files) {
      if (!before.has(path)) before.set(path, isMadeBy(output) ? null : '');
      now.set(path, sha256);
    }
    if (files.length === 0 && event.outcome === 'succeeded' && acting.has(step)) ran.add(step);
  }
  const paths = (isMeant: (was: string | null, is: string | null) => boolean) =>
    [...now].flatMap(([path, is]) => (isMeant(before.get(path) ?? null, is) ? [path] : []));
  return {
    created: paths((was, is) => was === null && is !== null),
    changed: paths((was, is) => was !== null && is !== null && was !== is),
    removed: paths((was, is) => was !== null && is === null),
    ran: [...ran],
  };
}

/** Whether what a call brought says that there was no such file before. */
function isMadeBy(output: JsonValue | undefined): boolean {
  if (output === undefined || !isJsonObject(output)) return false;
  return output.created === true || ('bytes' in output && !('replaced' in output));
}
