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
