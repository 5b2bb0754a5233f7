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

test('what a ticked box is done for stays its detail', () => {
  expect(
    readLeaves('# Orchard\n\n- [x] Write labels for:\n  - early pears\n  - late pears\n').leaves,
  ).toHaveLength(1);
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
  'Phase 1 non-goals',
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
  const { leaves } = readLeaves(
    `* **Owners:**\n  * ann\n* **Related Tickets:**\n  * https://a.example/1\n\n${told}`,
  );
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate']);
});

test('a section that says there is nothing to do in it is no goal', () => {
  const { leaves } = readLeaves(
    '# From jars 2 to 3\n\n## Lids\n\nIs not affected by this change.\n\n## Jars\n\nThey are round now.\n\n## Labels\n\nNo changes are needed.\n\n## Boxes\n\nN/A\n\n## Lists\n\nNo changes so far: ask Ann for all that she wants to have changed in them.\n',
  );
  expect(leaves).toEqual(['Jars', 'Lists']);
});

test('a numbered section of commands to run is work beside others', () => {
  const commands = '```bash\ngit push --tags\n```\n\n';
  const { leaves } = readLeaves(
    `# Release\n\n${told}## Publish\n\n### 1. Final tag\n\n${commands}### Example\n\n${commands}`,
  );
  expect(leaves).toEqual(['Mill the posts', 'Hang the gate', 'Final tag']);
});

test('minutes plan under a heading that says until when, and in a list that is called so', () => {
  const text = `# Meeting notes

## 2024-05-06

### Last week

- Jars are washed

### This week’s plan

- Ann:
  - Labels for jars

## 2024-04-29

### How we work

- Weekly meeting
- Todos
  - Bob will buy lids

### Next week

- Honey tasting
`;
  expect(readLeaves(text).leaves).toEqual(['Labels for jars', 'Bob will buy lids', 'Honey tasting']);
});

test('links of contents are no actions of a record', () => {
  const { leaves } = readLeaves(
    '# Meeting notes\n\n## Contents of it\n\n- [Action items](#action-items)\n  - [Lids](#lids)\n\n## Action items\n\n- Buy lids\n',
  );
  expect(leaves).toEqual(['Buy lids']);
});

test('a request for a feature is one goal, or what it tells to do; what its form lets somebody say of himself is none', () => {
  const request = (solution: string) =>
    `# Labels\n\n## Current workaround\n\nI write by hand.\n\n## Describe the solution you'd like\n\n${solution}\n\n## Additional context\n\nN/A\n\n## Checklist\n\n- [x] I have searched for others\n- [ ] I may be able to help\n`;
  expect(readLeaves(request('It would be nice to have labels.')).leaves).toEqual([]);
  expect(readLeaves(request('- Print a label\n- Let me choose the font')).leaves).toEqual([
    'Print a label',
    'Let me choose the font',
  ]);
  expect(readLeaves('# Todo\n\n- I have to wash the jars\n- I want lids\n').leaves).toHaveLength(2);
});

test('what a form leaves to be filled in is no goal, what it names is', () => {
  const { leaves } = readLeaves(
    `# Jars\n\n## Features\n\n- [ ] [Feature 1]: [Description] - [Priority: High]\n- {{FEATURE}}\n- Reach [X] keepers\n\n${told}`,
  );
  expect(leaves).toEqual(['Reach [X] keepers', 'Mill the posts', 'Hang the gate']);
});

test('a file of a proposal is read as a design, a file of a decision as one', () => {
  const text = '# Jars\n\n## Lids\n\n- Tin\n- Cork\n- Glass\n\n## Jars\n\n- Buy a press\n- Build a shelf\n';
  const leavesIn = (file: string) =>
    readDocument(text, file).outline.items.flatMap(({ children, description }) =>
      children.length === 0 ? [description] : children.map((child) => child.description),
    );
  expect(leavesIn('jars.md')).toHaveLength(5);
  expect(leavesIn('rfcs/0017-jars.md')).toEqual(['Buy a press', 'Build a shelf']);
  expect(leavesIn('docs/adr/0003-jars.md')).toEqual([]);
});

test('a line with a link whose address stands elsewhere is not named as left out', () => {
  const text = '# Jars\n\n- Wash [lids][lid-shop] at noon\n\n[lid-shop]: https://a.example/lids\n';
  expect(accountForOutline(text, readDocument(text, 'DOC.md').outline, 'DOC.md').left_out).toEqual([]);
});

test.each([
  ['已完成', true],
  ['✅ Erledigt', true],
  ['Issues resolved', true],
  ['Research tasks completed:', true],
  ['Before the fair — ✅ done', true],
  ['Lids — DONE (in May)', true],
  ['Get all jars fixed', false],
  ['What has made', false],
  ['Erledigt werden muss', false],
  ['Until lids made', false],
])('what stands below “%s” is done: %s', (heading, isDone) => {
  const { outline } = readDocument(`# Jars\n\n${told}## ${heading}\n\n- Wash the lids\n`, 'DOC.md');
  expect(JSON.stringify(outline.items.at(-1))).toContain(`"complete":${isDone}`);
  expect(outline.items.at(-1)?.children.map(({ complete }) => complete)).toEqual([isDone]);
});

test('a meeting that says who was there is minutes, whatever its headings plan', () => {
  const text =
    '# 2024-05-06 orchard meeting\n\n**Attendees**: Ann, Bob\n\n## Plan for the year\n\n- Ann:\n  - We grow too fast\n  - Bob will wash the jars\n  - Lids will arrive\n  - Wants to sell more\n- Next steps: Bob will buy lids\n';
  expect(readLeaves(text).leaves).toEqual(['Bob will wash the jars', 'Next steps: Bob will buy lids']);
  expect(readLeaves('# Orchard meeting\n\n- Book a room\n- Invite all\n').leaves).toHaveLength(2);
});

test('what has changed says more of its section, what to do if something was so is work', () => {
  const text =
    '# Jars 2\n\n## Changes of lids\n\n- Old lids are gone\n- Jars no longer fit\n- Large boxes now need paper\n\n## Keeper action items\n\n- If shelves are old, switch them to steel\n- If boxes are wet, use paper\n';
  expect(readLeaves(text).leaves).toEqual([
    'Changes of lids',
    'If shelves are old, switch them to steel',
    'If boxes are wet, use paper',
  ]);
});

test('a conclusion is no work unless it tells what to do', () => {
  expect(readLeaves(`# Jars\n\n${told}## Conclusion\n\n- Jars with lids\n- Labels\n`).leaves).toHaveLength(2);
  expect(readLeaves(`# Jars\n\n${told}## Conclusion\n\n- Buy the jars\n`).leaves).toHaveLength(3);
});

test('what a thing does that is to be made is its criterion, a part with a box is a goal', () => {
  const text = (box: string) =>
    `# Jars\n\n- Build a press that:\n  - ${box}Accepts a jar (from Ann)\n  - ${box}Caches jars with care\n  - ${box}Falls back to lids\n- Buy lids\n`;
  expect(readLeaves(text('')).leaves).toEqual(['Build a press that:', 'Buy lids']);
  expect(readLeaves(text('[ ] ')).leaves).toHaveLength(4);
});
