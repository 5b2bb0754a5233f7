import { isExactNumber, isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { RunOutput } from '../instance.js';
import type { RunLog } from '../run-log.js';
import { itemName } from '../steps/instance-names.js';
import { cutOf } from './cut-output.js';
import type { OutputCut } from './cut-output.js';

/** A longer value is kept in a file of its own, in bytes of JSON. */
const MOST_INLINE = 64 * 1024;
/** Lists of foreach outputs that are kept made, for references that ask for them again and again. */
const MOST_MADE = 4;

/** A value as an event holds it: itself, or the file that it is kept in. */
export interface StoredValue {
  readonly inline: JsonValue | undefined;
  readonly file: string | undefined;
  /** The SHA-256 of its JSON, worked out when it is asked for. */
  readonly digest: () => string;
}

/** Stores a value for an event. What is long, or has numbers that JavaScript would write otherwise, goes into a file. */
export async function storeValue(log: RunLog, value: JsonValue): Promise<StoredValue> {
  const text = textOfJson(value);
  const isShort = Buffer.byteLength(text) <= MOST_INLINE && !hasExactNumber(value);
  if (isShort) return { inline: value, file: undefined, digest: () => sha256(text) };
  const file = await log.keep(value);
  return { inline: undefined, file, digest: () => file };
}

/** An output of a run. */
export interface OutputOfRun {
  readonly value: JsonValue;
  /** Where in it outputs stand of which only the beginning was kept. */
  readonly cuts: readonly OutputCut[];
}

/** The outputs of the instances of a run. */
export interface RunOutputs {
  /** The output of an instance; null where it has none, undefined where it did not succeed and was not skipped. */
  of(name: string): Promise<OutputOfRun | undefined>;
}

/** Before a run no step has brought anything. */
export const NO_OUTPUTS: RunOutputs = { of: () => Promise.resolve(undefined) };

/** Returns what a call brought, wherever the run keeps it; null where it brought nothing. */
export async function outputIn(log: RunLog, output: RunOutput | null): Promise<JsonValue> {
  if (output === null) return null;
  if ('value' in output) return output.value;
  return 'event' in output ? log.output(output.event) : log.read(output.file);
}

const NO_OUTPUT: OutputOfRun = { value: null, cuts: [] };

/** The values that a run has: looks outputs up in its log. */
export function outputsOf(log: RunLog): RunOutputs {
  const made = new Map<string, OutputOfRun>();
  const bindings = new Map(log.run.prepared.tools.map(({ name, binding }) => [name, binding]));
  return { of };

  async function of(name: string): Promise<OutputOfRun | undefined> {
    const instance = log.run.instances.get(name);
    if (instance?.state === 'skipped') return NO_OUTPUT;
    if (instance?.state !== 'succeeded') return undefined;
    if (instance.output_of !== null) return of(instance.output_of);
    const loop = log.run.loops.get(name);
    if (loop !== undefined && !instance.recovered) return listOf(name, loop.count);
    const value = await outputIn(log, instance.output);
    const cut = cutOf(name, value, bindings.get(instance.tool ?? ''));
    return { value, cuts: cut === null ? [] : [cut] };
  }

  async function listOf(name: string, count: number): Promise<OutputOfRun> {
    const known = made.get(name);
    if (known !== undefined) return known;
    const outputs: OutputOfRun[] = [];
    for (let index = 0; index < count; index += 1)
      outputs.push((await of(itemName(name, index))) ?? NO_OUTPUT);
    const list: OutputOfRun = {
      value: outputs.map(({ value }) => value),
      cuts: outputs.flatMap(({ cuts }, index) =>
        cuts.map((cut) => ({ ...cut, path: [String(index), ...cut.path] })),
      ),
    };
    const [oldest] = made.keys();
    if (made.size >= MOST_MADE && oldest !== undefined) made.delete(oldest);
    made.set(name, list);
    return list;
  }
}

function hasExactNumber(value: JsonValue): boolean {
  if (isExactNumber(value)) return true;
  if (isJsonList(value)) return value.some(hasExactNumber);
  return isJsonObject(value) && Object.values(value).some(hasExactNumber);
}
