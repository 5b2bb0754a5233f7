import { legibleLine } from './legible.js';

/**
 * Quotes a word for the commands that are shown to people, as a shell takes it. What is not plainly printable is escaped as
 * bash, zsh and ksh read it (`$'\x0a'`), so that a word is on one line and can be seen whole.
 */
export function shellWord(word: string): string {
  if (/^[\w./:-]+$/.test(word)) return word;
  if (legibleLine(word) === word) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = Array.from(Buffer.from(word), (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
      ? `\\x${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  return `$'${bytes.join('')}'`;
}
