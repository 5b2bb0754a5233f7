import { expect, test } from 'vitest';

import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';

const SHED = '## Build the shed\n\n- Pour the floor\n- Nail the roof\n\n';
const WELL = '## Dig the well\n\n- Rent a drill\n- Lay pipe\n';
const SECTIONS = SHED + WELL;
const PARTS = ['Pour the floor', 'Nail the roof', 'Rent a drill', 'Lay pipe'];

function itemsOf(text: string): readonly DocumentItem[] {
  const doc = `# Farm\n\n${text}`;
  const { outline } = readDocument(doc, 'DOC.md');
  expect(accountForOutline(doc, outline, 'DOC.md').left_out).toEqual([]);
  return outline.items;
}

const leavesOf = (items: readonly DocumentItem[]): readonly string[] =>
  items.flatMap((item) => (item.children.length === 0 ? [item.description] : leavesOf(item.children)));

const named = (items: readonly DocumentItem[], name: string): DocumentItem | undefined =>
  items.flatMap((item) => [item, ...item.children]).find(({ description }) => description === name);

const NUMBERED = SECTIONS.replace('## Build', '## 1. Build').replace('## Dig', '## 2. Dig');

test.each([
  ['a list', `## Tasks\n\n- Build the shed\n- Dig the well\n\n${SECTIONS}`],
  ['boxes', `## Roadmap\n\n- [ ] Build the shed\n- [ ] Dig the well\n\n${SECTIONS}`],
  ['a numbered list', `## Overview\n\n1. Build the shed\n2. Dig the well\n\n${SECTIONS}`],
  ['boxes before the first section', `- [ ] Build the shed\n- [ ] Dig the well\n\n${SECTIONS}`],
  ['a list below a label', `Tasks:\n\n- Build the shed\n- Dig the well\n\n${SECTIONS}`],
  [
    'a table',
    `| # | Task | Status |\n|---|---|---|\n| 1 | Build the shed | open |\n| 2 | Dig the well | open |\n\n${NUMBERED}`,
  ],
  [
    'a checklist',
    `## Checklist\n\n- [ ] Build the shed\n- [ ] Dig the well\n\n## Details\n\n${SECTIONS.replaceAll('## ', '### ')}`,
  ],
  [
    'a list with remarks',
    `## Summary of work\n\n- **Build the shed** - for Ann\n- Dig the well: a deep one (2 days)\n\n${SECTIONS}`,
  ],
  [
    'sections that are counted',
    `## Milestones\n\n- Build the shed\n- Dig the well\n\n${SECTIONS.replace('## ', '## Part A: ').replace('## Dig', '## Part B – Dig')}`,
  ],
  ['another language', `## Aufgaben\n\n- Build the shed\n- Dig the well\n\n${SECTIONS}`],
])('an overview and the sections that it names are one goal each: %s', (_, text) => {
  const items = itemsOf(text);
  expect(leavesOf(items)).toEqual(PARTS);
});

const PHASES = '## Phase 1: Shed\n\n- [ ] Nail the roof\n\n## Phase 2: Well\n\n- [ ] Lay pipe\n';

test('phases that a list names are told once, also where it names but one', () => {
  for (const list of ['- [ ] Phase 1: Shed\n- [ ] **Phase 2: Well** - deep', '- [ ] Phase 2: Well'])
    expect(leavesOf(itemsOf(`## Roadmap\n\n${list}\n\n${PHASES}`))).toEqual(['Nail the roof', 'Lay pipe']);
  const other = `## Roadmap\n\n- [ ] Phase 2: Shed\n- [ ] Phase 1: Well\n\n${PHASES}`;
  expect(leavesOf(itemsOf(other))).toHaveLength(4);
});

test('what an overview says besides is kept, and what no section tells stays in it', () => {
  const items = itemsOf(
    `## Plan\n\n- Build the shed: red, for Ann\n- Dig the well\n- Hold a feast\n\n${SECTIONS}`,
  );
  expect(leavesOf(items)).toEqual(['Hold a feast', ...PARTS]);
  expect(named(items, 'Build the shed')?.detail).toContain('red, for Ann');
});

test('an overview may name the parts of sections too, and parts that they do not tell', () => {
  const list =
    '- [x] Build the shed\n  - [x] Pour the floor\n  - [x] Buy paint\n- [ ] Dig the well\n  1. Ask Ben\n  2. Ask Cy\n\n';
  const items = itemsOf(`## Roadmap\n\n${list}${SECTIONS}`);
  expect(leavesOf(items)).toEqual([
    'Pour the floor',
    'Nail the roof',
    'Buy paint',
    'Rent a drill',
    'Lay pipe',
    'Ask Ben',
    'Ask Cy',
  ]);
  expect(items[0]).toMatchObject({ description: 'Build the shed', complete: true });
  expect(items[1]?.children.map(({ after }) => after)).toEqual([[], [], [], [2]]);
  const ordered = list.replace('Ask Ben', 'Lay pipe');
  expect(leavesOf(itemsOf(`## Roadmap\n\n${ordered}${SECTIONS}`))).toContain('Ask Cy');
  expect(itemsOf(`## Roadmap\n\n${ordered}${SECTIONS}`)).toHaveLength(3);
});

test('a tick of an overview counts where nothing open stands below it', () => {
  const list = '## Roadmap\n\n- [x] Build the shed\n- [x] Dig the well\n\n';
  const items = itemsOf(`${list}${SHED}${WELL.replace('- Lay', '- [ ] Lay')}`);
  expect(named(items, 'Build the shed')).toMatchObject({
    complete: true,
    children: [{ complete: true }, {}],
  });
  const well = named(items, 'Dig the well');
  expect(well).toMatchObject({ complete: false, children: [{ complete: true }, { complete: false }] });
  expect(well?.detail).toContain('Ticked off in the document');
});

test('what one overview ticks and another does not is open', () => {
  const list = '- [x] Build the shed\n- [x] Dig the well\n\n';
  const items = itemsOf(
    `## Roadmap\n\n${list}## Progress\n\n${list.replace('[x] Dig', '[ ] Dig')}${SECTIONS}`,
  );
  expect(items.map(({ description, complete }) => [description, complete])).toEqual([
    ['Build the shed', true],
    ['Dig the well', false],
  ]);
});

test('an open box beside a section that is done stays: one of the two is wrong', () => {
  const done = SECTIONS.replaceAll('\n- ', '\n- [x] ');
  const items = itemsOf(`## Roadmap\n\n- [ ] Build the shed\n- [x] Dig the well\n\n${done}`);
  expect(named(items.slice(0, 1), 'Build the shed')).toMatchObject({ complete: false });
});

test('the numbers of an overview put its sections in order, and what is left of it too', () => {
  const items = itemsOf(`## Overview\n\n1. Dig the well\n2. Build the shed\n3. Hold a feast\n\n${SECTIONS}`);
  expect(items.map(({ description, after }) => [description, after])).toEqual([
    ['Overview', [1]],
    ['Build the shed', [2]],
    ['Dig the well', []],
  ]);
});

test('an overview stays as it is where its numbers would be lost', () => {
  const apart = `## Wood\n\n#${SHED}## Water\n\n#${WELL}`.replace('Dig', 'Build');
  const items = itemsOf(`## Overview\n\n1. Build the shed\n2. Build the well\n\n${apart}`);
  expect(items[0]?.children.map(({ after }) => after)).toEqual([[], [0]]);
  const between = itemsOf(
    `## Overview\n\n1. Paint it\n2. Build the shed\n3. Hold a feast\n4. Dig the well\n\n${SECTIONS}`,
  );
  expect(between[0]?.children).toHaveLength(4);
});

test.each([
  ['tests of it', '## Testing checklist\n\n- Build the shed\n- Dig the well\n\n', SECTIONS],
  ['another deed', '## Design tasks\n\n- Build the shed\n- Dig the well\n\n', SECTIONS],
  ['a part of the work', '## For Ben\n\n- Build the shed\n- Dig the well\n\n', SECTIONS],
  ['another one', '## Tasks\n\n- Build the shed (v2)\n- Dig the well: not the deep one\n\n', SECTIONS],
  [
    'two sections',
    '## Tasks\n\n- Build the shed\n- Dig the well\n\n',
    `## North\n\n#${SHED}#${WELL}\n## South\n\n#${SHED}#${WELL}`,
  ],
  ['one of many', '## Tasks\n\n- Build the shed\n- Mend the gate\n\n', SECTIONS],
  ['two of one name', '## Tasks\n\n- Build the shed: for Ann\n- Build the shed: for Ben\n\n', SECTIONS],
])('what names a section and is not it stays beside it: %s', (_, list, sections) => {
  const alone = leavesOf(itemsOf(sections)).length;
  expect(leavesOf(itemsOf(list + sections))).toHaveLength(alone + 2);
});

const FARM =
  '## Login\n\nLet in.\n\n## Search\n\nBuild the index.\n\n## Basket\n\n- Add item\n- Remove item\n';

test.each([
  [
    'a table of tasks',
    '## Tasks\n\n| # | Task | Status |\n|-|-|-|\n| 1 | Login | done |\n| 2 | Search | blocked |\n| 3 | Basket | open |\n',
  ],
  [
    'a table of sections below a heading that is context',
    '## Overview\n\n| Section | Owner | Status |\n|-|-|-|\n| Login | Ann | ✅ Done |\n| Search | Bob | blocked |\n| Basket | Cy | todo |\n',
  ],
  [
    'a table without a heading',
    '| Part | Goal | Status |\n|-|-|-|\n| 1 | Login | ✅ |\n| 2 | Search | blocked |\n| 3 | Basket | 🚧 In progress |\n',
  ],
  ['a list', '## Overview\n\n- [x] Login\n- [ ] Search (blocked)\n- [ ] Basket\n'],
])('what an overview says of a section holds for it, and the rest of it for nothing: %s', (_, overview) => {
  const items = itemsOf(`${overview}\n${FARM}`);
  expect(items.map(({ description }) => description)).toEqual(['Login', 'Search', 'Basket']);
  expect(items.map(({ complete, onHold = null }) => [complete, onHold])).toEqual([
    [true, null],
    [false, 'blocked'],
    [false, null],
  ]);
  expect(named(items, 'Login')?.detail ?? '').not.toMatch(/Basket|Tasks|Overview/);
});

test('boxes of an overview that are cancelled or moved hold their sections', () => {
  const items = itemsOf(`## Task list\n\n- [x] Login\n- [>] Search\n- [-] Basket\n\n${FARM}`);
  expect(items.map(({ onHold }) => onHold)).toEqual([undefined, '[>] moved', '[-] cancelled']);
});

test('a section of which an overview says that it will not be done is not planned', () => {
  const table =
    '| # | Feature | Status | Depends on |\n|-|-|-|-|\n| 1 | Login | done | |\n| 2 | Search | open | 1 |\n| 3 | Basket | cancelled | 2 |\n';
  for (const heading of ['Tasks', 'Overview']) {
    const doc = `# Farm\n\n## ${heading}\n\n${table}\n${FARM}`;
    const { outline } = readDocument(doc, 'DOC.md');
    expect(outline.items.map(({ description }) => description)).toEqual(['Login', 'Search']);
    expect(outline.outOfScope).toEqual(['Basket', 'Add item', 'Remove item']);
    expect(outline.items[0]).not.toHaveProperty('outOfScope');
    expect(outline.items[1]?.detail).toContain('Depends on: 1');
    expect(accountForOutline(doc, outline, 'DOC.md').left_out).toEqual([]);
  }
});

test('a section is the one of an overview whatever stands behind its name', () => {
  const items = itemsOf(
    '## Milestones\n\n- [x] M1: Login\n- [ ] M2: Basket\n\n## M1: Login\n\n- form\n\n## M2: Basket (deferred)\n\n- [ ] add\n',
  );
  expect(items.map(({ description, onHold = null }) => [description, onHold])).toEqual([
    ['M1: Login', null],
    ['M2: Basket (deferred)', 'deferred'],
  ]);
});
