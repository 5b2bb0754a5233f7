import { describe, expect, test } from 'vitest';

import { EXPORT_FORMATS } from '../../src/exports/registry.js';
import { wavesOf } from '../../src/exports/wave-layout.js';
import { planOfGoals } from '../../src/plan/make-plan.js';
import { openWorkspace } from '../../src/index.js';
import { readDot, readMermaid, readSvg } from '../support/format-readers.js';
import { examplePlan, treePlan } from '../support/plans.js';
import { complete, expand, id, newWorkplace } from '../support/worked-plan.js';

const READ = { dot: readDot, svg: readSvg, mermaid: readMermaid };

/** Root; a (a1, a2), b (b1, b2), c; b1 waits for a2, c for b. */
async function place() {
  const made = await newWorkplace();
  await made.change(
    expand('root', ['c'], ['a', 'b']),
    expand('a', ['a1', 'a2']),
    expand('b', ['b1', 'b2']),
    { type: 'dependencies_changed', changes: [{ goal: id('b1'), add: [id('a2')], remove: [] }] },
    { type: 'dependencies_changed', changes: [{ goal: id('c'), add: [id('b')], remove: [] }] },
    complete('a1'),
  );
  return { ...made, workspace: openWorkspace({ dir: made.store }) };
}

describe('a picture of a part', () => {
  test.each(['dot', 'svg', 'mermaid'] as const)(
    '%s: below a level goals are counted, and what depends on them depends on those above them',
    async (format) => {
      const { workspace } = await place();
      const { content } = await workspace.export({ format, depth: 1 });
      const { goals, edges } = READ[format](content ?? '');
      expect(goals).toHaveLength(4);
      expect(
        edges.filter((edge) => edge.includes('before')).map((edge) => edge.replaceAll(/0398a958-/g, '')),
      ).toEqual(expect.arrayContaining(['b before c', 'a before b']) as string[]);
      expect(content).toContain('4 goals below level 1 are left out');
      expect(content).toMatch(/2 goals(?:\\n| )below/);
    },
  );

  test('mermaid and dot of a tree show what is looked for, with what is above it, by the numbers of the whole', async () => {
    const { workspace } = await place();
    for (const format of ['mermaid', 'dot'] as const) {
      const { text } = await workspace.tree({ format, text: 'b2' });
      expect(READ[format](text).goals).toHaveLength(3);
      expect(text).toContain('3.2 · Goal b2');
      expect(text).toContain('left out');
    }
    const { text } = await workspace.tree({ format: 'dot', status: 'done', depth: 1 });
    expect(readDot(text).goals).toHaveLength(1);
  });

  test('a depth is for pictures alone', async () => {
    const { workspace } = await place();
    await expect(workspace.export({ format: 'csv', depth: 1 })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('what Mermaid would not draw is said, with what it would draw', async () => {
    const made = await newWorkplace();
    const many = Array.from({ length: 510 }, (_, index) => `g${index}`);
    await made.change(expand('root', many));
    const warned = await made.run(['export', '--format', 'mermaid', '--json']);
    expect(warned.json().warnings).toMatchObject([{ code: 'viewer_limit' }]);
    expect(warned.error).toContain('--depth');
    expect((await made.run(['tree', '--format', 'mermaid', '--depth', '0'])).error).toBe('');
    const { workspace } = await place();
    expect(await workspace.export({ format: 'mermaid' })).not.toHaveProperty('warnings');
  });

  test('a flowchart that is drawn, but too wide to read, is said to be so', async () => {
    const made = await newWorkplace();
    await made.change(
      expand(
        'root',
        Array.from({ length: 90 }, (_, index) => `g${index}`),
      ),
    );
    const workspace = openWorkspace({ dir: made.store });
    expect(await workspace.export({ format: 'mermaid' })).toMatchObject({
      warnings: [{ code: 'large_picture', message: expect.stringContaining('91 goals') as string }],
    });
    expect(await workspace.export({ format: 'svg' })).not.toHaveProperty('warnings');
  });

  test('svg: what waits in a long row stands one below the other, with every arrow inside the picture', async () => {
    const made = await newWorkplace();
    const row = Array.from({ length: 30 }, (_, index) => `g${index}`);
    await made.change(expand('root', row), {
      type: 'dependencies_changed',
      changes: row
        .slice(1)
        .map((goal, index) => ({ goal: id(goal), add: [id(row[index] ?? '')], remove: [] })),
    });
    const workspace = openWorkspace({ dir: made.store });
    const { content } = await workspace.export({ format: 'svg' });
    const svg = content ?? '';
    const width = Number(/width="(\d+)"/.exec(svg)?.[1]);
    expect(width).toBeLessThan(800);
    const boxes = Array.from(
      svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="6"/g),
      (box) => box.slice(1).map(Number),
    );
    expect(boxes).toHaveLength(31);
    for (const [index, [x = 0, y = 0, wide = 0]] of boxes.entries()) {
      const [, above = 0, , height = 0] = boxes[index - 1] ?? [0, -1000, 0, 0];
      expect(y).toBeGreaterThan(above + height);
      expect(x + wide).toBeLessThan(width);
    }
    const bends = Array.from(svg.matchAll(/class="dependency"[^>]*d="M[\d.]+ [\d.]+C([\d.]+)/g), ([, x]) =>
      Number(x),
    );
    expect(bends).toHaveLength(29);
  });
});

describe('the layout in waves', () => {
  test('a goal stands right of all that it waits for and of the goal above it, and no two overlap', () => {
    for (const plan of [
      examplePlan(),
      treePlan(
        Array.from({ length: 300 }, (_, i) => `Goal ${i}`),
        4,
      ),
    ]) {
      const { goals, height } = wavesOf(plan, () => 50);
      const at = new Map(goals.map((goal) => [goal.id, goal]));
      expect(at.size).toBe(plan.goals.size);
      for (const goal of plan.goals.values())
        for (const before of [goal.parent_id ?? [], ...goal.dependencies].flat())
          expect(at.get(goal.id)?.column).toBeGreaterThan(at.get(before)?.column ?? -1);
      for (const wave of new Set(goals.map(({ column }) => column))) {
        const ys = goals.filter(({ column }) => column === wave).map(({ y }) => y);
        ys.sort((a, b) => a - b);
        for (const [index, y] of ys.entries()) {
          expect(y - (ys[index - 1] ?? -25)).toBeGreaterThanOrEqual(49.999);
          expect(y).toBeLessThanOrEqual(height);
        }
      }
    }
  });

  test('a circle of dependencies, which only a damaged plan has, is drawn all the same', async () => {
    const plan = treePlan(['a', 'b', 'c'], 2);
    const [, one, two] = [...plan.goals.keys()];
    const goals = new Map(Array.from(plan.goals, ([id, stored]) => [id, stored] as const));
    for (const [goal, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const stored = goals.get(goal ?? '');
      if (stored !== undefined) goals.set(stored.id, { ...stored, dependencies: [other ?? ''] });
    }
    const svg = (await EXPORT_FORMATS.svg.load())(planOfGoals(plan.header, goals));
    expect(readSvg(svg).goals).toHaveLength(3);
  });
});
