import { expect, test } from 'vitest';

import { documentLines } from '../../src/planning/documents/document-lines.js';

function lines(text: string): readonly string[] {
  return documentLines(text, 'a.md').map(
    ({ kind, line, end_line, text }) => `${kind} ${line}-${end_line} ${text}`,
  );
}

test('headings, items, rows and paragraphs are lines; code, markup, rules and heads of tables are none', () => {
  const text = `---
title: Shop
---

# Shop

Some *text*
on two lines.

- Add **products**
  - Nested item

    With a paragraph.

The following is needed:

1. Pay by card

| what | when |
| ---- | ---- |
| Newsletter | May |

> Quoted line

\`\`\`sh
npm ci
\`\`\`

<div>markup</div>

***
- [x] Done
`;
  expect(lines(text)).toEqual([
    'heading 5-5 Shop',
    'paragraph 7-8 Some text on two lines.',
    'item 10-10 Add products',
    'item 11-11 Nested item',
    'paragraph 13-13 With a paragraph.',
    'item 17-17 Pay by card',
    'row 21-21 Newsletter; May',
    'paragraph 23-23 Quoted line',
    'item 32-32 Done',
  ]);
});

test('an empty document has none, and neither has one of markup alone', () => {
  expect(lines('')).toEqual([]);
  expect(lines('---\n\n***\n\n- \n')).toEqual([]);
});
