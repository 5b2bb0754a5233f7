import { expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves } from '../support/document-leaves.js';

const told = '## Tasks\n\n- Mill the posts\n- Hang the gate\n\n';

test('what a label lists as files is detail of the task, and the boxes behind a blank line are its parts', () => {
  const text =
    '# Orchard\n\n## Tasks\n\n### Weigh the jars\n\n**Files:**\n- Modify: `scale.c`\n- Create: `jar.c`\n\n- [x] Add the cell\n- [x] Read the cell\n';
  const { outline } = readDocument(text, 'DOC.md');
  expect(readLeaves(text).leaves).toEqual(['Add the cell', 'Read the cell']);
  expect(readLeaves(text).detail).toContain('- Create: `jar.c`');
  expect(accountForOutline(text, outline, 'DOC.md').left_out).toEqual([]);
});

test('files that are all that a document lists are its work, and so are boxes below such a label', () => {
  expect(readLeaves('# Orchard\n\n**Files:**\n\n- scale.c\n- jar.c\n').leaves).toEqual(['scale.c', 'jar.c']);
  expect(readLeaves(`# Orchard\n\n${told}**Files:**\n\n- [ ] scale.c\n`).leaves).toContain('scale.c');
});

test('what is listed below a ticked box without boxes of its own is done with it', () => {
  const { outline } = readDocument(
    '# Orchard\n\n- [x] Scales\n  - cell\n  - tray\n- [x] Jars\n  - [ ] lids\n',
    'DOC.md',
  );
  expect(outline.items.map(({ complete }) => complete)).toEqual([true, false]);
});

test('what is struck through, but for a remark, is done', () => {
  const { outline } = readDocument(
    '# Orchard\n\n- ~~Mill the posts~~ — see above\n- ~~Mill~~ the beams\n- ~~Oak~~\n- Hang the gate\n',
    'DOC.md',
  );
  expect(outline.items.map(({ complete }) => complete)).toEqual([true, false, true, false]);
});

test.each([
  'What this orchard will deliberately not do',
  'Things we won’t build here',
  'What the scale does not support',
  'Possible future work',
])('“%s” is not to be planned', (heading) => {
  const { leaves, outOfScope } = readLeaves(
    `# Orchard\n\n## ${heading}\n\n- It will not sell pears.\n\n${told}`,
  );
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(outOfScope.join()).toContain('sell pears');
});

test.each(['What does not work yet', 'Where we go next', 'Possible features'])(
  '“%s” names work',
  (heading) => {
    expect(readLeaves(`# Orchard\n\n## ${heading}\n\n- Pears with labels\n\n${told}`).leaves).toContain(
      'Pears with labels',
    );
  },
);

test.each(['Where the orchard is today', 'Development approach', 'Checklist archive', 'Notes / parking lot'])(
  '“%s” names no work',
  (heading) => {
    const { leaves, detail } = readLeaves(`# Orchard\n\n## ${heading}\n\n- Pears with labels\n\n${told}`);
    expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
    expect(detail).toContain('Pears with labels');
  },
);

test('facts before the first heading are none of the goals where one of them is a list', () => {
  const { leaves } = readLeaves(`* **Owners:**\n  * ann\n* **Related Tickets:**\n  * https://a.example/1\n\n${told}`);
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
});
