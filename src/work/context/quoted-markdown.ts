import { oneLine, printable } from '../../kernel/text/safe-text.js';

/**
 * An item of a list that begins with a word of ours and holds foreign text. It is one line and begins with no
 * mark of Markdown, so it can be no heading, no fence, and no item of its own; tags in it are escaped.
 */
export function quotedItem(label: string, text: string): string {
  return `- ${label} ${oneLine(text).replaceAll(/<(?=[a-z!/?])/gi, '\\<')}`;
}

/** A block of foreign text, between fences that are longer than any in it. Nothing in it can end it. */
export function quotedBlock(text: string): string {
  const body = printable(text).replace(/(?<!\n)\n+$/, '');
  let longest = 2;
  for (const [run] of body.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${body}\n${fence}`;
}
