import { expect, test } from 'vitest';

import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';

function told(items: readonly DocumentItem[]): readonly string[] {
  return items.flatMap(({ complete, description, children }) =>
    children.length > 0 ? told(children) : [`${complete ? '✓ ' : ''}${description}`],
  );
}

const read = (text: string) => {
  const { outline } = readDocument(text, 'x.md');
  return { leaves: told(outline.items), left: accountForOutline(text, outline, 'x.md').left_out };
};

test.each<readonly [name: string, text: string, leaves: readonly string[]]>([
  ['a box of marks alone', '- [ ] **\n- [ ] ok', ['ok']],
  ['an item of marks alone, with parts', '- **\n  - a\n  - b\n- ok', ['a', 'b', 'ok']],
  ['headings of marks or of a remark alone', '## **\n\n- a\n\n## (done)\n\n- b', ['a', '✓ b']],
  ['a label that is a picture', '**![](a.png)**\n\n- a one\n\n**B**\n\n- b one', ['a one', 'b one']],
  ['a box that touches its bullet', '- [x] Seven\n-[ ] Eight\n*[ ] Ten', ['✓ Seven', 'Eight', 'Ten']],
  ['a box of another mark', '- [ ] One\n- [~]Two\n-[/] Three', ['One', 'Two', 'Three']],
  ['a box that touches its words', '- [x]Nine\n- [ ]Ten', ['✓ Nine', 'Ten']],
  ['a box behind an element that ends', '- [ ] a\n\n</details>\n- [ ] b', ['a', 'b']],
  ['boxes below a summary', '<details>\n<summary>Steps</summary>\n- [ ] a\n</details>\n- [ ] b', ['a', 'b']],
  ['signs that are named', '- [ ] Fix &amp; go\n- [ ] Caf&eacute; \\*star\\*', ['Fix & go', 'Café *star*']],
  ['a box with blanks and a mark of sync', '- [ x ] Six\n- [ ] A <!-- goal:x5f0lz -->', ['✓ Six', 'A']],
  ['boxes with other marks', '- [ ] a\n- [✔] b\n- [х] c', ['a', '✓ b', '✓ c']],
  [
    'a remark that it is done',
    '- Jam (done in 1.2)\n- [ ] Jar (done)\n- Lid (fixed)\n- Get it done',
    ['✓ Jam (done in 1.2)', 'Jar (done)', '✓ Lid (fixed)', 'Get it done'],
  ],
  ['a number of several', '- T2–T10 — nine jars\n- T11 — a lid', ['T2–T10 — nine jars', 'a lid']],
  [
    'what is excused in a sentence',
    '- **Accounts** — minimal. None real (one user is acceptable).\n- 314 warnings (acceptable pattern)\n- Jars',
    ['Accounts — minimal. None real (one user is acceptable).', 'Jars'],
  ],
  ['what is struck, with a word behind', '- [ ] ~~Support iOS 14~~ dropped', ['✓ Support iOS 14 dropped']],
  ['a row with a share', '| Task | Status |\n|-|-|\n| Jam | 100% |\n| Jar | 40% |', ['✓ Jam', 'Jar']],
])('%s loses nothing, and no line of it is told as left out', (_, text, leaves) => {
  expect(read(`# T\n\n${text}\n`)).toEqual({ leaves, left: [] });
});

test('tags and boxes in code, and what stands in an element that holds code, stay as they are', () => {
  const text = '# T\n\n```\n-[ ] x\n</div>\n- b\n```\n\n<pre>\n- c\n</pre>\n\n- [ ] y\n';
  expect(read(text).leaves).toEqual(['y']);
  expect(readDocument(text, 'x.md').outline.detail).toContain('-[ ] x\n</div>');
});

test.each<readonly [features: readonly string[], plan: readonly string[], left: readonly string[]]>([
  [['[ ] Turn on alerts', '[ ] Turn off alerts'], ['[ ] Turn on alerts'], ['Turn off alerts']],
  [['Turn off alerts'], ['Turn on alerts'], ['Turn off alerts']],
  [['Disable dark mode'], ['Enable dark mode'], ['Disable dark mode']],
  [
    ['Import of orders (CSV)', 'Import of orders (PDF)'],
    ['Import of orders (CSV)'],
    ['Import of orders (PDF)'],
  ],
  [['Login: passkeys', 'Login: Google accounts'], ['Login: Google accounts'], ['Login: passkeys']],
  [['Test payments'], ['Deploy payments'], ['Test payments']],
  [['Search index rebuild'], ['Search index'], ['Search index rebuild']],
  [['Login form errors'], ['Login form'], ['Login form errors']],
  [['[ ] Payments page'], ['Payments'], ['Payments page']],
])('of the features %j beside the plan %j stays %j', (features, plan, left) => {
  const both = '- Charts of sales\n- Orders of the week\n';
  const list = (items: readonly string[]) => items.map((item) => `- ${item}\n`).join('') + both;
  const { leaves } = read(`# Shop\n\n## Features\n\n${list(features)}\n## Phase 1\n\n${list(plan)}`);
  const planned = plan.map((item) => item.replace('[ ] ', ''));
  expect(leaves).toEqual([...left, ...planned, 'Charts of sales', 'Orders of the week']);
});

test('the same boxes of two parts and of a plan stay three times', () => {
  const boxes = '- [ ] Login screen\n- [ ] Cart screen\n';
  const { leaves } = read(`# Shop\n\n## iOS\n\n${boxes}\n## Android\n\n${boxes}\n## Phase 1\n\n${boxes}`);
  expect(leaves).toHaveLength(6);
});

test.each([
  ['Backlog', 'Title | Est'],
  ['To do', 'Card | Owner'],
  ['Action items', 'Who | What | When'],
  ['🐛 Bugs', 'Bug | Severity'],
  ['Tasks', 'Step | Week'],
])('a table below %s with the columns %s lists work', (heading, columns) => {
  const names = columns.split(' | ');
  const row = names.map((name) => (/^(?:title|card|what|bug|step)$/i.test(name) ? 'Build the cart' : 'Ann'));
  const table = `| ${columns} |\n|${'-|'.repeat(names.length)}\n| ${row.join(' | ')} |\n`;
  expect(read(`# Board\n\n## ${heading}\n\n${table}\n## Done\n\n- it\n`).leaves[0]).toMatch(
    /^Build the cart/,
  );
});

test('done headings are told by words beside such as are told by signs, one sign behind is enough, and dropped work is none', () => {
  const both = '## Login (done)\n\n- a\n\n## Cart ✅\n\n- b\n\n## Search ✅\n\n- c\n\n## Logout\n\n- d\n';
  expect(read(`# Plan\n\n${both}`).leaves).toEqual(['✓ a', '✓ b', '✓ c', 'd']);
  expect(read('# Plan\n\n## Logo ✅\n\n- a\n\n## List\n\n- b\n').leaves).toEqual(['✓ a', 'b']);
  expect(read('# Plan\n\n## ✅ Goals of it\n\n- a\n\n## List\n\n- b\n').leaves).not.toContain('✓ a');
  expect(read('# Plan\n\n## Work\n\n- a\n\n## Ideas (not planned)\n\n- b\n').leaves).toEqual(['a']);
  expect(read('# Plan\n\n## Work\n\n- a\n\n## Cancelled\n\n- b\n\n## Rejected\n\n- c\n').leaves).toEqual([
    'a',
  ]);
});
