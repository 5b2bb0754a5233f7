import { isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';

/** An output of which only the beginning was kept. */
export interface OutputCut {
  /** Where it stands in a list of outputs; empty for the output itself. */
  readonly path: readonly string[];
  /** The instance that brought it. */
  readonly step: string;
  /** What of it was kept, and how more would be. */
  readonly kept: string;
}

const KEPT_OF_COMMAND = 1_048_576;
const KEPT_OF_HTTP = 10_485_760;
/** Kits whose tools run commands and send requests; what others call truncated was asked for so. */
const KEPT_OF_KITS: Readonly<Record<string, number>> = { shell: KEPT_OF_COMMAND, http: KEPT_OF_HTTP };

function inWords(bytes: number): string {
  return bytes.toLocaleString('en');
}

/** Returns what was cut of the output of an instance; null where it is whole. @param binding of its tool */
export function cutOf(step: string, output: JsonValue, binding: JsonObject | undefined): OutputCut | null {
  const kept = binding === undefined ? null : keptOf(output, binding);
  return kept === null ? null : { path: [], step, kept };
}

/**
 * Returns what was kept of an output that frctl has cut; null for one that is whole. What a server says itself under
 * `truncated`, such as that a list has more pages, is its own.
 */
export function keptOf(output: JsonValue, binding: JsonObject): string | null {
  if (!isJsonObject(output) || output.truncated !== true) return null;
  if ('file' in binding) return '10,000 names of the folder are kept';
  const ofKit = typeof binding.kit === 'string' ? KEPT_OF_KITS[binding.kit] : undefined;
  if (ofKit !== undefined)
    return `its first ${inWords(ofKit)} bytes are kept; a binding of your own with \`max_output\` keeps more`;
  if (!('command' in binding) && !('http' in binding)) return null;
  const { max_output: most, output: form } = isJsonObject(binding.http) ? binding.http : binding;
  if (form === 'value') return null;
  const kept = typeof most === 'number' ? most : 'command' in binding ? KEPT_OF_COMMAND : KEPT_OF_HTTP;
  return `its first ${inWords(kept)} bytes are kept; \`max_output\` of the binding keeps more`;
}

/** Returns the output that was cut and that a path leads to, into or past; null for none. */
export function cutWithin(cuts: readonly OutputCut[] = [], path: readonly string[]): OutputCut | null {
  return (
    cuts.find((cut) => cut.path.every((key, index) => index >= path.length || path[index] === key)) ?? null
  );
}

/** Says that an output was cut. */
export function wordCut({ step, kept }: OutputCut): string {
  return `the output of ${step} was cut: ${kept}`;
}
