import { describe, expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves as read } from '../support/document-leaves.js';

const END = '\n\n## Gate\n\n- Hang it\n';
const WORK = '- [ ] Mill the posts\n- Dig the holes';

/** What comes of the part “Fence” of a farm. */
function fenceOf(text: string) {
  const doc = `# Farm\n\n## Fence\n\n${text}${END}`;
  const { outline } = readDocument(doc, 'DOC.md');
  expect(accountForOutline(doc, outline, 'DOC.md').left_out).toEqual([]);
  return outline.items.find(({ description }) => description === 'Fence');
}

describe.each([
  ['a heading', '### Non-goals\n\n- A wall\n\n'],
  ['a label', '**Non-goals:**\n\n- A wall\n\n'],
  ['a heading of criteria', '### Acceptance criteria\n\n- No gaps\n\n'],
  ['a heading with parts', '### Definition of done\n\n#### For wood\n\n- No gaps\n\n'],
])('below %s', (_, above) => {
  test.each(['Tasks:', '**Tasks**', '**To do:**', 'Next steps:', '#### Tasks', 'Tasks', 'Aufgaben:'])(
    'work begins again with “%s”',
    (label) => {
      const doc = `# Farm\n\n## Fence\n\n${above}${label}\n\n${WORK}${END}`;
      expect(read(doc).leaves).toEqual(['Mill the posts', 'Dig the holes', 'Hang it']);
    },
  );
});

test('a line that says itself what is no goal is no label of the list below it', () => {
  const fence = fenceOf(`Non-goals: walls\n\n${WORK}`);
  expect(fence).toMatchObject({ outOfScope: ['Non-goals: walls'], children: [{}, {}] });
});

test('a label in the last line of a paragraph is the label of the list below it, and what stands before is kept', () => {
  const fence = fenceOf(`Out of scope: a wall, a ditch.\nTasks:\n${WORK}`);
  expect(fence).toMatchObject({ children: [{}, {}] });
  expect(fence?.outOfScope).toBeUndefined();
  expect(fence?.detail).toContain('a wall, a ditch');
  expect(fenceOf(`Ann asks for it.\nOut of scope:\n- A wall\n\n**Tasks:**\n\n${WORK}`)).toMatchObject({
    outOfScope: ['A wall'],
    children: [{}, {}],
  });
});

test('a label in the last line of an item is no part of what the item says, and ends what stands above it', () => {
  expect(fenceOf('- Posts\n  Acceptance criteria:\n  - straight\n- Rails')?.children).toMatchObject([
    { description: 'Posts', acceptance: ['straight'] },
    { description: 'Rails' },
  ]);
  const doc = `### Acceptance criteria\n\n- No gaps\nTasks:\n${WORK}`;
  expect(fenceOf(doc)).toMatchObject({ acceptance: ['No gaps'], children: [{ children: [{}, {}] }] });
});

test('labels line by line, without empty lines between, head the lists below them', () => {
  const text =
    '**Goal**: A fence\n**Depends on**: Nothing\n**Success Criteria** (what must be TRUE):\n  1. No gaps\n  2. It stands\n**Plans**:\n- [ ] Mill the posts\n- [ ] Dig the holes';
  const fence = fenceOf(text);
  expect(fence?.acceptance).toEqual(['No gaps', 'It stands']);
  expect(fence?.detail).toContain('**Goal**: A fence');
  expect(fence).toMatchObject({ children: [{ children: [{ isTask: true }, { isTask: true }] }] });
});

test('facts in bold right below the last item of criteria are no part of it, and end them', () => {
  for (const [first, second, next] of [
    ['1.', '2.', ''],
    ['1.', '2.', 'Plans:\n\n'],
    ['-', '-', ''],
  ]) {
    const fence = fenceOf(
      `**Success Criteria**:\n${first} No gaps\n${second} It stands\n**Plans**: 2\n**Ann:** yes\n\n${next}${WORK}`,
    );
    expect(fence?.acceptance).toEqual(['No gaps', 'It stands']);
    expect(fence?.detail).toContain('**Plans**: 2\n**Ann:** yes');
    expect(fence?.children).toHaveLength(2);
  }
});

test('a remark in bold below an item between others stays with it', () => {
  const fence = fenceOf('- Posts\n**Note:** oak\n- Rails');
  expect(fence?.children[0]?.description).toBe('Posts Note: oak');
});

test('a paragraph that goes on in a line of two words is no label', () => {
  const text = `The farmer has\nopen questions\n${WORK}`;
  expect(fenceOf(text)?.children).toHaveLength(2);
});

test('what is out of scope is kept where it stands behind the word itself', () => {
  expect(
    fenceOf('### Out of scope: a wall\n\n### Non-goals: a ditch\n\n- A moat\n\n### Rails\n\n- Nail them'),
  ).toMatchObject({ outOfScope: ['Out of scope: a wall', 'Non-goals: a ditch', 'A moat'] });
  expect(fenceOf('- Mill the posts\n- Out of scope: a wall')).toMatchObject({
    outOfScope: ['Out of scope: a wall'],
    children: [{ description: 'Mill the posts' }],
  });
});

test('boxes that are criteria stay with the goal that they stand below', () => {
  const doc = `# Farm\n\n## Fence\n\n### Acceptance criteria\n\n- [ ] No gaps\n- [ ] It stands${END}`;
  const { outline } = readDocument(doc, 'DOC.md');
  expect(outline.acceptance).toBeUndefined();
  expect(outline.items[0]).toMatchObject({ description: 'Fence', acceptance: ['No gaps', 'It stands'] });
});

test('an item that names work by its kind alone has it below', () => {
  expect(fenceOf('- Tasks:\n  - posts\n  - holes')).toMatchObject({ children: [{ children: [{}, {}] }] });
});
