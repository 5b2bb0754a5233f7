import { describe, expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import * as names from '../../src/planning/documents/kinds/section-names.js';
import { readLeaves as read } from '../support/document-leaves.js';

const BOXES = '- [ ] Shear the ewe\n- [] Trim the hooves\n';
const PLAN =
  '## Phase 1\n\n- Mill the posts\n- Hang the gate\n- Paint the barn\n- Dig a well\n- Lay pipe\n- Set the trough\n';

/** Every heading that the reader knows, but those of what is to hold or not to be done. */
const HEADINGS = [names.CONTEXT, names.CONTAINER, names.AIMS, names.WEAK, names.README]
  .flatMap((list) => list.split(/[|\n]/))
  .map((name) => name.trim())
  .filter(
    (name) =>
      name !== '' &&
      !/^(?:expected (?:result|behaviou?r)|removed requirement)$/.test(name) &&
      name !== 'example',
  );

function leavesOf(items: readonly DocumentItem[]): readonly string[] {
  return items.flatMap((item) => (item.children.length === 0 ? [item.description] : leavesOf(item.children)));
}

describe('a box is a goal, whatever it stands under', () => {
  test.each([
    [
      'a heading',
      (name: string) => `# Farm\n\n## ${name}\n\nText.\n\n${BOXES}\n## Tasks\n\n- Hang the gate\n`,
    ],
    ['a heading beside a plan', (name: string) => `# Farm\n\n## ${name}\n\nText.\n\n${BOXES}\n${PLAN}`],
    [
      'an item',
      (name: string) =>
        `# Farm\n\n## Sheep\n\n- Breed: Dorset\n- ${name}:\n${BOXES.replace(/^/gm, '  ')}\n- Count them\n`,
    ],
    [
      'a line in bold',
      (name: string) => `# Farm\n\n## Sheep\n\n**${name}:**\n${BOXES}\n**Others:**\n\n- Hang the gate\n`,
    ],
  ])('%s', (_, documentOf) => {
    const lost = HEADINGS.filter((name) => {
      const leaves = leavesOf(readDocument(documentOf(name), 'plan.md', {}).outline.items);
      return !leaves.includes('Shear the ewe') || !leaves.includes('Trim the hooves');
    });
    expect(lost).toEqual([]);
  });
});

test.each(['[]', '[ x]', '[X ]', '[~]', '[-]', '[>]', '[/]'])('%s is a box', (box) => {
  const { outline } = readDocument(`# Farm\n\n- [x] Sheep\n  - [x] Count\n  - ${box} Shear\n`, 'plan.md', {});
  const isDone = /x/i.test(box);
  expect(outline.items[0]).toMatchObject({ complete: isDone });
  expect(outline.items[0]?.children[1]).toMatchObject({
    description: 'Shear',
    complete: isDone,
    isTask: true,
  });
});

test('a box that is shown, or of a link, is none', () => {
  expect(read('# Farm\n\n- `[~]` is sheared\n- [Ewe](https://a.example/e) shed\n').leaves).toEqual([
    '[~] is sheared',
    'Ewe shed',
  ]);
});

test('what a heading says to be fixed is done, and its words have an owner', () => {
  const doc =
    '# Farm\n\n## Gate sags — FIXED\n\nWas low.\n\n## Well is dry (already resolved)\n\nWas.\n\n## Roof\n\n- Mend the roof\n';
  const { outline } = readDocument(doc, 'plan.md', {});
  expect(outline.items.map(({ description, complete }) => [description, complete])).toEqual([
    ['Gate sags', true],
    ['Well is dry', true],
    ['Roof', false],
  ]);
  expect(accountForOutline(doc, outline, 'plan.md').left_out).toEqual([]);
});

test('a table under “Why …” compares, and what is not built is out of scope', () => {
  const doc =
    "# Farm\n\n## Why us?\n\n| Feature | Barn | Ours |\n| --- | --- | --- |\n| Doors | one | two |\n| Roof | straw | tin |\n\n## What we're NOT building\n\n- A dairy\n\n## Tasks\n\n- Hang the gate\n";
  const { outline } = readDocument(doc, 'plan.md', {});
  expect(leavesOf(outline.items)).toEqual(['Hang the gate']);
  expect(outline.outOfScope).toEqual(['A dairy']);
});

test('a list that says in part what something does describes its heading', () => {
  const doc =
    '# Farm\n\n## Features\n\n### Gate\n\n- Heavy oak with two hinges\n- Keeps the flock in\n- Up to 90 sheep an hour\n';
  expect(read(doc).leaves).toEqual(['Gate']);
});

test.each([
  '- Oak posts\n- Keeps the flock in\n- Add a latch\n',
  '- Oak posts\n- Oak door\n- Keeps the flock in\n- Users can open it\n',
  '- Oak posts\n- Two hinges\n- A latch\n',
  '- [ ] Oak posts\n- [ ] Keeps the flock in\n',
])('but a list that tells what to do stays: %j', (list) => {
  expect(read(`# Farm\n\n## Features\n\n### Gate\n\n${list}`).leaves.length).toBeGreaterThan(1);
});

test('what happens now, and what a part is for, is no work', () => {
  const doc =
    '# Farm\n\n## Gate\n\nCurrent flow:\n\n1. Open the gate\n2. Count the sheep\n\nPlanned additions:\n\n- Add a scale\n- Add a bell\n\n## Well\n\n- **Goal**: More water\n- Dig deeper\n';
  expect(read(doc).leaves).toEqual(['Add a scale', 'Add a bell', 'Dig deeper']);
  expect(
    read('# Farm\n\n## Gate\n\nCurrent tasks:\n\n- Open the gate\n- Count the sheep\n').leaves,
  ).toHaveLength(2);
});
