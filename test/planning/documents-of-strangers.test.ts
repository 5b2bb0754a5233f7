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
