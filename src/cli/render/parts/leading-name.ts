import { legible } from '../../../kernel/text/legible.js';

/** A name where a line begins: in quotes where it could be taken for a label (`hint: …`). */
export function leadingName(name: string): string {
  const shown = legible(name);
  return /^[a-z][a-z ]+:/i.test(shown) ? `"${shown}"` : shown;
}
