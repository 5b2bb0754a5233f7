import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import type { TextEdit } from './finding.js';

/** The edit that adds a member at the end of an object, laid out like the member before it. */
export function insertMember(
  text: string,
  node: JsonNode & { readonly kind: 'object' },
  key: string,
  value: string,
): TextEdit {
  const last = node.members.at(-1);
  if (last === undefined) {
    const at = node.start + 1;
    return { start: at, end: at, text: `${JSON.stringify(key)}: ${value}` };
  }
  const before = node.members.at(-2)?.value.end ?? node.start;
  const space = text.slice(before, last.keyStart).replace(/^[^{,]*[{,]/, '');
  const colon = text.slice(last.keyEnd, last.value.start);
  const at = last.value.end;
  return { start: at, end: at, text: `,${space}${JSON.stringify(key)}${colon}${value}` };
}
