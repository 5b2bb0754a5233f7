import { redactedMembers } from '../../actions/model/redact.js';
import { shownValue } from '../../actions/tools/mismatch-in-words.js';
import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';

/** Arguments of a condition that a message shows. */
const MOST_ARGUMENTS = 4;
/** Columns of each. */
const MOST_COLUMNS = 80;

/**
 * Returns what a message calls a condition: its type, and what it is about as far as that is plain, without secrets:
 * `wa:custom (name "ready", expression "tests pass")`.
 */
export function conditionInWords(type: string, args: JsonObject): string {
  const plain = Object.entries(redactedMembers(args))
    .filter(([, value]) => !isJsonList(value) && !isJsonObject(value) && value !== null)
    .slice(0, MOST_ARGUMENTS)
    .map(([name, value]) => `${name} ${truncate(shownValue(value), MOST_COLUMNS)}`);
  return plain.length === 0 ? type : `${type} (${plain.join(', ')})`;
}
