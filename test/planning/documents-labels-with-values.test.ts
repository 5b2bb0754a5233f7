import { describe, expect, test } from 'vitest';

import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves as read } from '../support/document-leaves.js';

const GARDEN = (line: string) =>
  `# Garden\n\n## Beds\n\n- Dig the beds\n\n## Pond\n\n${line}\n\n- the liner\n- [ ] the pump\n\n## Shed\n\n- Paint the shed\n`;
const LEAVES = ['Dig the beds', 'the liner', 'the pump', 'Paint the shed'];

function pondOf(text: string) {
  return readDocument(text, 'DOC.md').outline.items.find(({ description }) => description === 'Pond');
}

describe('a label with its value behind the colon labels nothing below it', () => {
  test.each([
    'Status: open',
    'Risks: none',
    '**Risks:** none',
    'Dependencies: FEAT-201',
    'Version: 2',
    'Risiken: keine',
    'Example: koi',
  ])('%s is detail, and the list below it the work of the section', (line) => {
    const { leaves, acceptance, outOfScope, detail } = read(GARDEN(line));
    expect(leaves).toEqual(LEAVES);
    expect([acceptance, outOfScope]).toEqual([[], []]);
    expect(detail).toContain(line);
  });

  test('a criterion is one of the section', () => {
    expect(read(GARDEN('Acceptance: no leaks for a [week](http://week.example)')).leaves).toEqual(LEAVES);
    expect(pondOf(GARDEN('Acceptance: no leaks'))?.acceptance).toEqual(['Acceptance: no leaks']);
  });

  test('a non-goal is one of the section', () => {
    expect(read(GARDEN('Non-goals: fish')).leaves).toEqual(LEAVES);
    expect(pondOf(GARDEN('Non-goals: fish'))?.outOfScope).toEqual(['Non-goals: fish']);
  });

  test('a label without a value is one of its list', () => {
    const { leaves, acceptance } = read(
      '# Garden\n\n## Pond\n\n- Lay the liner\n\nAcceptance:\n\n- no leaks\n\n## Shed\n\n- Paint it\n',
    );
    expect(leaves).toEqual(['Lay the liner', 'Paint it']);
    expect(acceptance).toEqual([]);
  });

  test.each([
    ['Status: complete', [true, false]],
    ['Status: ✅ Done', [true, false]],
    ['Status: done?', [false, false]],
    ['Status: done by Friday', [false, false]],
    ['Status: open', [false, false]],
  ])('%s: the list is done as far as the line says so, boxes speak for themselves', (line, done) => {
    expect(pondOf(GARDEN(line))?.children.map(({ complete }) => complete)).toEqual(done);
  });
});

function completeOf(text: string): readonly boolean[] {
  const [section] = readDocument(text, 'DOC.md').outline.items;
  return (section?.children ?? []).map(({ complete }) => complete);
}

describe('what is done, and what is not yet', () => {
  test.each([
    'done by Friday',
    'completed by 2027',
    'fixed by next release',
    'done by end of May',
    'shipped by v1.2',
    'released in the next sprint',
    'done in Q3?',
    'fixed by Ann?',
  ])('“(%s)” is a deadline or a doubt', (remark) => {
    expect(completeOf(`# Barn\n\n## Roof\n\n- Lay the tiles (${remark})\n- Nail the gutter\n`)).toEqual([
      false,
      false,
    ]);
    const table = `# Barn\n\n## Tasks\n\n| Task | Status |\n|---|---|\n| Tiles | Done (${remark}) |\n`;
    expect(completeOf(table)).toEqual([false]);
  });

  test('a heading that says until when is open', () => {
    expect(completeOf('# Barn\n\n## Completed by Friday\n\n- Lay the tiles\n')).toEqual([false]);
    expect(completeOf('# Barn\n\n## Completed by Ann\n\n- Lay the tiles\n')).toEqual([true]);
  });

  test.each(['done in 1.2', 'fixed by Ann', 'merged by #12', 'done'])('“(%s)” is done', (remark) => {
    expect(completeOf(`# Barn\n\n## Roof\n\n- Lay the tiles (${remark})\n- Nail the gutter\n`)).toEqual([
      true,
      false,
    ]);
  });

  test.each(['Done ✅', 'done.', '🟢 Done', '✓ merged', '✅', '[x]', 'Completed (v1.2)'])(
    'a row with the status %s is complete',
    (status) => {
      const text = `# Barn\n\n## Tasks\n\n| Task | Status |\n|---|---|\n| Tiles | ${status} |\n| Gutter | [ ] |\n`;
      expect(completeOf(text)).toEqual([true, false]);
    },
  );

  test.each(['Done?', 'Done (except docs)', 'Done (docs missing)', '🔴 Done', 'Done 50%', '❌'])(
    'a row with the status %s is not, and keeps the word',
    (status) => {
      const text = `# Barn\n\n## Tasks\n\n| Task | Status |\n|---|---|\n| Tiles | ${status} |\n`;
      expect(completeOf(text)).toEqual([false]);
      expect(read(text).detail).toContain(`Status: ${status}`);
    },
  );

  test('a box in a cell is a box', () => {
    const text =
      '# Barn\n\n## Tasks\n\n| | Task | Owner |\n|---|---|---|\n| [x] | Tiles | Ann |\n| [ ] | Gutter | Bob |\n| | [x] Door | |\n| | [ ] Lock | |\n';
    const [section] = readDocument(text, 'DOC.md').outline.items;
    expect(
      section?.children.map(({ description, complete, isTask }) => [description, complete, isTask]),
    ).toEqual([
      ['Tiles', true, true],
      ['Gutter', false, true],
      ['Door', true, true],
      ['Lock', false, true],
    ]);
    expect(read(text).detail).not.toContain('[');
  });
});
