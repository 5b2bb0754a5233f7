import { expect, test } from 'vitest';

import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { readDocument } from '../../src/planning/documents/read-document.js';

const read = (text: string, file = 'PLAN.md') => readDocument(text, file).outline;

function leavesOf(items: readonly DocumentItem[]): readonly string[] {
  return items.flatMap(({ description, children }) =>
    children.length === 0 ? [description] : leavesOf(children),
  );
}

const leaves = (text: string) => leavesOf(read(text).items);

/** All that the goals say, of every member. */
const whole = (text: string) => JSON.stringify(read(text));

test('what is measured, how one knows to go on, risks and reading are no goals, whatever the headings around them plan', () => {
  const text = `# Plan

## Testing strategy

- Write tests for the parser

### Quality metrics

- Requirements completeness score
- Budget variance percentage

## Success metrics

### User experience

- Settings open in less than 2 seconds

## Phase transition criteria

### Ready for launch when:

- 10K users

## Go/No-Go criteria

- Output of status and list

## Risk mitigation

- Market risk: freelancers, competitors

## Suggested reading

- Proposal of tracers
`;
  expect(leaves(text)).toEqual(['Write tests for the parser']);
  for (const kept of [
    'Budget variance',
    'open in less',
    '10K users',
    'Output of status',
    'freelancers',
    'tracers',
  ])
    expect(whole(text)).toContain(kept);
});

test('metrics and criteria that somebody is told to make are goals', () => {
  const text = `# Plan

## Tasks

- Track metrics

## Collect metrics

- Add a counter for each request
- Write them to a file

## Define go/no-go criteria

- Ask the pilots
`;
  expect(leaves(text)).toEqual([
    'Track metrics',
    'Add a counter for each request',
    'Write them to a file',
    'Ask the pilots',
  ]);
});

test('a guide tells its readers, and a plan of that name its makers', () => {
  const steps =
    '## Configure the client\n\n1. Open the settings\n2. Click Save\n\n## Next steps\n\n- Add screenshots\n';
  expect(leaves(`# Client setup guide\n\n${steps}`)).toEqual(['Add screenshots']);
  expect(whole(`# Client setup guide\n\n${steps}`)).toContain('Click Save');
  for (const title of ['Client migration guide', 'Write a user guide', 'Client setup'])
    expect(leaves(`# ${title}\n\n${steps}`)).toContain('Click Save');
});

test('what words and fields mean is detail of what speaks of them', () => {
  const text = `# Plan

## Features

- Read the run file
  - \`app_id\` application ID, passed to the sidecar
  - \`app_dir\` directory of the application
- The file has these fields:
  - **Name** – what people see
  - **Port** – where it listens
- Support two modes
  - **Fast** – write a cache for it
  - **Slow** – read each file
`;
  expect(leaves(text)).toEqual([
    'Read the run file',
    'The file has these fields:',
    'Fast – write a cache for it',
    'Slow – read each file',
  ]);
  expect(whole(text)).toContain('directory of the application');
  expect(whole(text)).toContain('where it listens');
});

test('what a thing does is a criterion of the thing; what somebody is to do beneath it stays a goal', () => {
  const text = `# Plan

## Features

- Streaks
  - Creates a daily return pressure
  - Resets the count at midnight
- Packaging
  - Build the extension
  - Copy the files
- Reports
  - Tests for the parser
  - Designs for print
`;
  const { items } = read(text);
  expect(leavesOf(items)).toEqual([
    'Streaks',
    'Build the extension',
    'Copy the files',
    'Tests for the parser',
    'Designs for print',
  ]);
  expect(items[0]?.children[0]?.acceptance).toEqual([
    'Creates a daily return pressure',
    'Resets the count at midnight',
  ]);
});

test('a row that is called by a key alone is called by what it says', () => {
  const text =
    '# Plan\n\n| Requirement | Notes | Priority |\n| --- | --- | --- |\n| REQ-1 | Users can sign in by mail | P1 |\n| Search | With filters and more | P2 |\n';
  const [first, second] = read(text).items;
  expect(first?.description).toBe('Users can sign in by mail');
  expect(first?.tags).toEqual(expect.arrayContaining(['REQ-1', 'P1']));
  expect([second?.description, second?.detail]).toEqual(['Search', 'Notes: With filters and more']);
});

test('a document without a title is called as its front matter says', () => {
  expect(read('---\nfeature: Sign in\n---\n\n- Add a form\n').title).toBe('Sign in');
  expect(read('---\nname: Sign in\nid: 3\n---\n\n- Add a form\n').title).toBe('Sign in');
  expect(read('---\nname: sign-in\n---\n\n# Sign in by mail\n\n- Add a form\n').title).toBe(
    'Sign in by mail',
  );
});

test('what is only told elsewhere or shown is no goal', () => {
  const text =
    '# Plan\n\n## Tasks\n\n- How users sign in\n- Example of the output\n- How to sign in must be documented\n- Why-not page\n- [ ] How it looks\n';
  expect(leaves(text)).toEqual(['How to sign in must be documented', 'Why-not page', 'How it looks']);
  expect(whole(text)).toContain('How users sign in');
});

test('cases, and what is named as following, say more of what stands above them', () => {
  const text = `# Plan

## Phase objectives

- A reliable platform

## Precedence of settings

- If no field is set, the shell counts
- If not, look for the folder
- The nearer one overrides the other

## Tasks

- Settings can be given in the following order (first counts):
  1. Per-request parameter
  2. Environment variables
- Support the following formats:
  - Write a reader of CSV
  - Add JSON
`;
  const { items, detail } = read(text);
  expect(leavesOf(items)).toEqual([
    'Precedence of settings',
    'Settings can be given in the following order (first counts):',
    'Write a reader of CSV',
    'Add JSON',
  ]);
  expect(items[0]?.acceptance).toHaveLength(3);
  expect(detail).toContain('A reliable platform');
});

test('a part of what a record tells to do is none where it only describes', () => {
  const text =
    '# RFC: Attributes\n\n## Drawbacks\n\nNone.\n\n## Alternatives\n\nNone.\n\n## Adoption strategy\n\n- Write a guide for migration\n\n### Enumerated attributes\n\nThese were strings before.\n\n### Flags\n\nRemove the flag in 3.1.\n';
  expect(leaves(text)).toEqual(['Write a guide for migration', 'Flags']);
  expect(whole(text)).toContain('These were strings before.');
});

test('what a hook mostly does, how one sees that it works, and what a change means for others are no goals', () => {
  const text = `# Plan

## Tasks

- Add the hook
  - Derived from the store
  - Removes the closed epics
  - Creates the progress bar
- Write the page

## Success indicators

- Clean runs

## Impact on existing code

- None

## Changes from revision 1

- Renamed the hook
`;
  const { items, acceptance } = read(text);
  expect(leavesOf(items)).toEqual(['Add the hook', 'Write the page']);
  expect(items[0]?.children[0]?.acceptance).toHaveLength(3);
  expect(acceptance).toEqual(['Clean runs']);
  expect(whole(text)).toContain('Renamed the hook');
});

test('a name of code that a record explains is no goal', () => {
  const text =
    '# RFC: Access\n\n## Drawbacks\n\nNone.\n\n## Alternatives\n\nNone.\n\n## Proposed solution\n\n### Levels\n\n- `public`: seen outside the module\n- `private`: seen within the declaration\n\n### Checks\n\nWarn about a broader level.\n';
  expect(leaves(text)).not.toContain('public: seen outside the module');
  expect(whole(text)).toContain('seen within the declaration');
});

test('a plan to work on a guide, or to build one into a product, is a plan', () => {
  const guides = ['Update the user guide', 'Fix the installation guide', 'Rewrite the admin manual'];
  for (const title of [...guides, 'Translate the manual'])
    expect(leaves(`# ${title}\n\n## Installation\n\n- The chapter on Docker\n- Screenshots\n`)).toEqual([
      'The chapter on Docker',
      'Screenshots',
    ]);
  expect(
    leaves('# Interactive tutorial\n\n## Overlay\n\n- Build the overlay\n- Store "your progress"\n'),
  ).toEqual(['Build the overlay', 'Store "your progress"']);
  expect(
    leaves(
      '# In-app walkthrough\n\n## Build the overlay\n\nOn each page.\n\n## Store progress\n\nBy user.\n',
    ),
  ).toEqual(['Build the overlay', 'Store progress']);
  for (const steps of ['```\nnpm install\n```', '1. Find the file', 'Now you can start.'])
    expect(leaves(`# Deployment guide\n\n## Install the tool\n\n${steps}\n\n- Run the build\n`)).toEqual([]);
});

test('what a change leads to is work where it tells what to do', () => {
  const text = `# Plan

## Parser

- Write the grammar

## Changes from code review

- Rename the parser
- Add tests for the lexer

## Impact on billing

- Migrate old invoices

## Effects on clients

- Slower answers

## Later steps

- Impact on the store
  - Add a column to items
`;
  expect(leaves(text)).toEqual([
    'Write the grammar',
    'Rename the parser',
    'Add tests for the lexer',
    'Migrate old invoices',
    'Add a column to items',
  ]);
  expect(whole(text)).toContain('Slower answers');
});

test('a row with a key alone is called by no priority, state or criterion', () => {
  const named = (header: string, row: string) =>
    read(`# Plan\n\n${header}\n${header.replaceAll(/[^|]+/g, '---')}\n${row}\n`).items[0]?.description;
  expect(named('| Requirement | Progress | Notes |', '| FR-1 | In progress | Login by mail |')).toBe(
    'Login by mail',
  );
  expect(named('| Requirement | Where | Remarks |', '| FR-1 | All pages | Login by mail |')).toBe(
    'Login by mail',
  );
  expect(
    named('| Requirement | Acceptance criteria | Where |', '| FR-1 | The mail is sent | All pages |'),
  ).toBe('All pages');
  for (const [column, said] of [
    ['Priority level', 'Really needed'],
    ['MVP', 'Must have'],
    ['Release', 'Out of scope'],
    ['Release', 'Done in v2'],
  ])
    expect(named(`| Requirement | ${column} | Status |`, `| FR-1 | ${said} | Open |`)).toBe('FR-1');
});

test('what is required, or to be done with code, stays a goal among names of code', () => {
  const text = `# Plan

## Tasks

- Importer:
  - \`a.csv\` people
  - \`b.csv\` orders
  - \`c.csv\` items
  - \`d.csv\` prices
  - The importer must reject duplicates
- Split the compiler:
  - \`emit.ts\` remove globals
  - \`parser.ts\` split into lexer and parser
- Mend the stream
  - \`close()\` flush first
  - \`open()\` retry once
`;
  expect(leaves(text)).toEqual([
    'The importer must reject duplicates',
    'emit.ts remove globals',
    'parser.ts split into lexer and parser',
    'close() flush first',
    'open() retry once',
  ]);
  expect(read(text).items[0]?.children[0]?.detail).toContain('`d.csv` prices');
});

test('metrics that a program has are built, those of its success and with targets are not', () => {
  const metrics = '- Request latency histogram\n- Queue depth gauge\n- Error counter per route\n';
  for (const heading of ['Prometheus metrics', 'Application metrics'])
    expect(leaves(`# Plan\n\n## Tasks\n\n- Add tracing\n\n## ${heading}\n\n${metrics}`)).toHaveLength(4);
  const targets =
    '## Business metrics\n\n- Daily users\n\n## Speed metrics\n\n- First paint under 2 seconds\n- Errors < 1%\n';
  expect(leaves(`# Plan\n\n## Tasks\n\n- Add tracing\n\n${targets}`)).toEqual(['Add tracing']);
});

test('a topic is a goal among what is to be written or done', () => {
  const topics = ['Examples', 'Why we chose Postgres'];
  const list = topics.map((topic) => `- ${topic}\n`).join('');
  expect(leaves(`# Plan\n\n## Documentation\n\n${list}`)).toEqual(topics);
  expect(leaves(`# Plan\n\n## Topics to write\n\n${list}`)).toEqual(topics);
  const others = ['How to deploy page', 'How migrations work page'];
  expect(leaves(`# Plan\n\n## Site\n\n- ${others.join('\n- ')}\n${list}`)).toEqual([...others, ...topics]);
  const work = ['Write the start', 'Add the index', 'Draw the map'];
  expect(leaves(`# Plan\n\n## Site\n\n- ${work.join('\n- ')}\n${list}`)).toEqual([...work, ...topics]);
  expect(leaves(`# Plan\n\n## Settings page\n\n- Switch for mails\n${list}`)).toEqual(['Switch for mails']);
});
