import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { goalSchema } from '../../src/plan/schema.js';
import type { Goal } from '../../src/plan/schema.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { goal, planOf } from '../support/plans.js';
import { UNLINKED } from '../support/unlinked.js';

const FILES = {
  taskmaster: 'tasks.json',
  beads: 'issues.jsonl',
  github: 'issues.json',
  backlog: null,
} as const;
type Tool = keyof typeof FILES;

function newPlace() {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: UNLINKED };
  const workspace = openWorkspace({ environment });
  return { folder, workspace };
}

type Place = ReturnType<typeof newPlace>;

/** Exports to where another place imports it from. */
async function carry({ workspace }: Place, tool: Tool) {
  const other = newPlace();
  const file = FILES[tool];
  if (file === null) {
    const { warnings = [] } = await workspace.export({ format: 'backlog', output: other.folder });
    await other.workspace.import('.');
    return { other, warnings, text: treeText(join(other.folder, 'backlog')) };
  }
  const { content, warnings = [] } = await workspace.export({ format: tool });
  writeFileSync(join(other.folder, file), content ?? '');
  await other.workspace.import(file);
  return { other, warnings, text: content };
}

function treeText(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .filter((name) => /\.(?:md|yml)$/.test(name))
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');
}

/** All that a plan says of its goals, without ids and times; what they wait for by number. */
async function shapeOf({ workspace }: Place) {
  const goals = (await workspace.status({ verbose: true })).goals ?? [];
  const numberOf = new Map(goals.map(({ id, number }) => [id, number]));
  return goals.map((goal) => ({
    ...goal,
    id: goal.number,
    parent_id: numberOf.get(goal.parent_id ?? ''),
    child_ids: goal.child_ids.map((id) => numberOf.get(id)),
    dependencies: goal.dependencies
      .map((id) => numberOf.get(id))
      .toSorted((a = '', b = '') => a.localeCompare(b)),
    created_at: '',
    updated_at: '',
    // What would be written has the time of the import.
    x_beads: goal['x_beads'] === undefined ? undefined : { ...Object(goal['x_beads']), as_written: '' },
  }));
}

const linkOf = (issue_id: string, depends_on_id: string, type: string) => ({
  issue_id,
  depends_on_id,
  type,
  created_at: '2026-01-03T00:00:00Z',
  created_by: 'ana',
});

const BEADS = [
  {
    id: 'bd-1',
    title: 'Epic',
    issue_type: 'epic',
    status: 'open',
    priority: 1,
    created_at: '2026-01-02T03:04:05Z',
  },
  {
    id: 'bd-2',
    title: 'Parser \u001b[31m',
    description: 'Reads it.',
    design: 'By hand.\n\n## Steps\n\n1. Lex',
    notes: 'See RFC.',
    acceptance_criteria: '- [x] Reads all\n- Fails well',
    status: 'closed',
    close_reason: 'Done in 1f2e',
    closed_at: '2026-02-02T03:04:05Z',
    labels: ['core'],
    dependencies: [linkOf('bd-2', 'bd-1', 'parent-child')],
    assignee: 'ana',
  },
  {
    id: 'bd-3',
    title: 'Printer',
    status: 'blocked',
    dependencies: [
      linkOf('bd-3', 'bd-1', 'parent-child'),
      linkOf('bd-3', 'bd-2', 'blocks'),
      linkOf('bd-3', 'bd-2', 'discovered-from'),
    ],
  },
  { id: 'bd-4', title: 'Apart', issue_type: 'bug', status: 'open' },
]
  .map((issue) => ({
    issue_type: 'task',
    priority: 2,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-04T00:00:00Z',
    ...issue,
  }))
  .map((issue) => JSON.stringify(issue))
  .join('\n');

const GITHUB = JSON.stringify([
  {
    number: 7,
    title: 'Release',
    body: 'Ship it.\n\n- [x] Tag\n- [ ] #9 the docs\n- [ ] Notes\n\n### Acceptance criteria\n\n- [x] It installs\n- [ ] It starts',
    state: 'OPEN',
    labels: [{ id: 'L1', name: 'release', color: 'ff0000' }],
    url: 'https://x/7',
  },
  { number: 9, title: 'Docs', body: 'Blocked by #12 and more', state: 'OPEN', labels: [] },
  { number: 12, title: 'API', body: '', state: 'CLOSED', labels: [] },
]);

describe('import, export, import loses nothing that has a place', () => {
  const stores: readonly (readonly [Tool, string | { readonly name: string; readonly text: string }])[] = [
    ['taskmaster', 'test/fixtures/other-tools/taskmaster'],
    ['backlog', 'test/fixtures/other-tools/backlog'],
    ['beads', { name: '.beads/issues.jsonl', text: BEADS }],
    ['github', { name: 'issues.json', text: GITHUB }],
  ];
  test.each(stores)('%s', async (tool, store) => {
    const place = newPlace();
    if (typeof store === 'string') await place.workspace.import(resolve(store));
    else {
      const path = join(place.folder, store.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, store.text);
      await place.workspace.import(store.name.startsWith('.') ? '.' : store.name);
    }
    const { other, text, warnings } = await carry(place, tool);
    expect(await shapeOf(other)).toEqual(await shapeOf(place));
    expect(warnings.filter(({ message }) => !/summaries|tags/.test(message))).toEqual([]);
    // The next time the very same is written.
    expect((await carry(other, tool)).text).toBe(text);
  });

  test.each(Object.keys(FILES) as Tool[])('a deep plan that was made here, as %s', async (tool) => {
    const place = newPlace();
    const { workspace } = place;
    await workspace.init({ goal: 'Open a bakery', expander: 'agent' }).result;
    const answer = (goal: string, names: readonly string[], depends = false) =>
      workspace.answer({
        answers: [
          {
            goal,
            atomic: false,
            sub_goals: names.map((description, index) => ({
              description,
              atomic: false,
              ...(depends && index > 0 ? { depends_on: [index] } : {}),
            })),
          },
        ],
      });
    const finish = async () => {
      for (;;) {
        const { questions, left } = await workspace.ask({ count: 9 });
        if (left === 0) return;
        await workspace.answer({ answers: questions.map(({ goal }) => ({ goal, atomic: true })) });
      }
    };
    await answer('root', ['Find a place', 'Bake', 'Sell -- <!-- AC:END --> &amp; "all"'], true);
    await answer('2', ['Dough', 'Oven'], true);
    await answer('2.1', ['Flour', 'Water', '#7 is no issue'], true);
    await finish();
    await workspace.edit('2.1.1', {
      detail:
        'Rye.\n\nNot wheat.\n\n## Acceptance Criteria\n\n- [ ] no criterion\n<!-- SECTION:DESCRIPTION:END -->',
      acceptance: ['It keeps', 'It is soft'],
    });
    await workspace.depend('2.2', { on: ['1'] });
    await workspace.complete('1', { summary: 'A shop in Main Street' });
    const { other, warnings } = await carry(place, tool);
    const goals = async (of: Place) =>
      (await shapeOf(of)).map(({ description, number, status, detail, acceptance, dependencies }) => [
        description,
        number,
        status,
        detail,
        acceptance,
        dependencies,
      ]);
    expect(await goals(other)).toEqual(await goals(place));
    const lost = warnings.map(({ message }) => message).join('\n');
    expect(lost.includes('summaries of what was done (1 goal: 1)')).toBe(
      tool === 'taskmaster' || tool === 'github',
    );
  });
});

test('files of Backlog.md that are there are not written over, and a folder must be named', async () => {
  const { workspace, folder } = newPlace();
  await workspace.init({ goal: 'Open a bakery', expander: 'agent' }).result;
  await expect(workspace.export({ format: 'backlog' })).rejects.toMatchObject({ code: 'USAGE' });
  await workspace.export({ format: 'backlog', output: 'out' });
  const before = treeText(join(folder, 'out'));
  expect(before).toContain('project_name: Open a bakery');
  await expect(workspace.export({ format: 'backlog', output: 'out' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  expect(treeText(join(folder, 'out'))).toBe(before);
});

/** Lines that a reader of some tool takes for more than text. */
const LINES = [
  'Plain words',
  '',
  '- [ ] box in a text',
  '* [x] done box',
  '  - [ ] box below',
  '- an item',
  '## Acceptance Criteria',
  '### Acceptance criteria',
  '## Description',
  '## Design',
  '## Notes',
  '## Implementation Notes',
  '## Final Summary',
  '# Title',
  'Heading',
  '=======',
  'blocked by #2',
  'Blocked by #3',
  'It depends on #1, and blocked by #4',
  '#2',
  'TASK-1',
  '- [ ] #3 words',
  '#1 first',
  '---',
  'title: x',
  'status: Done',
  '<!-- frctl: decided -->',
  '**Decided:**',
  '**Used, and made by nobody yet:**',
  '- web: Django',
  '<!-- frctl: end -->',
  '<!-- frctl: text -->',
  '&lt;!-- frctl: text -->',
  '<!-- AC:BEGIN -->',
  '<!-- AC:END -->',
  '<!-- SECTION:DESCRIPTION:END -->',
  '&lt;!-- SECTION:NOTES:END -->',
  '<!-- open',
  '-->',
  '| a | b |',
  '|---|---|',
  '```',
  '~~~ js',
  '    code',
  '1. number',
  '"quoted"',
  '> said',
] as const;
const line = fc.constantFrom(...LINES);
const someText = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
const filled = (text: fc.Arbitrary<string>) => text.filter((one) => one.trim() !== '');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const about = fc.record(
  {
    description: filled(line),
    detail: maybe(filled(someText)),
    acceptance: maybe(fc.array(filled(someText), { minLength: 1, maxLength: 2 })),
    decisions: maybe(
      fc.array(
        fc.record({
          what: filled(line),
          choice: filled(line),
          confirmed: fc.constantFrom(true as const, undefined),
        }),
        {
          minLength: 1,
          maxLength: 1,
        },
      ),
    ),
  },
  { noNullPrototype: true },
);

/** Goals by the places of what they are a part of. */
const PARENTS = [-1, 0, 0, 1, 1, 3, 0];

function placed(all: readonly Partial<Goal>[], parents: readonly number[] = PARENTS) {
  const id = (index: number) => goal(index === 0 ? 'root' : `g${index}`).id;
  const depths: number[] = [];
  const goals = parents.map((parent, index) => {
    depths.push(parent < 0 ? 0 : (depths[parent] ?? 0) + 1);
    const child_ids = parents.flatMap((above, at) => (above === index ? [id(at)] : []));
    const fields = Object.entries(all[index] ?? {}).filter(([, value]) => value !== undefined);
    return goal(index === 0 ? 'root' : `g${index}`, {
      status: child_ids.length > 0 ? 'decomposing' : 'atomic',
      parent_id: parent < 0 ? null : id(parent),
      depth: depths[index] ?? 0,
      child_ids,
      ...Object.fromEntries(fields),
    });
  });
  return planOf(goals, { status: 'complete', description: goals[0]?.description ?? '' });
}

async function carried(plan: ReturnType<typeof planOf>, tool: Tool) {
  const place = newPlace();
  const { header, goals } = plan;
  const file = {
    ...header,
    schema_version: '1.0',
    goals: Object.fromEntries([...goals.values()].map((one) => [one.id, one])),
  };
  writeFileSync(join(place.folder, 'plan.json'), JSON.stringify(file));
  await place.workspace.import('plan.json');
  const { other, warnings } = await carry(place, tool);
  const lost = warnings.flatMap(({ code, message }) => (code === 'not_held' ? message : [])).join('\n');
  return { before: await shapeOf(place), after: await shapeOf(other), lost };
}

describe('a text adds and takes away nothing', () => {
  test.each(Object.keys(FILES) as Tool[])('%s', async (tool) => {
    await fc.assert(
      fc.asyncProperty(fc.array(about, { minLength: 7, maxLength: 7 }), async (all) => {
        const waits = goal('g2').id;
        const plan = placed(all.map((one, at) => (at === 4 ? { ...one, dependencies: [waits] } : one)));
        const { before, after, lost } = await carried(plan, tool);
        const structure = (shape: typeof before) =>
          shape.map(({ number, child_ids, dependencies, status, on_hold }) => [
            number,
            child_ids,
            dependencies,
            status,
            on_hold,
          ]);
        expect(structure(after)).toEqual(structure(before));
        for (const [index, one] of before.entries())
          for (const [name, what] of [
            ['description', 'descriptions'],
            ['detail', 'details'],
            ['acceptance', 'criteria'],
            ['decisions', 'decisions'],
          ] as const) {
            const isSame =
              JSON.stringify(trimmed(one[name])) === JSON.stringify(trimmed(after[index]?.[name]));
            const named = new RegExp(`\\b${what} \\(\\d goals?: [^)]*(?:${one.number || 'root'}\\b|…)`);
            expect([one.number, what, lost, isSame || named.test(lost)]).toEqual([
              one.number,
              what,
              lost,
              true,
            ]);
          }
      }),
      { numRuns: 30 },
    );
  });
});

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.map(trimmed) : value;
}

const CAUSE = { reason: 'It broke', phase: 'work', at: '2026-01-02T03:04:05Z' };
const PLACE = { file: 'a.md', start_line: 1, end_line: 2 };
const WAITS = { parents: [-1, 0, 0, 1, 1, 2] };

/** Goals that have a member each, by the member; all are leaves but those that are said to be above others. */
const MEMBERS: Readonly<Record<string, readonly Partial<Goal>[]>> = {
  description: [
    { description: 'Two\nlines' },
    { description: '\u001b[31mred' },
    { description: '-- [x] a: #b' },
  ],
  status: [
    { status: 'failed', failure: CAUSE },
    { status: 'failed' },
    { status: 'complete' },
    { status: 'pending' },
  ] as never,
  reasoning: [{ reasoning: 'Small enough' }],
  digest: [
    { status: 'complete', digest: { summary: 'Done so', key_decisions: [], artifacts: [] } },
    { status: 'complete', digest: { summary: '', key_decisions: ['A'], artifacts: ['b'] } },
  ],
  dependencies: [{ dependencies: [goal('g2').id] }, { dependencies: [goal('g5').id] }],
  graph_node_id: [{ graph_node_id: 'node' }],
  detail: [{ detail: 'One\n\nTwo' }, { detail: '## Notes\n\nOne' }],
  acceptance: [{ acceptance: ['One', '- Two\n- Three'] }],
  size: [{ size: 'S' }, { size: 'M' }, { size: 'L' }],
  decisions: [
    { decisions: [{ what: 'a', choice: 'b', confirmed: true }] },
    { decisions: [{ what: 'a', choice: null, decided_by: goal('g2').id }] },
  ],
  source: [{ source: PLACE }],
  claim: [{ claim: { by: 'ana', since: CAUSE.at, expires_at: '2999-01-01T00:00:00Z', token: 'tttttttt' } }],
  on_hold: [
    { on_hold: { reason: 'blocked' } },
    { on_hold: { reason: 'waiting for legal' } },
    { on_hold: { reason: 'deferred', until: '2999-01-01T00:00:00Z' } },
  ],
  priority: [0, 1, 2, 3, 4].map((priority) => ({ priority })),
  links: [{ links: [{ type: 'relates-to', to: 'k-9' }] }],
  failure: [{ failure: CAUSE }] as never,
  tags: [{ tags: ['area/web', 'priority: low'] }],
  action_plans: [{ action_plans: ['abcd1234'] }],
  touches: [{ touches: ['src/a.ts'] }],
  checks: [{ checks: [{ tool: 'test', args: {} }] }] as never,
};
/** What says nothing of what is to be done: names, places in the tree, times, and what was spent. */
const UNTOLD =
  'id parent_id child_ids depth created_at updated_at tokens_used usage said_done graph_node_id'.split(' ');

test('a goal has no member of which nobody asks whether it comes back', () => {
  const asked = new Set([...Object.keys(MEMBERS), ...UNTOLD]);
  expect(Object.keys(goalSchema.shape).filter((name) => !asked.has(name))).toEqual([]);
});

describe('what a goal has comes back, or is named with the goal', () => {
  const cases = (Object.keys(FILES) as Tool[]).flatMap((tool) =>
    Object.keys(MEMBERS)
      .filter((name) => !UNTOLD.includes(name))
      .map((name) => [tool, name] as const),
  );
  test.each(cases)('%s: %s', async (tool, name) => {
    const above = new Set([
      'detail',
      'acceptance',
      'priority',
      'on_hold',
      'tags',
      'decisions',
      'size',
      'dependencies',
    ]);
    for (const given of MEMBERS[name] ?? [])
      for (const at of above.has(name) ? [3, 1, 0] : [3]) {
        if (name === 'dependencies' && at === 0) continue;
        const all = Array.from({ length: 6 }, (_, index) => (index === at ? given : {}));
        const plan = placed(all, WAITS.parents);
        const { before, after, lost } = await carried(plan, tool);
        const number = ['', '1', '2', '1.1'][at] ?? '';
        const told = (shape: typeof before) => toldOf(shape, number, name);
        const isNamed = new RegExp(`: (?:[\\d.]+, )*${['root', '1', '2', '1.1'][at]}[,)]`).test(lost);
        // Nothing is named that comes back.
        const isRight = told(before) === told(after) ? lost === '' : isNamed;
        expect([given, at, lost, isRight]).toEqual([given, at, lost, true]);
      }
  });
});

/** What a goal says by a member, and by those that a change of it may reach; without ids, which are made anew. */
function toldOf(shape: Awaited<ReturnType<typeof shapeOf>>, number: string, name: string): string {
  const all = new Map(shape.map((each) => [each.number, each]));
  const one = all.get(number);
  const above = [number, number.split('.')[0] ?? '', ''];
  const urgency = above.flatMap((each) => all.get(each)?.priority ?? [])[0] ?? 2;
  const member = name === 'priority' ? urgency : name === 'decisions' ? null : Object(one)[name];
  const decisions = (one?.decisions ?? []).map(({ what, choice, decided_by: by }) => [
    what,
    choice,
    by === undefined,
  ]);
  return JSON.stringify([member, one?.on_hold, one?.digest?.summary, decisions]);
}
