import { expect, test } from 'vitest';

import { readLeaves as read } from '../support/document-leaves.js';

const told = '## Tasks\n\n- Mill the posts\n- Hang the gate\n\n';
const plan =
  '## Phase 1: Posts\n\n- Mill them\n- Dry them\n- Oil them\n\n## Phase 2: Gate\n\n- Hang it\n- Test it\n- Paint it\n\n';
const planned = ['Mill them', 'Dry them', 'Oil them', 'Hang it', 'Test it', 'Paint it'];

test('a step of a row is work also if it holds nothing but ways to take it', () => {
  const steps = ['Step 1: Dig', 'Step 2: Line', 'Step 3: Fill'].map((step) => `### ${step}\n\n`);
  const doc = `# Pond\n\n${told}## Course\n\n${steps[0]}By hand.\n\n${steps[1]}#### Option A: clay\n\nHeavy.\n\n#### Option B: foil\n\nLight.\n\n${steps[2]}From the brook.\n`;
  expect(read(doc).leaves).toEqual([
    'Mill the posts',
    'Hang the gate',
    'Step 1: Dig',
    'Step 2: Line',
    'Step 3: Fill',
  ]);
});

test('numbered sections of commands stay beside a plan', () => {
  const doc = `# Pond\n\n${plan}## Trial run\n\n### 1. Start the pump\n\n\`\`\`sh\npump on\n\`\`\`\n\n### 2. Water level\n\n\`\`\`sh\nlevel\n\`\`\`\n`;
  expect(read(doc).leaves).toEqual([...planned, 'Start the pump', 'Water level']);
});

test.each([
  'Was nicht dazu gehört',
  'Bewusst nicht enthalten',
  'Ce qui n’est pas prévu',
  'Lo que no incluye',
  'O que NÃO entra',
  'Não incluído',
  'Что не входит в работу',
  '不包括的内容',
  '含まれないもの',
  '포함되지 않는 것',
])('what stands below “%s” is not to be done', (heading) => {
  const doc = read(`# Orchard\n\n${told}## ${heading}\n\n- alpha\n- beta\n`);
  expect(doc.leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(doc.outOfScope).toEqual(['alpha', 'beta']);
});

test.each(['Was noch nicht funktioniert', 'Lo que no funciona'])(
  'what stands below “%s” is work',
  (heading) => {
    expect(read(`# Orchard\n\n${told}## ${heading}\n\n- alpha\n- beta\n`).leaves).toContain('alpha');
  },
);

test('a list crossed out as a whole is not to be done, unless it tells somebody to do it', () => {
  expect(read(`# Orchard\n\n${told}## Kept small\n\n- ❌ A cider press\n- ❌ Bees\n`)).toMatchObject({
    leaves: ['Mill the posts', 'Hang the gate'],
    outOfScope: ['❌ A cider press', '❌ Bees'],
  });
  expect(read('# Orchard\n\n## Missing\n\n- ❌ Build the press\n- ❌ Bees\n').leaves).toHaveLength(2);
});

test('a list whose words before it negate it is not to be done, boxes are', () => {
  const doc = `# Orchard\n\n## Tasks\n\n- Mill the posts\n\nThis phase does not cover:\n\n- The wall\n- [ ] The ditch\n`;
  expect(read(doc)).toMatchObject({ leaves: ['Mill the posts', 'The ditch'], outOfScope: ['The wall'] });
});

test('how far a phase takes the whole, and which values there are, is no goal', () => {
  const doc = `# Orchard\n\n## Phase 1\n\n- Mill the posts\n- Work done so far: 20%\n- gate ∈ {open, shut}\n- Raise the yield: 20%\n`;
  expect(read(doc).leaves).toEqual(['Mill the posts', 'Raise the yield: 20%']);
});

test('what must not be is a criterion of the goal above it, unless it has a number or a box', () => {
  const doc = `# Orchard\n\n## Requirements\n\n- Print a label\n- A scale must not print twice\n- Never round up\n- FR-1: Weights must not be lost\n- [ ] Never shut the gate\n`;
  expect(read(doc)).toMatchObject({
    leaves: ['Print a label', 'Weights must not be lost', 'Never shut the gate'],
    acceptance: ['A scale must not print twice', 'Never round up'],
  });
});

test('a section of nothing but what must not be holds for the whole; alone in a document it is the work', () => {
  const rules = '## Weights\n\n- They must not be rounded\n- They must never be lost\n';
  expect(read(`# Orchard\n\n${told}${rules}`)).toMatchObject({
    leaves: ['Mill the posts', 'Hang the gate'],
    acceptance: ['They must not be rounded', 'They must never be lost'],
  });
  expect(read('# Orchard\n\n- Weights must not be rounded\n- They must never be lost\n').leaves).toHaveLength(
    2,
  );
});

test('beside a plan each list is read by itself where prose stands between two', () => {
  const doc = `# Orchard\n\n${plan}## Parts\n\nIt goes like this:\n\n- scales send weights\n- the book keeps them\n\nThe book should:\n\n- accept weights\n- print the sums\n- sort the pages\n`;
  expect(read(doc).leaves).toEqual([...planned, 'accept weights', 'print the sums', 'sort the pages']);
});

test('what a task says of itself is its detail', () => {
  const doc =
    '# Orchard\n\n## Tasks\n\n1. Mill the posts\n   - Description: Saw them square\n   - Files: posts.md, saw.md\n2. Files: all notes kept\n';
  expect(read(doc).leaves).toEqual(['Mill the posts', 'Files: all notes kept']);
});

test('a section of help that only says where to look is no work', () => {
  const help = '## Support\n\n1. Check the SCALES.md for weights\n2. Examine the GATES.md for the hinges\n';
  expect(read(`# Orchard\n\n${told}${help}`).leaves).toEqual(['Mill the posts', 'Hang the gate']);
  expect(read(`# Orchard\n\n${told}${help}3. Build a help desk\n`).leaves).toContain('Build a help desk');
});

test.each([
  'Why no wall',
  'Labels (example)',
  'Current feature list',
  'Supported platforms',
  'Contributing',
  'Getting help',
])('“%s” is no work', (heading) => {
  const doc = read(`# Orchard\n\n${told}## ${heading}\n\nAsk the keeper. See the book.\n`);
  expect(doc.leaves).toEqual(['Mill the posts', 'Hang the gate']);
});

test.each([
  [
    'a task that ends with what must not be',
    '## Tasks\n\n- Add validation: names must not be empty\n- Fix the import so that it must not lose rows\n',
    2,
  ],
  [
    'an endpoint that must no longer be used',
    '## Tasks\n\n- Mill the posts\n- The old endpoint must no longer be used: replace it by v2\n',
    2,
  ],
  [
    'a step with a number',
    '## Tasks\n\n1. Stop the mill\n2. The mill must not run any more: take its belt off\n3. Oil it\n',
    3,
  ],
  [
    'a feature of limits alone',
    '## Features\n\n### Upload of pictures\n\n- Files must not exceed 10 MB\n- Files may only be PNG\n\n### Search\n\n- Find by name\n- Find by date\n',
    3,
  ],
  [
    'what does not work',
    '## Tasks\n\n- Mill the posts\n\nThe following does not work:\n\n- Login on the phone\n- Export of lists\n',
    3,
  ],
  [
    'what is shown to those who do not pay',
    '## Tasks\n\n- Mill the posts\n\nUsers who do not pay:\n\n- Show a banner\n',
    2,
  ],
  [
    'crosses beside ticks',
    '## Features\n\n- ✅ Login\n\nNext:\n\n- ❌ Password reset\n- ❌ Two-factor login\n',
    3,
  ],
  ['crosses under what is missing', '## Missing features\n\n- ❌ Password reset\n- ❌ Two-factor login\n', 2],
  [
    'improvements of what exists',
    '## Existing feature improvements\n\n- Speed up search\n- Fix sorting\n',
    2,
  ],
  [
    'what is not ready, in German',
    '## Was noch nicht fertig ist\n\n- Das Tor streichen\n- Den Zaun setzen\n',
    2,
  ],
  ['what is wrong, in French', '## Ce qui ne va pas\n\n- La porte grince\n- Le toit fuit\n', 2],
  ['what is not ready, in Russian', '## Что не готово\n\n- Ворота\n- Забор\n', 2],
  [
    'feedback among the features',
    '## Features\n\n### Feedback\n\n- Thumbs up and down under each answer\n- A box for words\n',
    2,
  ],
  ['tasks with a colon', '## Tasks\n\n- Mill the posts\n- Descriptions: rewrite all product texts\n', 2],
])('work stays work: %s', (_what, text, count) => {
  expect(read(`# Orchard\n\n${text}`).leaves).toHaveLength(count);
});

test.each(['This phase doesn’t cover:', 'It won’t include:', 'We will not build the following:'])(
  'what is not to be done is seen by its words: %s',
  (lead) => {
    const doc = `# Orchard\n\n## Tasks\n\n- Mill the posts\n\n${lead}\n\n- The wall\n- The ditch\n`;
    expect(read(doc)).toMatchObject({ leaves: ['Mill the posts'], outOfScope: ['The wall', 'The ditch'] });
  },
);
