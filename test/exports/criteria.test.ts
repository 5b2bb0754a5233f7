import { describe, expect, it } from 'vitest';

import { EXPORT_FORMATS } from '../../src/exports/registry.js';
import {
  readCsv,
  readDot,
  readGraphml,
  readHtml,
  readMarkdown,
  readMermaid,
  readToon,
} from '../support/format-readers.js';
import { goal, planOf } from '../support/plans.js';

const HOSTILE = '"]; %%{init: {}}%% <b>x</b>\n- [ ] `y`';

function planWith(acceptance: string[]) {
  const leaf = goal('leaf', {
    parent_id: goal('root').id,
    depth: 1,
    status: 'atomic',
    acceptance,
    size: 'S',
  });
  return planOf([
    goal('root', { status: 'decomposing', child_ids: [leaf.id], acceptance: ['Readers use it'], size: 'L' }),
    leaf,
  ]);
}

const CHECKS = ['A test adds two books', 'The page shows 2'];

describe('the criteria of a goal and its size', () => {
  it.each([
    [
      'json',
      '"acceptance": [\n        "A test adds two books",\n        "The page shows 2"\n      ],',
      '"size": "S"',
    ],
    [
      'markdown',
      '(size S)\\\n    done when: A test adds two books\\\n    done when: The page shows 2\n',
      '`root`\\\n  done when: Readers use it\n',
    ],
    ['csv', '"A test adds two books\nThe page shows 2",S,,,,,,\n', ',Readers use it,,,,,,,\n'],
    ['toon', String.raw`,"A test adds two books\nThe page shows 2",S`, ',Readers use it,null'],
    [
      'graphml',
      '<data key="acceptance">A test adds two books\nThe page shows 2</data><data key="size">S</data>',
      'attr.name="acceptance"',
    ],
    ['html', '<li dir="auto">A test adds two books</li><li dir="auto">The page shows 2</li>', ' · size S'],
    ['dot', 'tooltip="Done when: A test adds two books; The page shows 2"', 'label="1 (S) · Goal leaf"'],
    ['mermaid', '%% g_leaf is done when: A test adds two books\n', '["1 #40;S#41; · Goal leaf"]'],
    ['ascii', '└─ ● 1 Goal leaf (S)  leaf', '○ Goal root  root'],
  ] as const)('are in the %s export', async (name, ...parts) => {
    const text = (await EXPORT_FORMATS[name].load())(planWith(CHECKS)).replace('◐', '○');
    for (const part of parts) expect(text).toContain(part);
  });

  it.each([
    ['csv', readCsv],
    ['toon', readToon],
    ['graphml', readGraphml],
    ['dot', readDot],
    ['html', readHtml],
    ['mermaid', readMermaid],
    ['markdown', readMarkdown],
  ] as const)('cannot add anything to the %s export, whatever they say', async (name, read) => {
    const text = (await EXPORT_FORMATS[name].load())(planWith([HOSTILE]));
    expect(read(text).goals.map(({ text: description }) => description)).toEqual(['Goal root', 'Goal leaf']);
  });
});

it.each([
  ['csv', ',1,Waits for the licence,'],
  ['graphml', '<data key="priority">1</data><data key="on_hold">Waits for the licence</data>'],
  ['toon', ',1,Waits for the licence'],
] as const)('%s says how urgent a goal is and why it is on hold', async (format, said) => {
  const render = await EXPORT_FORMATS[format].load();
  const held = { priority: 1, on_hold: { reason: 'Waits for the licence' } } as const;
  expect(render(planOf([goal('root', { status: 'atomic', ...held })]))).toContain(said);
});

it.each([
  ['csv', '"src/a\nsrc/b",billing,,\n'],
  ['graphml', '<data key="touches">src/a\nsrc/b</data><data key="graph_node_id">billing</data>'],
  ['toon', ',"src/a\\nsrc/b",billing'],
] as const)('%s says what a goal is likely to change, and its node', async (format, said) => {
  const render = await EXPORT_FORMATS[format].load();
  const root = goal('root', { status: 'atomic', touches: ['src/a', 'src/b'], graph_node_id: 'billing' });
  expect(render(planOf([root]))).toContain(said);
});
