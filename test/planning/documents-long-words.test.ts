import { expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { contentStems } from '../../src/kernel/text/content-stems.js';

// A sign beyond Latin makes each character take two bytes, for which patterns have half the room.
const LONG = ['x', '1', '-', 'é'].map((letter) => `→ ${letter.repeat(6_000_000)}`);

test.each([
  ['an item', (text: string) => `# Plan\n\n## Tasks\n\n- ${text}\n- Test it\n`],
  ['a heading', (text: string) => `# Plan\n\n## ${text}\n\n- Test it\n`],
  ['a paragraph', (text: string) => `# Plan\n\n${text}\n\n## Tasks\n\n- Test it\n`],
])('%s of megabytes without a blank is read, and every line has an owner', (_, documentOf) => {
  for (const text of LONG) {
    const markdown = documentOf(text);
    const { outline } = readDocument(markdown, 'PLAN.md', {});
    expect(outline.items).toHaveLength(1);
    expect(accountForOutline(markdown, outline, 'PLAN.md').left_out).toEqual([]);
  }
});

test('a word of megabytes has stems', () => {
  for (const text of LONG) expect(() => contentStems(text)).not.toThrow();
});
