import { expect, test } from 'vitest';

import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves } from '../support/document-leaves.js';

const parts =
  '## Storage\n\nOne file a hive.\n\n- Name: `hive-<number>.json`\n- Weights are whole grams\n\n## Scales\n\n- Each scale reports its own number\n- Reports come once a minute\n\n## Network\n\n### Radio\n\n- Frames have a length and a checksum\n';

test.each([
  ['# Hive format specification\n\n', 'A.md'],
  ['# Hive spec\n\n', 'A.md'],
  ['# Hives\n\n', 'docs/SPEC.md'],
  ['# Hives\n\n', 'docs/hive-design-doc.md'],
])(
  'a specification (%j, %s) is built part by part, and what it says of a part is its detail',
  (title, file) => {
    const doc = readLeaves(title + parts, file);
    expect(doc.leaves).toEqual(['Storage', 'Scales', 'Radio']);
    expect(doc.detail).toContain('Reports come once a minute');
  },
);

test.each([
  ['# Hive product specification\n\n', 'A.md'],
  ['# Hives: functional spec\n\n', 'A.md'],
  ['# Hives\n\n', 'A.md'],
])('%j in %s is no specification of how something is built', (title, file) => {
  expect(readLeaves(title + parts, file).leaves.length).toBeGreaterThan(3);
});

test('parts of a specification stay beside requirements and what tells what to do', () => {
  const doc = readLeaves(
    `# Hive spec\n\n${parts}\n## Non-functional requirements\n\n- Answers within 20 ms\n\n## Requirements\n\n- Read frames\n`,
  );
  expect(doc.leaves).toEqual(['Storage', 'Scales', 'Radio', 'Read frames']);
  expect(doc.acceptance).toEqual(['Answers within 20 ms']);
});

test('boxes and rows in a specification are goals, and so is all that a chosen section lists', () => {
  const text = `# Hive spec\n\n${parts}\n## Left\n\n- [ ] Weigh the lids\n- [ ] Name the scales\n`;
  expect(readLeaves(text).leaves).toEqual([
    'Storage',
    'Scales',
    'Radio',
    'Weigh the lids',
    'Name the scales',
  ]);
  const { outline } = readDocument(text, 'A.md', { only: ['Scales'] });
  expect(outline.items[0]?.children.map(({ description }) => description)).toEqual([
    'Each scale reports its own number',
    'Reports come once a minute',
  ]);
});

test('of a specification with a plan of its own only the plan is work', () => {
  const tasks = ['Write frames', 'Read frames', 'Check sums', 'Store weights', 'Show weights', 'Test it all'];
  const doc = readLeaves(
    `# Hive spec\n\n${parts}\n## Tasks\n\n${tasks.map((each) => `- ${each}\n`).join('')}`,
  );
  expect(doc.leaves).toEqual(tasks);
  expect(doc.detail).toContain('Frames have a length and a checksum');
});

test.each([
  'Non-functional requirements',
  'Performance requirements',
  'Quality requirements',
  'Reliability and availability',
  'Performance',
])('what stands under “%s” are criteria of the whole, but for what somebody is told to do', (heading) => {
  const { outline } = readDocument(
    `# Hives\n\n## Features\n\n- Weigh hives\n- Show weights\n\n## ${heading}\n\n- Pages load in 2 s\n- Build a load test\n- No weight is lost\n`,
    'A.md',
  );
  const leaves = outline.items.flatMap(({ children, description }) =>
    children.length === 0 ? [description] : children.map((child) => child.description),
  );
  expect(leaves).toEqual(['Weigh hives', 'Show weights', 'Build a load test']);
  expect(JSON.stringify(outline)).toContain('Pages load in 2 s');
  const alone = readDocument(
    `# Hives\n\n## Features\n\n- Weigh hives\n- Show weights\n\n## ${heading}\n\n- Pages load in 2 s\n- No weight is lost\n`,
    'A.md',
  );
  expect(alone.outline.acceptance).toEqual(['Pages load in 2 s', 'No weight is lost']);
});

test('qualities are the work of a document that is about them, and boxes are boxes', () => {
  const nfr = '# Non-functional requirements\n\n## Performance\n\n- Pages in 2 s\n- Smooth lists\n';
  expect(readLeaves(nfr).leaves).toEqual(['Pages in 2 s', 'Smooth lists']);
  const boxes = '# Hives\n\n## Features\n\n- Weigh hives\n\n## Performance\n\n- [ ] Pages load in 2 s\n';
  expect(readLeaves(boxes).leaves).toEqual(['Weigh hives', 'Pages load in 2 s']);
});

test.each([
  ['id SERIAL PRIMARY KEY', 'name VARCHAR(255) NOT NULL', 'weight INTEGER'],
  ['`id` UUID', '`hive_id` UUID REFERENCES hives(id)', 'INDEX on (hive_id)'],
  ['id: uuid, primary key', 'made_at: TIMESTAMPTZ', 'notes: TEXT'],
])('the columns of a table of a database are no goals: %s', (...columns) => {
  const doc = readLeaves(
    `# Hives\n\n## Data\n\n- hives (new table):\n${columns.map((each) => `  - ${each}\n`).join('')}\n## Tasks\n\n- Weigh hives\n`,
  );
  expect(doc.leaves).toEqual(['hives (new table):', 'Weigh hives']);
});

test('names that only look like columns stay goals', () => {
  expect(
    readLeaves('# Hives\n\n## Features\n\n- Show DATE of birth\n- Import TEXT files\n- Export JSON\n').leaves,
  ).toEqual(['Show DATE of birth', 'Import TEXT files', 'Export JSON']);
});

test('of options only the one that is taken is work', () => {
  const doc = readLeaves(
    '# Network\n\n## Ways\n\n### Option A: route (preferred)\n\nAdd a route.\n\n### Option B: tunnel\n\nBuild a tunnel.\n',
  );
  expect(doc.leaves).toEqual(['Option A: route (preferred)']);
  expect(doc.detail).toContain('Build a tunnel.');
});

test.each([
  'Exit criteria by phase',
  'Do not release if any of these are true',
  'Stop-ship conditions for v1',
])('what stands under “%s” shows that it is done', (heading) => {
  const doc = readDocument(
    `# Hives\n\n## Tasks\n\n- Weigh hives\n- Show weights\n\n## ${heading}\n\n- A weight is lost\n- A list is empty\n`,
    'A.md',
  );
  expect(doc.outline.acceptance).toEqual(['A weight is lost', 'A list is empty']);
});

test('what is asked below tasks is to be found out, and elsewhere it is a question', () => {
  const text =
    '# Outage\n\n## Notes\n\n- Why did it stop?\n\n## Your tasks\n\n1. What stopped it?\n2. Mend it\n';
  expect(readLeaves(text).leaves).toEqual(['What stopped it?', 'Mend it']);
});
