import { expect, test } from 'vitest';

import { toHtml } from '../../src/exports/html.js';
import { toJson } from '../../src/exports/json.js';
import { toMarkdown } from '../../src/exports/markdown.js';
import { goal, planOf } from '../support/plans.js';

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
  expect(toMarkdown(plan)).toContain('card \\<provider\\>: (open, decided in 1)');
  const html = toHtml(plan);
  expect(html).toContain(
    `<h2>Decisions</h2>\n<ul>\n<li dir="auto"><a href="#${goal('root').id}">root</a> framework:`,
  );
  expect(html).toContain('card &lt;provider&gt;: (open, decided in 1)</li>');
  expect(JSON.parse(toJson(plan))).toMatchObject({
    goals: { [goal('root').id]: { decisions: [{ what: 'framework' }, { choice: null }] } },
  });
});
