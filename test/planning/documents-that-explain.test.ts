import { expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { isStatement, proseTells } from '../../src/planning/documents/statements.js';
import { readLeaves } from '../support/document-leaves.js';

const told = '## Tasks\n\n- Mill the posts\n- Hang the gate\n\n';

test.each([
  'The server returns a clean address',
  'Expired boxes are never served',
  'Honey from one hive stays together',
  'A keeper can weigh a hive without opening it',
  'Every jar carries the name of its meadow',
])('“%s” states something', (text) => {
  expect(isStatement(text)).toBe(true);
});

test.each([
  'Weigh each hive',
  'Search results page',
  'Test reports for the board',
  'As a keeper, I can see my hives',
  'Hive scales',
  'Keep the jars that are full',
])('“%s” states nothing', (text) => {
  expect(isStatement(text)).toBe(false);
});

test('a section of prose is no work where a document tells elsewhere what to do, unless its prose tells too', () => {
  const doc = readLeaves(
    `# Orchard\n\n## The old wall\n\nIt has stood for a century.\n\n## Ladders\n\nThey must be checked each spring.\n\n${told}`,
  );
  expect(doc.leaves).toEqual(['Ladders', 'Mill the posts', 'Hang the gate']);
  expect(doc.detail).toContain('It has stood for a century.');
});

test('a section of prose is work where nothing else tells what to do', () => {
  const { leaves } = readLeaves('# Orchard\n\n## Ladders\n\nTen of ash.\n\n## Baskets\n\nWillow.\n');
  expect(leaves).toEqual(['Ladders', 'Baskets']);
});

test('numbered steps of who does what are the detail of what they tell of, not goals', () => {
  const doc = readLeaves(
    `# Orchard\n\n## Weighing\n\n1. The picker puts the basket on the scale.\n2. The scale prints a label.\n3. The picker sticks it on.\n\n${told}`,
  );
  expect(doc.leaves).toEqual(['Weighing', 'Mill the posts', 'Hang the gate']);
  expect(doc.detail).toContain('2. The scale prints a label.');
});

test('numbered steps that somebody is told to take are goals, one after the other', () => {
  const { outline } = readDocument(
    '# Orchard\n\n## Weighing\n\n1. Buy a scale\n2. Test the scale\n3. Print labels\n',
    'A.md',
  );
  expect(outline.items[0]?.children.map(({ after }) => after)).toEqual([[], [0], [1]]);
});

test('numbers of statements count them and put nothing in order', () => {
  const { outline } = readDocument(
    '# Rules\n\n1. A basket holds at most ten kilos.\n2. A tree can be picked twice.\n3. The gate must be shut at night.\n',
    'A.md',
  );
  expect(outline.items.map(({ after }) => after)).toEqual([[], [], []]);
});

test('statements below a heading that tells what to do are its criteria', () => {
  const { outline } = readDocument(
    '# Orchard\n\n## Make the gate safe\n\n- A child cannot open it.\n- It closes by itself.\n\n## Hinges\n\n- Buy two\n- Grease them\n',
    'A.md',
  );
  expect(
    outline.items.map(({ description, acceptance = [], children }) => [
      description,
      acceptance.length,
      children.length,
    ]),
  ).toEqual([
    ['Make the gate safe', 2, 0],
    ['Hinges', 0, 2],
  ]);
});

test('what somebody must or can do below a heading that only names is work, and so is what has a number of its own', () => {
  const { leaves } = readLeaves(
    '# Orchard\n\n## Requirements\n\n### Gate\n\n- A child can open it.\n- It must close by itself.\n\n### Scale\n\n- FR-SCALE-01: The scale prints a label.\n- FR-SCALE-02: The label shows the weight.\n',
  );
  expect(leaves).toHaveLength(4);
});

test('what an item speaks of before a colon belongs to it', () => {
  const doc = readLeaves(
    '# Orchard\n\n- Write labels for:\n  - early pears\n  - late pears\n- Build two presses:\n  - Saw the beams\n  - Cut the thread\n',
  );
  expect(doc.leaves).toEqual(['Write labels for:', 'Saw the beams', 'Cut the thread']);
  expect(doc.detail).toContain('late pears');
});

test('boxes stay goals whatever they say', () => {
  const { leaves } = readLeaves(
    `# Orchard\n\n## Weighing\n\n1. [ ] The scale prints a label.\n2. [ ] The picker sticks it on.\n3. [ ] The clerk notes it.\n\n${told}`,
  );
  expect(leaves).toHaveLength(5);
});

test('what a name of code is, an option or a file, is reference beside work', () => {
  const list = '## Files\n\n- `scale.c` — reads the cell\n- `label.c`: prints\n\n';
  expect(readLeaves(`# Orchard\n\n${list}${told}`).leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(readLeaves(`# Orchard\n\n${list}`).leaves).toHaveLength(2);
});

test('a table that compares products is no list of goals', () => {
  const table = (rows: string) => `# Orchard\n\n## Presses\n\n${rows}\n\n${told}`;
  const compared = '| Feature | Ours | Theirs |\n| - | - | - |\n| Juice | ✅ | ❌ |\n| Cider | ✅ | ✅ |';
  expect(readLeaves(table(compared)).leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(
    readLeaves(table('| Feature | Status |\n| - | - |\n| Juice | ✅ |\n| Cider | ❌ |')).leaves,
  ).toContain('Juice');
  expect(readLeaves(table('| Key | Action |\n| - | - |\n| Esc | Close the lid |')).leaves).not.toContain(
    'Close the lid',
  );
});

test('signs behind items tell what is done, and a remark behind them stays', () => {
  const { outline } = readDocument(
    '# Orchard\n\n- Press juice ✅\n- Boil it ✅\n- Fill bottles ⚠️ (half of them)\n- Stick labels\n',
    'A.md',
  );
  expect(outline.items.map(({ description, complete }) => [description, complete])).toEqual([
    ['Press juice', true],
    ['Boil it', true],
    ['Fill bottles (half of them)', false],
    ['Stick labels', false],
  ]);
});

test('findings of a review are goals by what is recommended, not by where and why', () => {
  const { leaves } = readLeaves(
    '# Press review summary\n\n## Findings\n\n### The screw wears\n\n- Where:\n  - The middle beam\n- Evidence:\n  - Filings\n- Recommendation:\n  - Harden the screw\n  - Grease it monthly\n',
  );
  expect(leaves).toEqual(['Harden the screw', 'Grease it monthly']);
});

test.each(['Launch criteria (v1)', 'Validation checkpoint 2', 'Acceptance summary', 'DoD checklist'])(
  '“%s” says how one can tell',
  (heading) => {
    const doc = readLeaves(`# Orchard\n\n${told}## ${heading}\n\n- [ ] Juice runs\n- [ ] The lid shuts\n`);
    expect(doc).toMatchObject({
      leaves: ['Mill the posts', 'Hang the gate'],
      acceptance: ['Juice runs', 'The lid shuts'],
    });
  },
);

test('a heading that claims something in a vision, or asks how, explains', () => {
  const { leaves } = readLeaves(
    `# Vision\n\n## Wasps make this urgent\n\n- Loud\n- Many\n\n## How to read a scale\n\n1. Look at it\n\n## What we will build\n\n- Build a press\n\n${told}`,
  );
  expect(leaves).toEqual(['Build a press', 'Mill the posts', 'Hang the gate']);
});

test('what a plan draws a line around is no second plan', () => {
  const plan = ['Saw', 'Plane', 'Join', 'Sand', 'Oil', 'Hang'].map((verb) => `- ${verb} the gate`).join('\n');
  const doc = readLeaves(`# Gate\n\n## Scope\n\n### In scope\n\n- one gate of oak\n\n## Plan\n\n${plan}\n`);
  expect(doc.leaves).toHaveLength(6);
  expect(doc.detail).toContain('one gate of oak');
});

test('a phase follows the one before whatever days stand behind its name', () => {
  const { outline } = readDocument(
    '# Gate\n\n## Phase 1: Saw (Days 1-2)\n\nOak.\n\n## Phase 2: Hang (Day 3)\n\nHinges.\n',
    'A.md',
  );
  expect(outline.items.map(({ after }) => after)).toEqual([[], [0]]);
});

test('single tildes stay, for they mark ranges', () => {
  const { outline } = readDocument('# Gate\n\n- Dry the oak 1~3 days, then 4~6 weeks\n', 'A.md');
  expect(outline.items[0]?.description).toBe('Dry the oak 1~3 days, then 4~6 weeks');
});

test('a row that is a goal is read, with the columns that are its detail, and so is a heading that names its kind', () => {
  const text =
    '# Gate\n\n## Features\n\n| ID | Feature | Module | Description |\n| - | - | - | - |\n| F1 | Latch | Iron | Shuts by itself |\n\n#### Epic: Hinges\n\n- Grease them\n';
  expect(accountForOutline(text, readDocument(text, 'A.md').outline, 'A.md').left_out).toEqual([]);
});

test.each([
  ['**Done** (day 10)', true],
  ['Resolved', true],
  ['Implemented in 1.4', true],
  ['Done, but not tested', false],
  ['Not done', false],
  ['Complete (50%)', false],
  ['Complete: 0 of 5', false],
  ['Done when tests pass', false],
  ['Implemented (partly)', false],
  ['Merged, to be deployed', false],
  ['Doing', false],
])('a row of which the status is “%s” is done: %s', (status, isDone) => {
  const { outline } = readDocument(
    `# Gate\n\n| Task | Status |\n| - | - |\n| Oil it | ${status} |\n`,
    'A.md',
  );
  expect(outline.items[0]?.complete).toBe(isDone);
});

test('reports of several faults are a goal each, and their steps are no work', () => {
  const report = (name: string) =>
    `## ${name}\n\nSteps to reproduce:\n\n1. Open the lid\n2. Turn the screw\n3. Close the lid\n\n**Expected result:**\n\n- Juice runs\n\n`;
  const { outline } = readDocument(
    `# Faults\n\n${report('The screw sticks')}${report('Juice leaks')}`,
    'A.md',
  );
  expect(
    outline.items.map(({ description, acceptance, children }) => [description, acceptance, children.length]),
  ).toEqual([
    ['The screw sticks', ['Juice runs'], 0],
    ['Juice leaks', ['Juice runs'], 0],
  ]);
});

test.each([
  ['Установка', 'Использование'],
  ['설치', '사용법'],
  ['Installation', 'Nutzung'],
])('a document with “%s” and “%s” tells of a product that is there', (install, use) => {
  const doc = readLeaves(
    `# Presse\n\n## Architecture\n\n- screw\n- beam\n\n## ${install}\n\n- Take it\n\n## ${use}\n\n- Turn it\n\n## TODO\n\n- Grease the screw\n`,
  );
  expect(doc.leaves).toEqual(['Grease the screw']);
});

test('what a part does is work where it tells what to do', () => {
  const { leaves } = readLeaves(
    `# Gate\n\n## What the latch does\n\n- Hold the bolt\n- Release the bolt\n\n${told}`,
  );
  expect(leaves).toHaveLength(4);
});

test.each([
  ['## Latch (done)', true],
  ['## Latch (implemented in v1.2)', true],
  ['## Latch (implemented S0–S2)', true],
  ['## Implemented requirements', true],
  ['## Verified working ✅', true],
  ['## Latch (done by Friday)', false],
  ['## Latch (completed by end of Q3)', false],
  ['## Latch (implemented partially)', false],
])('what stands below “%s” is done: %s', (heading, isDone) => {
  const { outline } = readDocument(`# Gate\n\n${heading}\n\n- Shut it\n`, 'A.md');
  expect(outline.items[0]?.complete).toBe(isDone);
});

test.each([
  '| Task | Owner | Due |\n| - | - | - |\n| Saw | - | - |\n| Plane | - | n/a |',
  '| Task | Done | Tested |\n| - | - | - |\n| Saw | yes | no |\n| Plane | no | no |',
  '| Feature | Backend | Frontend |\n| - | - | - |\n| Latch | ✅ | ❌ |\n| Hinge | ❌ | ❌ |',
])('a table that says how far each row is compares nothing', (table) => {
  expect(readLeaves(`# Gate\n\n${table}\n`).leaves).toHaveLength(2);
});

test.each([
  'Filter gates by release criteria',
  'Add the acceptance checklist',
  'Archive goals',
  'Deferred jobs',
  'Send delivery notes',
  'Import contacts',
])('“%s” is work, whatever its last word is', (heading) => {
  const { leaves } = readLeaves(`# Gate\n\n## ${heading}\n\n- Add the button\n- Store it\n\n${told}`);
  expect(leaves).toHaveLength(4);
});

test('signs in front are read where others stand behind', () => {
  const { outline } = readDocument('# Gate\n\n- ✅ Saw\n- ⏳ Plane\n- Join ✅\n- Sand ✅\n', 'A.md');
  expect(outline.items.map(({ description, complete }) => [description, complete])).toEqual([
    ['Saw', true],
    ['Plane', false],
    ['Join', true],
    ['Sand', true],
  ]);
});

test('what code says is no prose, whatever its fences are', () => {
  expect(proseTells('````\n```\nYou must do it\n````')).toBe(false);
  expect(proseTells('```inline``` is code.\nYou must do it.')).toBe(true);
  expect(proseTells('It is old.\n\n| You must | do it |\n> You must do it')).toBe(false);
});

test('what speaks for an option and against it is no work, nor is the option', () => {
  const doc = readLeaves(
    `# Gate\n\n## Option B: Iron\n\n### Pros\n\n- Lasts long\n\n### Cons\n\n- Costs more\n\n${told}`,
  );
  expect(doc.leaves).toEqual(['Mill the posts', 'Hang the gate']);
});

test('features of a release are work also where they are told in prose', () => {
  const doc = readLeaves(
    '# Gate\n\n## Feature requirements — V1\n\n### Feature 1: Latch\n\nOf iron.\n\n### Feature 2: Hinge\n\n- Buy two\n- Grease them\n\n## Tasks\n\n- Saw\n',
  );
  expect(doc.leaves).toEqual(['Latch', 'Buy two', 'Grease them', 'Saw']);
});

test('names with underscores stay whole in what prose demands', () => {
  const { leaves } = readLeaves(
    '# Gate\n\n## Requirements\n\nThe flag `--latch_side` must be _given_ twice.\n',
  );
  expect(leaves).toEqual(['The flag --latch_side must be given twice']);
});

test('numbered stories and action items do not wait for each other', () => {
  const read = (heading: string, items: string) =>
    readDocument(`# Gate\n\n## ${heading}\n\n${items}`, 'A.md').outline.items.flatMap(
      ({ children, after = [] }) => [after, ...children.map((child) => child.after ?? [])],
    );
  expect(
    read('Geschichten', '1. Als Gast möchte ich läuten\n2. Als Wirt möchte ich öffnen\n').flat(),
  ).toEqual([]);
  expect(read('Action items', '1. Oil the hinge\n2. Paint the post\n').flat()).toEqual([]);
});
