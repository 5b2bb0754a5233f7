import { readJsonDocument } from '../../kernel/json/json-document.js';
import { valueOfTree } from '../../kernel/json/json-tree.js';
import type { JsonValue } from '../../kernel/json/json-value.js';

/** The value of a JSON text, numbers as they were written; undefined where it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return valueOfTree(readJsonDocument(text).root);
  } catch {
    return undefined;
  }
}

/** A text whose halves of characters, such as cutting leaves, are replaced. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
