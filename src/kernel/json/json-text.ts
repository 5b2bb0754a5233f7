import { textOfTree, treeOfValue } from './json-tree.js';
import { isJsonList, isJsonObject } from './json-value.js';
import type { JsonValue } from './json-value.js';

/** The text of a value, written through its tree, so that exact numbers stay as they were. Use it in place of JSON.stringify. */
export function textOfJson(value: JsonValue, indent = ''): string {
  return textOfTree(treeOfValue(value), indent);
}

/** The text of a value on one line with a space behind each colon and comma, as Python prints it. */
export function spacedTextOfJson(value: JsonValue): string {
  if (isJsonList(value)) return `[${value.map(spacedTextOfJson).join(', ')}]`;
  if (!isJsonObject(value)) return textOfJson(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${spacedTextOfJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}
