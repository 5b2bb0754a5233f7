import { sha256 } from '../../kernel/sha256.js';
import type { Question } from '../../llm/chat-model.js';

/** Returns what tells a question from the same one about a plan that has changed since: 12 hexadecimal digits. */
export function questionFingerprint({ system, user }: Pick<Question<unknown>, 'system' | 'user'>): string {
  return sha256(`${system}\n${user}`).slice(0, 12);
}
