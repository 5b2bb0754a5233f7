import { parseOrNull } from '../../kernel/json/parse-or-null.js';

/** The id of an event in the text of its line, also of one that this version cannot read; null where there is none. */
export function eventIdIn(text: string): string | null {
  const event = parseOrNull(text);
  const id = typeof event === 'object' && event !== null && 'id' in event ? event.id : null;
  return typeof id === 'string' ? id : null;
}
