import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import type { ReadingChoice } from '../../src/planning/documents/section-choice.js';

const FOLDER = new URL('../fixtures/documents/', import.meta.url);
const documents = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

function read(text: string, choice?: ReadingChoice, file = 'PLAN.md') {
  return readDocument(text, file, choice);
}

/** Everything that a reading says of the goals, a line each. */
function drawn(items: readonly DocumentItem[], indent = ''): string {
  return items
    .map((item, index) => {
      const {
        description,
        complete,
        tags = [],
        after = [],
        acceptance = [],
        outOfScope = [],
        children,
      } = item;
      const marks = `${tags.length === 0 ? '' : ` {${tags.join(' ')}}`}${after.length === 0 ? '' : ` <- ${after.map((place) => place + 1).join(' ')}`}`;
      const notes = [...acceptance.map((text) => `? ${text}`), ...outOfScope.map((text) => `- ${text}`)];
      return [
        `${indent}${index + 1}. ${complete ? '[x] ' : ''}${description}${marks}`,
        ...notes.map((note) => `${indent}     ${note}`),
        ...(children.length === 0 ? [] : [drawn(children, `${indent}   `)]),
      ].join('\n');
    })
    .join('\n');
}

function wholeOf({ outline, leftOut }: ReturnType<typeof readDocument>): string {
  const { title, acceptance = [], outOfScope = [], items } = outline;
  const named = leftOut.filter(({ heading }) => heading !== '');
  return `${[
    title ?? '(no title)',
    ...acceptance.map((text) => `     ? ${text}`),
    ...outOfScope.map((text) => `     - ${text}`),
    drawn(items),
    '',
    ...named.map(({ heading, why, start_line: from, end_line: to }) => `${why}: ${heading} (${from}-${to})`),
  ].join('\n')}\n`;
}

function namesOf(items: readonly DocumentItem[]): readonly unknown[] {
  return items.map(({ description, children }) =>
    children.length === 0 ? description : [description, ...namesOf(children)],
  );
}

describe('requirements documents of many houses', () => {
  test('there are seventeen', () => {
    expect(documents).toHaveLength(17);
  });

  test.each(documents)('%s gives the tree beside it', async (path) => {
    const text = readFileSync(new URL(path, FOLDER), 'utf8');
    const tree = new URL(path.replace(/\.md$/, '.tree'), FOLDER).pathname;
    await expect(wholeOf(readDocument(text, path))).toMatchFileSnapshot(tree);
  });

  test.each(documents)(
    '%s: its goals keep all the rest as detail, and --all plans the context too',
    (path) => {
      const text = readFileSync(new URL(path, FOLDER), 'utf8');
      const { outline, leftOut } = readDocument(text, path);
      const all = JSON.stringify(outline);
      const lines = text.split('\n');
      const first = leftOut
        .filter(({ heading, why }) => heading !== '' && why === 'context')
        .map(({ start_line: from }) => JSON.stringify(lines[from - 1] ?? '').slice(1, -1));
      expect(first.filter((line) => !all.includes(line))).toEqual([]);
      const whole = readDocument(text, path, { all: true });
      expect(whole.leftOut.filter(({ why }) => why === 'context')).toEqual([]);
      expect(JSON.stringify(whole.outline.items).length).toBeGreaterThanOrEqual(
        JSON.stringify(outline.items).length,
      );
    },
  );
});

describe('readDocument', () => {
  test('leaves out what explains, whatever its number, case and decoration', () => {
    const headings = [
      '1. Background',
      '2) RISKS & MITIGATIONS',
      '## 3.1 Why now?',
      '**Glossary**',
      'Part II: Value Proposition',
      '📚 References',
      'IV. Open Questions',
      'Appendix B: Survey',
      'What is Larder?',
    ];
    const text = headings.map((heading) => `## ${heading.replace(/^#+ /, '')}\n\n- one\n- two\n`).join('\n');
    const { outline, leftOut } = read(`${text}\n## Search\n\n- index\n`);
    expect(namesOf(outline.items)).toEqual([['Search', 'index']]);
    expect(leftOut).toHaveLength(headings.length);
    expect(outline.detail).toContain('## 2) RISKS & MITIGATIONS');
  });

  test('takes a section that may be context as work when it reads like work', () => {
    expect(namesOf(read('## Users\n\n- Add a user\n- Rename a user\n').outline.items)).toEqual([
      ['Users', 'Add a user', 'Rename a user'],
    ]);
    expect(namesOf(read('## Users\n\n- Mia, 27\n- Ben, 61\n').outline.items)).toEqual([]);
    expect(namesOf(read('## Notes\n\n- [ ] call Ann\n').outline.items)).toEqual([['Notes', 'call Ann']]);
  });

  test('aims are context only where the work is named elsewhere', () => {
    expect(namesOf(read('## Goals\n\n- Sell more\n').outline.items)).toEqual([['Goals', 'Sell more']]);
    const { outline } = read('## Goals\n\n- Sell more\n\n## Requirements\n\n- Show prices\n');
    expect(namesOf(outline.items)).toEqual([['Requirements', 'Show prices']]);
  });

  test('what is out of scope belongs to what it stands under', () => {
    const { outline } = read(
      '# Shop\n\n## Search\n\n- Find by name\n\n### Out of scope\n\n- Spelling\n\n## Not in scope\n\nNo second language.\n',
    );
    expect(outline.outOfScope).toEqual(['No second language.']);
    expect(outline.items).toMatchObject([{ description: 'Search', outOfScope: ['Spelling'] }]);
  });

  test('criteria and scenarios belong to what they stand under', () => {
    const { outline } = read(
      [
        '## Search',
        '',
        '- Find by name',
        '  - Given a shop',
        '  - When I type "ap"',
        '  - Then I see apples',
        '- Find by colour',
        '  - Acceptance criteria:',
        '    - red finds cherries',
        '    - Given no match, when I search, then I am told',
        '- When the list is long, show pages',
      ].join('\n'),
    );
    expect(outline.items[0]?.children).toMatchObject([
      {
        description: 'Find by name',
        acceptance: ['Given a shop, when I type "ap", then I see apples'],
        children: [],
      },
      {
        description: 'Find by colour',
        acceptance: ['red finds cherries', 'Given no match, when I search, then I am told'],
        children: [],
      },
      { description: 'When the list is long, show pages' },
    ]);
  });

  test('the rows of a table that names requirements are goals, and those of another are detail', () => {
    const { outline } = read(
      [
        '## Features',
        '',
        '| Feature | Description | MoSCoW | Status | Owner |',
        '|---|---|---|---|---|',
        '| Search | Find by name | Must | done | Ann |',
        '| Basket | | Should | | |',
        '| Fax | Order by fax | Won’t | | |',
        '| | | | | |',
        '',
        '| Country | Tax |',
        '|---|---|',
        '| DE | 19 % |',
      ].join('\n'),
    );
    expect(outline.items).toMatchObject([
      {
        description: 'Features',
        detail: expect.stringContaining('19 %'),
        children: [
          { description: 'Search: Find by name', complete: true, tags: ['Must'], detail: 'Owner: Ann' },
          {
            description: 'Basket',
            complete: false,
            tags: ['Should'],
            source: { start_line: 6, end_line: 6 },
          },
        ],
      },
    ]);
    expect(outline.outOfScope).toEqual(['Fax: Order by fax']);
  });

  test('phases follow each other by their numbers, wherever they stand', () => {
    const { outline } = read(
      '## Phase 2: Grow\n\n- b\n\n## Notes on style\n\n- c\n\n## Phase 1: Start\n\n- a\n\n## Phase 3\n\n- d\n',
    );
    expect(outline.items.map(({ description, after }) => [description, after])).toEqual([
      ['Phase 1: Start', []],
      ['Phase 2: Grow', [0]],
      ['Phase 3', [1]],
    ]);
    const sprints = read('- Sprint 1: login\n- Sprint II: search\n- Sprint three: basket\n');
    expect(sprints.outline.items.map(({ after }) => after)).toEqual([[], [0], [1]]);
    const steps = read('1. measure\n2. cut\n');
    expect(steps.outline.items.map(({ after }) => after)).toEqual([[], [0]]);
    const listed = read('## Requirements\n\n1. Prices in euros\n2. Two languages\n');
    expect(listed.outline.items[0]?.children.map(({ after }) => after)).toEqual([[], []]);
  });

  test('numbers and marks are no part of a goal’s words, and other numbers are', () => {
    const names: readonly (readonly [string, string, readonly string[]])[] = [
      ['1. Login', 'Login', []],
      ['2.3 Login', '2.3 Login', []],
      ['FR-001: Login', 'Login', ['FR-001']],
      ['**US-7** – Login', 'Login', ['US-7']],
      ['User Story 2 - Login (Priority: P1)', 'Login', ['US2', 'P1']],
      ['Requirement: Login', 'Login', []],
      ['[R4] Login (must have)', 'Login', ['R4', 'must have']],
      ['#42 Login', 'Login', ['#42']],
      ['3D viewer', '3D viewer', []],
      ['2 factor login', '2 factor login', []],
      ['UTF-8: everywhere', 'UTF-8: everywhere', []],
      ['S3 storage', 'S3 storage', []],
      ['1.', '1.', []],
    ];
    for (const [heading, description, tags] of names) {
      const [item] = read(`## ${heading.startsWith('#') ? `\\${heading}` : heading}\n\nText.\n`).outline
        .items;
      expect([item?.description, item?.tags ?? []]).toEqual([description, tags]);
    }
  });

  test('what a section demands in prose beside its parts is a goal too', () => {
    const { outline } = read(
      '## Scanner\n\nThe scanner must beep. It shall glow. It is black.\n\n- Read codes\n',
    );
    expect(namesOf(outline.items)).toEqual([
      ['Scanner', 'The scanner must beep', 'The scanner shall glow', 'Read codes'],
    ]);
  });

  test('only and skip choose sections by their headings', () => {
    const text = '# Shop\n\n## 1. Search\n\n- a\n\n## Basket\n\n- b\n\n### Taxes\n\n- c\n\n## FAQ\n\n- d\n';
    expect(namesOf(read(text, { only: ['basket'] }).outline.items)).toEqual([
      ['Basket', 'b', ['Taxes', 'c']],
    ]);
    expect(namesOf(read(text, { only: ['Taxes'] }).outline.items)).toEqual([['Basket', ['Taxes', 'c']]]);
    expect(namesOf(read(text, { skip: ['Taxes', 'Search'] }).outline.items)).toEqual([['Basket', 'b']]);
    expect(namesOf(read(text, { all: true, skip: ['Basket'] }).outline.items)).toEqual([
      ['Search', 'a'],
      ['FAQ', 'd'],
    ]);
    expect(read(text, { only: ['Pets'], skip: ['search'] }).unknown).toEqual(['Pets']);
  });

  test('the README of a product tells what there is; its roadmap is what is to be done', () => {
    const text =
      '# tool\n\n## Features\n\n- fast\n\n## Installation\n\n- npm i\n\n## Usage\n\n1. run\n\n## TODO\n\n- colours\n';
    expect(namesOf(read(text).outline.items)).toEqual([['TODO', 'colours']]);
    expect(namesOf(read('## Installation\n\n- Mount the pump\n').outline.items)).toEqual([
      ['Installation', 'Mount the pump'],
    ]);
  });

  test('a document that only explains has no goals, and any text is read to its end', () => {
    expect(read('# Essay\n\n## Introduction\n\nText.\n').outline.items).toEqual([]);
    for (const text of [
      '',
      '\uFEFF',
      '|',
      '## \n',
      '- Given\n- Then',
      '```[tasklist]\n- [ ] a',
      '## __proto__\n\n- constructor',
    ]) {
      expect(() => read(text)).not.toThrow();
      expect(() => read(text, { all: true, only: ['x'], skip: ['__proto__'] })).not.toThrow();
    }
  });
});

describe('a document that explains', () => {
  test('a report of a fault is one goal, whether its sections are headings or in bold; only its boxes are parts', () => {
    for (const mark of [(name: string) => `## ${name}`, (name: string) => `**${name}**`]) {
      const text = [
        mark('Describe the bug'),
        'The basket is empty after a reload.',
        mark('To Reproduce'),
        'Steps to reproduce the behavior:',
        '1. Go to the shop',
        '2. Add bread',
        '3. Reload',
        mark('Expected behavior'),
        'The bread is still there.',
        mark('Environment'),
        '- OS: Linux',
        '- Browser: Firefox 140',
        mark('Additional context'),
        'Since last week.',
      ].join('\n\n');
      const { outline } = read(text);
      expect(outline.items).toEqual([]);
      expect(outline.acceptance).toEqual(['The bread is still there.']);
      for (const kept of ['Add bread', 'Firefox 140', 'Since last week.'])
        expect(outline.detail).toContain(kept);
      const withTasks = read(
        `${text}\n\n## Tasks\n\n- [ ] Keep the basket\n  - [x] in the browser\n- [ ] Test it\n`,
      );
      expect(namesOf(withTasks.outline.items)).toEqual([['Keep the basket', 'in the browser'], 'Test it']);
    }
  });

  test('of a decision record only what somebody is told to do is work', () => {
    const record = [
      '# Use PostgreSQL',
      '## Context and Problem Statement',
      'We need a store.',
      '## Decision Drivers',
      '- Cost',
      '- Knowledge in the team',
      '## Considered Options',
      '- PostgreSQL',
      '- Files',
      '## Decision Outcome',
      'Chosen option: PostgreSQL, because it is known.',
      '### Consequences',
      '- Good, because it is fast',
      '- Bad, because it has to be run',
      '## Pros and Cons of the Options',
      '### Files',
      '- Good, because simple',
    ].join('\n\n');
    expect(read(record).outline.items).toEqual([]);
    expect(read(record).outline.detail).toContain('Chosen option: PostgreSQL');
    const planned = `${record}\n\n## Rollout\n\n1. Export the files\n2. Import them\n`;
    expect(JSON.stringify(namesOf(read(planned).outline.items))).toBe(
      '[["Rollout","Export the files","Import them"]]',
    );
  });

  test('of an RFC and a post-mortem too', () => {
    const rfc =
      '# Shorter names\n\n## Summary\n\nShort.\n\n## Guide-level explanation\n\n### Names\n\nA name is short.\n\n## Drawbacks\n\n- Churn\n\n## Prior art\n\n- Others\n\n## Unresolved questions\n\n- Which?\n';
    expect(read(rfc).outline.items).toEqual([]);
    const incident =
      '# Outage\n\n## Timeline\n\n- 10:00 Alarm\n- 10:20 Restarted\n\n## Root cause\n\n- A full disk\n\n## What went well\n\n- The alarm rang\n\n## Lessons learned\n\n- Disks fill\n\n## Action items\n\n- Watch the disk\n- Rotate the logs\n';
    expect(JSON.stringify(namesOf(read(incident).outline.items))).toBe(
      '[["Action items","Watch the disk","Rotate the logs"]]',
    );
  });
});

test('what was released is no work, what a roadmap plans by version is', () => {
  const log = (title: string) =>
    `# ${title}\n\n## [Unreleased]\n\n### Added\n- Windows paths\n\n## [1.2.0] - 2024-05-06\n\n### Fixed\n- Crash on start\n`;
  const made =
    '## [3.3.30](https://example.org/c) (2026-05-30)\n\n### Bug Fixes\n\n* drop the old profile\n\n## [3.3.29](https://example.org/c) (2026-05-29)\n\n### Features\n\n* update templates\n';
  for (const text of [
    log('Changelog'),
    log('What is new'),
    made,
    '# Release notes\n\n## v2.1 (2024-05-06)\n- Faster\n',
  ])
    expect(read(text).outline.items).toEqual([]);
  const roadmap = '# Roadmap\n\n## v2.0 (Q3 2026)\n- Add plugins\n- Write a guide\n\n## v2.1\n- Add themes\n';
  expect(drawn(read(roadmap).outline.items)).toContain('Add plugins');
});

test('how a thing is today, when to read on and who decided is no work', () => {
  const text =
    '# Highlights\n\n- **Epic:** x-3bkj\n- Deciders: Ana\n\n## Current Implementation Analysis\n- Marks wrap text\n\n## When to write one\n- Choosing between ways\n\n## Trade-offs\n- Simple offsets\n\n## Files to modify\n- src/a.ts\n\n## Tasks\n- Draw marks\n';
  expect(drawn(read(text).outline.items)).toBe('1. Tasks\n   1. Draw marks');
});

describe('a document with a plan of its own', () => {
  const plan = [
    '## Development phases',
    '',
    '**Phase 1: Base** (one week)',
    '',
    '- Set up the project',
    '- Show the camera',
    '- Accept: it starts on a clean machine',
    '',
    '**Phase 2: Drawing**',
    '',
    '- Draw lines',
    '- Undo them',
    '',
    '**Phase 10: Release**',
    '',
    '- Sign the app',
    '- Publish it',
    '',
    '**Phase 3: Colours**',
    '',
    '- Choose a colour',
    '- Choose a width',
  ].join('\n');

  test('labels of several lists are its parts, in the order of their numbers, and what is accepted is a criterion', () => {
    expect(drawn(read(`# App\n\n${plan}\n`).outline.items)).toBe(
      [
        '1. Development phases',
        '   1. Phase 1: Base',
        '        ? Accept: it starts on a clean machine',
        '      1. Set up the project',
        '      2. Show the camera',
        '   2. Phase 2: Drawing <- 1',
        '      1. Draw lines',
        '      2. Undo them',
        '   3. Phase 3: Colours <- 2',
        '      1. Choose a colour',
        '      2. Choose a width',
        '   4. Phase 10: Release <- 3',
        '      1. Sign the app',
        '      2. Publish it',
      ].join('\n'),
    );
  });

  test('what other sections list describes it, but for what is required, told or asked for', () => {
    const about = [
      '## The market',
      'Large.',
      '## Loop',
      '1. Scan: what is there',
      '2. Judge: new ones',
      '3. Execute: place the order',
      '## Screens',
      '- Home: the list',
      '- The list must be sorted',
      '## Revenue model',
      '- Rebates',
      '## Product principles',
      '- Keep it local',
      '## Words',
      '- "Start camera"',
      '- "Test drawing"',
      '- src/words/index.ts',
      '## Requirements',
      '- Two languages',
      '## Clean up',
      '- Remove the old page',
      '- Delete its tables',
    ].join('\n\n');
    const { outline, leftOut } = read(`# App\n\n${about}\n\n${plan}\n`);
    expect(namesOf(outline.items).slice(0, -1)).toEqual([
      ['Screens', 'The list must be sorted'],
      ['Requirements', 'Two languages'],
      ['Clean up', 'Remove the old page', 'Delete its tables'],
    ]);
    const headings = leftOut.filter(({ why }) => why === 'context').map(({ heading }) => heading);
    expect(headings).toEqual(
      expect.arrayContaining(['The market', 'Loop', 'Revenue model', 'Product principles', 'Words']),
    );
    expect(outline.detail).toContain('Execute: place the order');
    const whole = read(`# App\n\n${about}\n\n${plan}\n`, { all: true });
    expect(JSON.stringify(namesOf(whole.outline.items))).toContain('Execute: place the order');
  });

  test('without one, every list is work as before', () => {
    const { outline } = read('# App\n\n## Loop\n\n1. A scan of what is there\n2. A judge of new ones\n');
    expect(namesOf(outline.items)).toEqual([['Loop', 'A scan of what is there', 'A judge of new ones']]);
  });
});

test('headings say by a sign which of them are done, where others of their level do not', () => {
  const text =
    '## Phase 1\n\n### ✅ M-1.2 Copy\n\n- with a menu\n\n### M-1.10 Sort ✅\n\n### M-1.11 Filter\n\n## ✅ Phase 2\n';
  expect(drawn(read(text).outline.items)).toBe(
    [
      '1. Phase 1',
      '   1. [x] M-1.2 Copy',
      '      1. [x] with a menu',
      '   2. [x] M-1.10 Sort',
      '   3. M-1.11 Filter',
      '2. ✅ Phase 2 <- 1',
    ].join('\n'),
  );
  const section =
    '## Phase 1\n\n- Sign in\n\n## Completed in phase 2\n\n- Search\n\n## Done when\n\n- it works\n';
  expect(drawn(read(section).outline.items)).toBe(
    ['1. Phase 1', '   1. Sign in', '2. [x] Completed in phase 2', '   1. [x] Search'].join('\n'),
  );
  const said =
    '## v0.1 — Registry — Implemented\n\n- List it\n\n## v0.2 Guard (done)\n\n## v0.3 — Mark as done\n';
  expect(drawn(read(said).outline.items)).toBe(
    ['1. [x] v0.1 — Registry', '   1. [x] List it', '2. [x] v0.2 Guard', '3. v0.3 — Mark as done'].join('\n'),
  );
});

test('the last word of a heading tells what it is to a plan that names its work', () => {
  const text =
    '## Technical risks\n\n- A late model\n\n## Release timeline\n\n- May\n\n## Add an order summary\n\n- with a total\n\n## Recommended roadmap\n\n- Wrap it\n\n## Features\n\n### Sales overview\n\n- a chart\n';
  expect(namesOf(read(text).outline.items)).toEqual([
    ['Add an order summary', 'with a total'],
    ['Recommended roadmap', 'Wrap it'],
    ['Features', ['Sales overview', 'a chart']],
  ]);
});

test('a proposal with a table of contents, questions and boxes is what its boxes, stories and told lists say', () => {
  const text = [
    '# Harden it',
    '<!-- toc -->',
    '- [Summary](#summary)',
    '- [Proposal](#proposal)',
    '  - [User Stories](#user-stories)',
    '- [Design Details](#design-details)',
    '<!-- /toc -->',
    '',
    '## Checklist',
    '- [ ] Approve the design',
    '## Proposal',
    '### User Stories',
    '- As an operator, I want to see a refused name.',
    '## Design Details',
    '### Bands',
    '- Lower band: 30000',
    '### Test Plan',
    '- client: 2024-10-07 - 28.2',
    '## Questions for production',
    '### How can it be disabled?',
    '- [x] Feature gate',
    '  - Name: HardNames',
    '### Monitoring',
    '- [ ] Add a metric of refused names',
    '- refused_names_total',
    '## Drawbacks',
    '- More to run',
    '## Alternatives',
    '- None',
  ].join('\n');
  expect(namesOf(read(text).outline.items)).toEqual([
    ['Checklist', 'Approve the design'],
    ['Proposal', ['User Stories', 'As an operator, I want to see a refused name.']],
    ['Questions for production', ['Monitoring', 'Add a metric of refused names']],
  ]);
  expect(read(text).outline.detail).toContain('Lower band: 30000');
});

test('a list that describes is read as a whole; what a product does, and what a report found, is no work', () => {
  const told =
    '## Proposal\n\n### Defaults\n\n- Add a field\n- Fill it in\n- validation of it\n- `defaults.go`\n\n### Names\n\nShort.\n';
  const record = `# Labels\n\n## Summary\n\nShort.\n\n${told}\n## Drawbacks\n\n- More\n\n## Alternatives\n\n- None\n`;
  expect(JSON.stringify(namesOf(read(record).outline.items))).toContain(
    '["Defaults","Add a field","Fill it in","validation of it","defaults.go"]',
  );
  const product =
    '# ports\n\n## Installation\n\n- npm i\n\n## Usage\n\n### claim\n\n- `--json`: as JSON\n\n## Where data is\n\n1. the variable\n2. the home\n\n## Planned features\n\n- colours\n';
  expect(namesOf(read(product).outline.items)).toEqual([['Planned features', 'colours']]);
  const report =
    '# T6 Validation report\n\nPASS.\n\n## Gate\n\n- collected: 3\n- Run the linter\n\n## Follow up\n\n- Batch it\n';
  expect(namesOf(read(report).outline.items)).toEqual([['Follow up', 'Batch it']]);
  const order = read('## Precedence\n\n1. Use the flag\n2. Use the file\n').outline.items[0]?.children;
  expect(order?.map(({ after }) => after)).toEqual([[], []]);
});
