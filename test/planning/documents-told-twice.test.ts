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

const scales = '## Core Features\n\n### Scales\n\n- Hive weight alarms\n- Swarm siren\n- Export\n\n';

test('what sections of two kinds say in the same words is one goal, and the other place is its detail', () => {
  const doc = `# Hives\n\n${scales}## Security Considerations\n\n### Alarms\n\n- **Hive weight alarms:**\n- Lock on the lid\n- Export\n\n## Release Strategy\n\n- Swarm siren (loud)\n- HIVE weight alarms\n`;
  const { leaves, detail } = read(doc);
  expect(leaves).toEqual([
    'Hive weight alarms',
    'Swarm siren',
    'Export',
    'Lock on the lid',
    'Export',
    'Swarm siren (loud)',
  ]);
  expect(detail).toContain('HIVE weight alarms');
  expect(accountForOutline(doc, readDocument(doc, 'DOC.md').outline, 'DOC.md').left_out).toEqual([]);
});

test('what is told twice stays in the phase that gives it an order', () => {
  const doc = `# Hives\n\n${scales}## Roadmap\n\n### Phase 1\n\n- Queen counter\n\n### Phase 2\n\n- Hive weight alarms\n`;
  const [core, roadmap] = readDocument(doc, 'DOC.md').outline.items;
  expect(JSON.stringify(core)).not.toContain('Hive weight alarms');
  expect(JSON.stringify(roadmap)).toContain('Hive weight alarms');
});

test('of two that say the same the one with more to say stays, and both where each has more', () => {
  const more = (command: string) => `- Hive weight alarms\n\n  \`\`\`sh\n  ring --${command}\n  \`\`\`\n`;
  const doc = (first: string) =>
    `# Hives\n\n## Core Features\n\n${first}- Queen counter\n\n## Security Considerations\n\n- Lock on the lid\n${more('low')}`;
  expect(read(doc('- Hive weight alarms\n')).leaves).toEqual([
    'Queen counter',
    'Lock on the lid',
    'Hive weight alarms',
  ]);
  expect(read(doc(more('high'))).leaves).toHaveLength(4);
});

test.each([
  ['the test of it', '## Testing Requirements\n\n- Hive weight alarms\n'],
  ['with another number', '## Security Considerations\n\n- Hive weight alarms at 9\n'],
  ['that it is not there', '## Security Considerations\n\n- No hive weight alarms\n'],
  ['done', '## Security Considerations\n\n- [x] Hive weight alarms\n'],
])('what says the same is no repetition: %s', (_, section) => {
  expect(read(`# Hives\n\n${scales}${section}`).leaves).toHaveLength(4);
});

test('a feature that goes keeps all that it says, also beside a sentence of it that is a goal', () => {
  const doc = `# Hives\n\n## Features\n\n### Honey Ledger\n\nIt must be signed. The budget is 5k, and Ann pays.\n\n- Weekly totals\n- Yearly totals\n\nFirst weeks, then years.\n\n### Scales\n\n- Weighing\n\n## Phase 1\n\n- Honey ledger\n- Launch\n\n## Phase 2\n\n- Scales\n- Party\n`;
  const { outline } = readDocument(doc, 'DOC.md');
  expect(outline.items.map(({ description }) => description)).toEqual(['Phase 1', 'Phase 2']);
  const detail = outline.items[0]?.children[0]?.detail;
  expect(detail).toContain(
    '### Honey Ledger\n\nIt must be signed. The budget is 5k, and Ann pays.\n\n\nFirst weeks, then years.',
  );
  expect(detail).not.toContain('totals');
  expect(accountForOutline(doc, outline, 'DOC.md').left_out).toEqual([]);
});

test('a sentence that goes takes no other words of its section along', () => {
  const doc = `# Hives\n\n## Features\n\n### Guard\n\nThe swarm alarm siren must ring. Bears are Ben’s affair.\n\n- Weekly honey totals\n- Lock on the lid\n\n${phases}- Swarm alarm siren\n`;
  const { outline } = readDocument(doc, 'DOC.md');
  const growth = outline.items.find(({ description }) => description === 'Phases')?.children[1];
  const siren = growth?.children.find(({ description }) => description === 'Swarm alarm siren');
  expect(siren?.detail).toBe('The swarm alarm siren must ring');
});
