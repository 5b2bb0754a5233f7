import { oneLine } from './safe-text.js';

/** The characters that can begin or end a construct inside a line of CommonMark, GFM or GitHub's additions. */
const INLINE_SYNTAX = /[\\`*_~[\]<>&!|#$@]|(?<=\S):(?=\S)|(?<=www)\./gi;

/** What would start a list, a rule or the like where a reader takes the text after a checkbox for a block. */
const BLOCK_START = /^(?:(?=[-+=:])|\d+(?=[.)]))/;

/** A text on one line of which nothing is read as Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll(INLINE_SYNTAX, String.raw`\$&`)
    .replace(BLOCK_START, '$&\\');
}

/** A line of Markdown without the backslashes that keep characters from being read as Markdown. */
export function unescapeMarkdown(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}
