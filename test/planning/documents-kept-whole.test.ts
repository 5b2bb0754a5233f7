import { describe, expect, test } from 'vitest';

import { readDocument } from '../../src/planning/documents/read-document.js';
import { readLeaves as read } from '../support/document-leaves.js';

describe('a number that begins an item or a heading is numbering only where it numbers', () => {
  const OWN = [
    '99.9 % uptime',
    '2.5 GB limit per user',
    '0.5 s response time',
    '3.11 Python support',
    '12.10.2026 launch',
    '100.000 Euro raised',
  ];

  test('it stays with an item, a heading, a criterion and a non-goal that it says something of', () => {
    expect(read(`# Dairy\n\n## Tasks\n\n${OWN.map((each) => `- ${each}\n`).join('')}`).leaves).toEqual(OWN);
    const headings = OWN.map((each) => `### ${each}\n\n- Wash it\n- Dry it\n\n`).join('');
    const { items } = readDocument(`# Dairy\n\n## Tasks\n\n${headings}`, 'DOC.md').outline;
    expect(items[0]?.children.map(({ description }) => description)).toEqual(OWN);
    const { acceptance, outOfScope } = read(
      '# Dairy\n\n## Tasks\n\n- Churn\n\n## Acceptance criteria\n\n- 99.9 % uptime\n\n## Non-goals\n\n- 2.5 GB limit\n',
    );
    expect([acceptance, outOfScope]).toEqual([['99.9 % uptime'], ['2.5 GB limit']]);
  });

  test('it is numbering beside the numbers next to it, below its chapter, and in chapters', () => {
    const leaves = (list: string) => read(`# Dairy\n\n## Tasks\n\n${list}`).leaves;
    expect(leaves('- 1.1 Milk\n- 1.2 Churn\n- 1.3 Salt\n')).toEqual(['Milk', 'Churn', 'Salt']);
    expect(leaves('- [ ] 3\\. Store\n  - [ ] 3.1 Milk\n  - [ ]* 3.2 Churn\n  - [ ] 3.3 Salt\n')).toEqual([
      'Milk',
      '[ ]* 3.2 Churn',
      'Salt',
    ]);
    expect(leaves('### 1.0 Milk\n\nMilk it.\n\n### 2.0 Churn\n\nChurn it.\n')).toEqual(['Milk', 'Churn']);
    expect(leaves('### 1. Milk\n\nMilk it.\n')).toEqual(['Milk']);
  });
});

test('criteria keep what stands in them below their first line, and where their links lead', () => {
  const text =
    '# Barn\n\n## Gate\n\n- Hang the gate\n\n### Acceptance criteria\n\n- Follows the [plan](https://a.b/plan)\n- Command:\n\n  ```sh\n  make check\n  ```\n- Quote\n  > of the farmer\n- para one\n\n  para two\n- Shuts\n\n## Shed\n\n- Paint it\n';
  const { detail } = read(text);
  for (const each of ['https://a.b/plan', 'make check', 'of the farmer', 'para two'])
    expect(detail).toContain(each);
  expect(detail).not.toContain('Shuts');
  const scenario =
    '# Barn\n\n## Gate\n\n- Hang the gate\n- Given a cow\n\n  > a brown one\n- When it comes\n- Then the gate opens\n';
  expect(read(scenario).detail).toContain('a brown one');
  const stated =
    '# Barn\n\n## Tasks\n\n### Hang the gate\n\n- It closes by itself\n- It opens to [both](http://a.b/c) sides\n\n### Paint it\n';
  expect(read(stated).detail).toContain('http://a.b/c');
});

describe('names of context with other words behind them are work below a section of work', () => {
  const features = (name: string) =>
    read(
      `# Farm\n\n## Features\n\n### ${name}\n\n- Wash the jars\n- Fill the jars\n\n### Search\n\n- Index\n`,
    ).leaves;

  test.each([
    'Background jobs',
    'Background sync',
    'Introduction screen',
    'Appendix tables',
    'Decision log',
    'List of orders',
  ])('%s is work', (name) => {
    expect(features(name)).toEqual(['Wash the jars', 'Fill the jars', 'Index']);
  });

  test.each([
    'Background',
    'Introduction',
    'Appendix',
    'Appendix B: jars',
    'Introduction to jars',
    'Background and context',
  ])('%s is context', (name) => {
    expect(features(name)).toEqual(['Index']);
  });
});
