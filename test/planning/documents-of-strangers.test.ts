import { expect, test } from 'vitest';

import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves } from '../support/document-leaves.js';

const leftOut = (text: string) =>
  accountForOutline(text, readDocument(text, 'DOC.md').outline, 'DOC.md').left_out;

function openLeaves(items: readonly DocumentItem[]): readonly string[] {
  return items.flatMap(({ description, children, complete }) =>
    children.length > 0 ? openLeaves(children) : complete ? [] : [description],
  );
}

const open = (text: string) => openLeaves(readDocument(text, 'DOC.md').outline.items);

test('boxes written as code are boxes where a list has several of a kind, and a legend where each is another', () => {
  const text =
    '# Orchard\n\n- `[x]` Done\n- `[ ]` Not started\n\n## Tasks\n\n- `[x]` Mill the posts\n- `[x]` Saw the beams\n- `[~]` Hang the gate\n';
  expect(open(text)).toEqual(['Hang the gate']);
  expect(leftOut(text)).toEqual([]);
});

test('a heading that says behind a dash what of it is done is done, and keeps its words', () => {
  const text =
    '# Orchard\n\n## Rings (DONE — oak and ash)\n\n- Oak rings\n- Ash rings\n\n## Lids (done: partly)\n\n- Oak lids\n\n## Jars (done)\n\n- Oak jars\n';
  expect(open(text)).toEqual(['Oak lids']);
  expect(leftOut(text)).toEqual([]);
});

test('“Planned:” right below an item heads the items that follow, and what stands under “Current:” is there', () => {
  const text =
    '# Orchard\n\n## Gates\n\nCurrent:\n- Oak gate => shut by hand\n- Ash gate\nPlanned:\n- Latch of brass\n- Bell\n\n## Jars\n\n- Lids of tin\nOut of scope:\n- Lids of gold\n- Lids of glass\n';
  const { leaves, detail } = readLeaves(text);
  expect(leaves).toEqual(['Latch of brass', 'Bell', 'Lids of tin']);
  expect(detail).toContain('Ash gate');
  expect(JSON.stringify(readDocument(text, 'DOC.md').outline)).toContain('"outOfScope":["Lids of gold"');
  expect(leftOut(text)).toEqual([]);
});

test.each([
  ['Achieved', ''],
  ['N/A', ''],
  ['Won’t do', ''],
  ['Not planned', ''],
  ['Partial', 'Oak gate shuts by itself'],
  ['Pending', 'Oak gate shuts by itself'],
])('a row of keys with the status %s is read for itself', (status, left) => {
  const text = `# Orchard\n\n## Non-functional requirements\n\n| NFR | Description | Status |\n|---|---|---|\n| NFR-01 | Oak gate shuts by itself | ${status} |\n| NFR-02 | Bell rings | Pending |\n`;
  expect(open(text)).toEqual([...(left === '' ? [] : [left]), 'Bell rings']);
});

test('a table of issues with a status is a list of goals, links and all; one of open issues asks', () => {
  const rows =
    '| ID | Issue | Status |\n|---|---|---|\n| [1](./1.md) | Gate creaks | done |\n| [2](./2.md) | Bell is silent | open |\n';
  const text = `# Orchard\n\n## Gates\n\n${rows}\n## Open issues\n\n${rows.replaceAll('Gate', 'Jar').replaceAll('Bell', 'Lid')}`;
  expect(open(text)).toEqual(['Bell is silent']);
  expect(leftOut(text)).toEqual([]);
});

const tasks = '## Tasks\n\n- Mill the posts\n- Hang the gate\n\n';

test.each([
  '## Current workflow\n\n- Shut the gate by hand\n',
  '## Existing design components\n\n- Shut the gate by hand\n',
  '## Latch (current)\n\n- Shut the gate by hand\n',
  '## Module layout\n\n- Shut the gate by hand\n',
])('what is there is no work: %j', (section) => {
  const { leaves, detail } = readLeaves(`# Orchard\n\n${tasks}${section}`);
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(detail).toContain('Shut the gate by hand');
});

test('what is wrong now is work', () => {
  expect(readLeaves(`# Orchard\n\n${tasks}## Current issues\n\n- Gate creaks\n`).leaves).toContain(
    'Gate creaks',
  );
});

test('lines of a slide and a sample text are shown, and no work', () => {
  const text = `# Talk\n\n## Slides\n\n### Slide 1: Why gates\n\n- Sheep walk away\n- Grass is short\n\n### Slide 2: Tasks\n\n- Draw the gate\n\n## Letters\n\n### Sample email\n\n- Dear farmer\n- Gates are here\n`;
  expect(readLeaves(text).leaves).toEqual(['Slide 1: Why gates', 'Draw the gate', 'Sample email']);
});

test('the numbered chapter of what is made is work, whatever it is called, and that of the document is not', () => {
  const report =
    '## Report\n\n### Chapter 1: Jars\n\n- List of jars\n\n### Chapter 2: Summary\n\n- Count of jars\n';
  expect(readLeaves(`# Orchard\n\n${report}`).leaves).toEqual(['List of jars', 'Count of jars']);
  expect(readLeaves(`# Orchard\n\n${report.replaceAll('###', '##')}`).leaves).toEqual([
    'Report',
    'List of jars',
  ]);
});

test('a part of a proposal that begins with its name is read by the rest of its name', () => {
  const text =
    '# RFC 12: Gates\n\n## Motivation\n\nSheep.\n\n## Proposed Solution\n\n### Proposed Solution: Drawbacks\n\n- Gates must be oiled\n\n### Proposed Solution: Plan\n\n- Hang the gate\n\n## Prior art\n\nFences.\n';
  expect(readLeaves(text).leaves).toEqual(['Hang the gate']);
});

test('a bug report by its title with one section of a report is one goal', () => {
  const text =
    '# Bug report — gate is open\n\n## Evidence\n\n- Sheep on the road\n\n## Reproduction\n\n1. Shut the gate\n2. Run\n';
  expect(readLeaves(text).leaves).toEqual([]);
  expect(readLeaves(text.replace('Reproduction', 'Gates')).leaves).not.toEqual([]);
});

test('a log of decisions, and a file among decisions, is a decision record', () => {
  const text = '## 2024-05-06 — Oak for gates\n\nAsh rots.\n\n## Follow-ups\n\n- Order the oak\n';
  expect(readLeaves(`# Gate decisions\n\n${text}`).leaves).toEqual(['Order the oak']);
  const leaves = (file: string) => openLeaves(readDocument(`# Gates\n\n${text}`, file).outline.items);
  expect(leaves('docs/decisions/gates.md')).toEqual(['Order the oak']);
  expect(leaves('docs/gates.md')).toHaveLength(2);
});

test('how a fault is mended is what its goal says, and no part of it', () => {
  const text =
    '# Known issues\n\n## Gates\n\n### Gate creaks\n\n- **Problem:** No oil.\n- **Suggested solution:** Oil it with what the tin in the shed holds, before each spring and each autumn.\n\n### Bell is silent\n\n- **Fix:** A clapper.\n- Paint it.\n';
  expect(readLeaves(text).leaves).toEqual(['Gate creaks', 'Fix: A clapper.', 'Paint it.']);
  expect(readLeaves(text).detail).toContain('Oil it with');
});

test('the steps of what is called a flow are its detail, nested lists and all; tasks, and what tells, stay', () => {
  const flow = (heading: string, step: string) =>
    readLeaves(
      `# Orchard\n\n## Gates\n\n### ${heading}\n\n1. Shepherd at the gate\n2. The bell:\n   - loud by day\n   - low by night\n3. ${step}\n`,
    ).leaves;
  expect(flow('Evening flow', 'Sheep in the fold')).toEqual(['Evening flow']);
  expect(flow('Evening flow', '[ ] Sheep in the fold')).toHaveLength(3);
  expect(flow('Fix the evening flow', 'Sheep in the fold')).toHaveLength(3);
  expect(flow('Evening', 'Sheep in the fold')).toHaveLength(3);
});

test('steps that state what happens are a flow though one has parts', () => {
  const text =
    '# Orchard\n\n## Gates\n\n### Evening\n\n1. The shepherd opens the gate\n2. The bell rings for each sheep:\n   - loud by day\n3. The dog closes the fold\n';
  expect(readLeaves(text).leaves).toEqual(['Evening']);
});

test('figures with their names below requirements are limits of the whole', () => {
  const { leaves, acceptance } = readLeaves(
    `# Orchard\n\n${tasks}## System Requirements\n\n- Post height: 2 m or more\n- Gates: 4\n`,
  );
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(acceptance).toContain('Post height: 2 m or more');
  expect(
    readLeaves(
      `# Orchard\n\n${tasks}## System Requirements\n\n- Post height: 2 m or more\n- Gates that shut\n`,
    ).leaves,
  ).toHaveLength(4);
});

test('an overview and notes are work where they tell what to do, and a field with its type never is', () => {
  const section = (text: string) => readLeaves(`# Orchard\n\n${tasks}${text}`).leaves.length - 2;
  expect(section('## Overview\n\n- Oak everywhere\n- Ash nowhere\n')).toBe(0);
  expect(section('## Overview\n\n- Replace the ash\n- Buy the oak\n')).toBe(2);
  expect(section('## Field notes\n\n- Oak everywhere\n- Ash nowhere\n')).toBe(0);
  expect(section('## Field notes\n\n- Replace the ash\n- Buy the oak\n')).toBe(2);
  expect(
    section('## Gates\n\n### `width: number`\n\nHow wide.\n\n### `kind: "oak" | "ash"`\n\nOf what.\n'),
  ).toBe(0);
});

test('milestones called by a letter and a number are the plan, beside what is described', () => {
  const milestone = (at: number) =>
    `### M${at} — Gates\n\n- Oak gate ${at} — two hinges\n- Bell ${at} — of brass\n- Latch ${at} — of tin\n\n`;
  const text = `# Orchard\n\n## Grass\n\n- Short in May\n\n## Milestones & tickets\n\n${milestone(1)}${milestone(2)}`;
  expect(readLeaves(text).leaves).toHaveLength(6);
  expect(readLeaves(text).leaves).not.toContain('Short in May');
});

test('what is weighed as options is detail of what it is for, and a result is no step', () => {
  const text = `# Orchard\n\n${tasks}## Gates of the yard\n\nOptions:\n\n1. Mend the old gate\n2. Buy a new gate\n\n## Bells\n\n- Hang the bell\n- Result: sheep come home.\n`;
  const { leaves, detail } = readLeaves(text);
  expect(leaves).not.toContain('Mend the old gate');
  expect(leaves).not.toContain('Result: sheep come home.');
  expect(leaves).toContain('Hang the bell');
  expect(detail).toContain('Buy a new gate');
});

test('goals are aims where the document tells elsewhere what to do, whatever its headings', () => {
  const steps = 'fix remove replace install connect build'.split(' ').map((verb) => `${verb} the gate`);
  const text = `# Orchard\n\n## Goals\n\n- Sheep stay in\n\n## Yard\n\n${steps.map((step) => `1. ${step}\n`).join('')}`;
  expect(readLeaves(text).leaves).toEqual(steps);
});

test('how to report a fault is for readers', () => {
  const text =
    '# Report Issues\n\nTell us what your gate does.\n\n## Before\n\n- Refresh your page\n\n## Process\n\n- Receive the report\n';
  expect(readLeaves(text).leaves).toEqual([]);
});

test('what is out of scope keeps the addresses of its links', () => {
  const text = `# Orchard\n\n${tasks}## Non-goals\n\n- Lids of gold: see [lids](lids.md).\n- Lids of glass\n`;
  expect(leftOut(text)).toEqual([]);
  expect(readLeaves(text).outOfScope).toHaveLength(2);
});

test('a justification says why, in Portuguese and Spanish too', () => {
  for (const name of ['Justificação', 'Justificación'])
    expect(readLeaves(`# Orchard\n\n${tasks}## ${name}\n\n- Oak is dear\n`).leaves).toHaveLength(2);
});
