import { describe, expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves as read } from '../support/document-leaves.js';

const TALK =
  '## Discussion\n\n- The hens are well.\n- TODO: mend the coop (Cy)\n- Bob will buy corn.\n\n## Action items\n\n- Cy: wash the eggs\n';
const WORK = ['TODO: mend the coop (Cy)', 'Bob will buy corn.', 'Cy: wash the eggs'];

test.each([
  ['# Team minutes 2026-11-20', ''],
  ['# Minutes of the hen club', ''],
  ['# Hen club, 2026-11-20', 'Attendees: Ann, Bob\n\n'],
  ['# Meeting minutes', ''],
])('what somebody takes on in minutes is work, whatever they are called: %s', (title, present) => {
  expect(read(`${title}\n\n${present}${TALK}`).leaves).toEqual(WORK);
});

test.each(['# Boil eggs in 10 minutes', '# The last minutes'])('%s is no title of minutes', (title) => {
  expect(read(`${title}\n\n${TALK}`).leaves).toEqual(['Cy: wash the eggs']);
});

describe('in minutes', () => {
  test('a line of prose that says what is to be done is work, wherever it stands', () => {
    const doc =
      '# Team minutes\n\nAnn Lee will sell the eggs\nand count them.\n\n## Discussion\n\nWe met.\n**TODO** (Cy): mend the coop\n\n### Corn\n\nDora will buy it. It is dear.\n\n## Action items\n\nBob volunteers to wash the eggs.\n';
    expect(read(doc).leaves).toEqual([
      'Ann Lee will sell the eggs and count them.',
      'TODO (Cy): mend the coop',
      'Dora will buy it. It is dear.',
      'Bob volunteers to wash the eggs.',
    ]);
    expect(accountForOutline(doc, readDocument(doc, 'DOC.md').outline, 'DOC.md').left_out).toEqual([]);
  });

  test('a line before the first list moves no order of it', () => {
    const numbered = readDocument(
      '# Team minutes\n\nBob will buy corn.\n\n1. [ ] Wash\n2. [ ] Dry\n\n## Agenda\n\n- Eggs\n',
      'DOC.md',
    );
    expect(numbered.outline.items.map(({ description, after }) => [description, after])).toEqual([
      ['Bob will buy corn.', undefined],
      ['Wash', []],
      ['Dry', [1]],
    ]);
  });

  test.each(['It will take two weeks.', 'This will break the coop.', 'Users will see it.'])(
    'nobody takes on: %s',
    (text) => {
      expect(read(`# Team minutes\n\n## Discussion\n\n${text}\n\n- ${text}\n`).leaves).toEqual([]);
    },
  );
});
