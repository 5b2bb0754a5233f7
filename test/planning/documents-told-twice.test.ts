import { expect, test } from 'vitest';

import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves as read } from '../support/document-leaves.js';

const features = `## Features

### Beekeeper Accounts

- Sign in with a hive key
- Change the hive key

### Honey Ledger

- Weekly honey totals
- Export of harvest sheets
- Swarm alarm by text message

`;
const phases = `## Phases

### Phase 1: Start

- Basic beekeeper accounts
- Weekly honey totals (simple)

### Phase 2: Growth

- Harvest sheet export
- Winter feeding calendar
`;

test('what a list of features and the phases tell is planned once, in the phases', () => {
  const doc = `# Hives\n\n${features}${phases}`;
  const { leaves, detail } = read(doc);
  expect(leaves).toEqual([
    'Swarm alarm by text message',
    'Sign in with a hive key',
    'Change the hive key',
    'Weekly honey totals (simple)',
    'Harvest sheet export',
    'Winter feeding calendar',
  ]);
  expect(detail).toContain('Export of harvest sheets');
  expect(detail).toContain('### Beekeeper Accounts');
  const { outline } = readDocument(doc, 'DOC.md');
  expect(accountForOutline(doc, outline, 'DOC.md').left_out).toEqual([]);
});

test('a feature that shares but a word with a phase stays', () => {
  const doc = `# Hives\n\n## Features\n\n- Honey scales\n- Honey jars with labels\n\n## Phases\n\n### Phase 1\n\n- Honey prices\n- Basic scales page\n\n### Phase 2\n\n- Honey taxes\n`;
  expect(read(doc).leaves).toHaveLength(5);
});

test('sections side by side keep what is called the same in both', () => {
  const doc = `# Hives\n\n## Server\n\n- Weekly honey totals\n- Harvest sheet export\n\n## Phone\n\n- Weekly honey totals\n- Harvest sheet export\n`;
  expect(read(doc).leaves).toHaveLength(4);
});

test('the numbers of a list that loses goals to a plan hold for what is left', () => {
  const doc = `# Hives\n\n## Course\n\n1. Count the frames\n2. Weekly honey totals\n3. Harvest sheet export\n4. Sell the wax\n\n${phases}`;
  const [course] = readDocument(doc, 'DOC.md').outline.items;
  expect(course?.children.map(({ description, after }) => [description, after])).toEqual([
    ['Count the frames', []],
    ['Sell the wax', [0]],
  ]);
});

test('what is done is not told again by what is open', () => {
  const doc = `# Hives\n\n## Features\n\n- [x] Weekly honey totals\n- [x] Harvest sheet export\n\n${phases}`;
  expect(read(doc).leaves).toContain('Weekly honey totals');
});

const stories =
  '## User Stories\n\n- As a keeper, I want to see my yield so that I can sell it\n- As a buyer, I want a fair price\n\n';
const requirements = `## Functional Requirements\n\n${['frames', 'queens', 'drones', 'smokers', 'veils', 'jars'].map((each) => `- Count of ${each} per hive`).join('\n')}\n`;

test('stories in a line each say why, beside requirements that say more', () => {
  const { leaves, detail } = read(`# Hives\n\n${stories}${requirements}`);
  expect(leaves).toHaveLength(6);
  expect(detail).toContain('As a buyer, I want a fair price');
});

test('stories stay beside few requirements, and those with criteria or boxes of their own', () => {
  const few = '## Functional Requirements\n\n- Count of frames per hive\n- Count of queens\n';
  expect(read(`# Hives\n\n${stories}${few}`).leaves).toHaveLength(4);
  const boxes = stories.replaceAll('- As', '- [ ] As');
  expect(read(`# Hives\n\n${boxes}${requirements}`).leaves).toHaveLength(8);
  const proven = `## User Stories\n\n### Yield\n\nAs a keeper, I want to see my yield\n\n**Acceptance criteria:**\n\n- Kilograms are shown\n\n`;
  expect(read(`# Hives\n\n${proven}${requirements}`).leaves).toHaveLength(7);
});
