import { expect, test } from 'vitest';

import { toHtml } from '../../src/exports/html.js';
import { toJson } from '../../src/exports/json.js';
import { toMarkdown } from '../../src/exports/markdown.js';
import { EXPORT_FORMATS } from '../../src/exports/registry.js';
import {
  lostInBacklog,
  lostInBeads,
  lostInGitHub,
  lostInTaskMaster,
} from '../../src/features/interop/exports/lost-parts.js';
import { goal, planOf } from '../support/plans.js';

const AT = '2026-11-27T12:00:00Z';
const open = { what: 'card <provider>', choice: null, decided_by: goal('b').id };
const plan = planOf([
  goal('root', {
    status: 'decomposing',
    child_ids: [goal('b').id],
    decisions: [{ what: 'framework', choice: 'Django\nwith `HTMX` & more', confirmed: true }, open],
  }),
  goal('b', { status: 'atomic', parent_id: goal('root').id, depth: 1 }),
]);

test('what was decided stands in Markdown, HTML and JSON, a line each, as nothing but text', () => {
  expect(toMarkdown(plan)).toContain(
    '\n**Decided** for `root`: framework: Django with \\`HTMX\\` \\& more\n',
  );
  expect(toMarkdown(plan)).toContain('\n**Open** for `root`: card \\<provider\\> (decided in 1)\n');
  const html = toHtml(plan);
  expect(html).toContain(
    `<h2>Decisions</h2>\n<ul>\n<li dir="auto"><a href="#${goal('root').id}">root</a> framework:`,
  );
  expect(html).toContain('card &lt;provider&gt;: (open, decided in 1)</li>');
  expect(JSON.parse(toJson(plan))).toMatchObject({
    goals: { [goal('root').id]: { decisions: [{ what: 'framework' }, { choice: null }] } },
  });
});

test.each([
  ['csv', '"framework: Django with `HTMX` & more\ncard <provider>: (open, decided in 1)",'],
  ['toon', String.raw`"framework: Django with` + ' `HTMX` & more'],
  [
    'graphml',
    '<data key="decisions">framework: Django with `HTMX` &amp; more\ncard &lt;provider&gt;: (open, decided in 1)</data>',
  ],
  ['mermaid', '%% decided for g_root: framework#58; Django with #96;HTMX#96; #38; more\n'],
] as const)('what was decided stands in %s with its goal', async (format, said) => {
  expect((await EXPORT_FORMATS[format].load())(plan)).toContain(said);
});

test.each([
  ['csv', ',An account at the bank\n'],
  ['toon', ',An account at the bank\n'],
  ['graphml', '<data key="missing">An account at the bank</data>'],
] as const)('what a goal uses and no goal makes stands in %s', async (format, said) => {
  const linked = { at: AT, missing: [{ what: 'An account\nat the bank', used_by: [goal('b').id] }] };
  const lacking = { ...plan, header: { ...plan.header, linked } };
  expect((await EXPORT_FORMATS[format].load())(lacking)).toContain(said);
});

test('what was decided has a place in the formats of other tools, but for lists of a tag', () => {
  for (const lost of [lostInBeads, lostInTaskMaster, lostInGitHub, lostInBacklog])
    expect(lost(plan)).toEqual([]);
  const list = (suffix: string, task: string) =>
    goal(suffix, {
      description: suffix,
      status: 'decomposing',
      parent_id: goal('root').id,
      depth: 1,
      child_ids: [goal(task).id],
      decisions: [{ what: 'stone', choice: 'slate' }],
      x_taskmaster: { tag: suffix },
    });
  const task = (suffix: string, list_: string) =>
    goal(suffix, { status: 'atomic', depth: 2, parent_id: goal(list_).id });
  const below = [list('b', 'c'), task('c', 'b'), list('d', 'e'), task('e', 'd')];
  const child_ids = [goal('b').id, goal('d').id];
  const lists = planOf([goal('root', { description: 'Tasks', status: 'decomposing', child_ids }), ...below]);
  expect(lostInTaskMaster(lists)).toEqual(['decisions (2 goals: 1, 2)']);
});
