import { jsonDocumentValue } from '../../../kernel/json/json-document.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import type { Outcome, Tool } from '../model/tool.js';
import { keptOf } from '../model/values/cut-output.js';
import { OUTPUT_CUT } from '../model/values/resolve.js';

/** No message of an error is longer, in columns. */
const MOST_MESSAGE = 2000;
/** The members of what a runner makes of an answer that is not the output itself: those of commands, of HTTP and of MCP. */
const WRAPPING: ReadonlySet<string> = new Set(
  'text json truncated exit lines status headers content'.split(' '),
);

/**
 * The outcome of a call where a tool reports a failure in its answer, as those of SoulBrowser do: `success` is false in
 * it, whatever else the call came to.
 */
export function withReportedFailure(outcome: Outcome, tool: Tool): Outcome {
  if (outcome.outcome !== 'succeeded') return outcome;
  const { binding } = tool.definition();
  // What stands in a file, or in a note of the plan, is no answer of a tool.
  if ('file' in binding || 'built_in' in binding) return outcome;
  const kept = keptOf(outcome.output, binding);
  if (kept !== null && isBegunObject(outcome.output))
    return failed(
      outcome,
      OUTPUT_CUT,
      `nobody can tell whether it reports a failure, for it was cut: ${kept}`,
      false,
    );
  const answer =
    isValueAlone(binding) && isJsonObject(outcome.output) ? outcome.output : answerIn(outcome.output);
  if (answer?.success !== false) return outcome;
  const said = typeof answer.error === 'string' ? answer.error.trim() : '';
  const message = said === '' ? 'tool reported failure' : truncate(wellFormed(said), MOST_MESSAGE);
  return failed(outcome, 'TOOL_FAILED', message, true);
}

/** Whether the output is the answer itself. */
function isValueAlone(binding: JsonObject): boolean {
  const { output } = isJsonObject(binding.http) ? binding.http : binding;
  return output === 'value';
}

function failed(outcome: Outcome, code: string, message: string, retryable: boolean): Outcome {
  return { ...outcome, outcome: 'failed', error: { code, message, retryable } };
}

/** Whether the text of an answer begins as an object. */
function isBegunObject(output: JsonValue): boolean {
  return isJsonObject(output) && typeof output.text === 'string' && output.text.trimStart().startsWith('{');
}

/** The object that a tool answered with: the output itself, or the JSON in it; null where there is none. */
function answerIn(output: JsonValue): JsonObject | null {
  if (!isJsonObject(output)) return null;
  if (!Object.keys(output).every((name) => WRAPPING.has(name))) return output;
  const { json, text } = output;
  if (json !== undefined) return isJsonObject(json) ? json : null;
  if (typeof text !== 'string' || !isBegunObject(output)) return null;
  const read = jsonDocumentValue(text);
  return isJsonObject(read) ? read : null;
}
