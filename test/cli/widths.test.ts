import pc from 'picocolors';
import stringWidth from 'string-width';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { createProgress } from '../../src/cli/render/parts/progress.js';
import { wrapped } from '../../src/cli/render/parts/wrapped.js';
import { newUser } from '../support/command.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { printedHelp } from '../support/printed-help.js';
import { hasTmux, openScreen, PLAN_COMMAND } from '../support/screen.js';
import { complete, expand, fail, id, newWorkplace } from '../support/worked-plan.js';

const LONG = 'Build the checkout with a cart that survives a reload and says what shipping costs 📦';
const CHINESE = '設計書を読み、境界を決めるそして全ての注文を新しいデータベースに移す';

const SETTINGS = {
  expander: 'model',
  assess: 'inline',
  order: 'breadth',
  max_depth: 5,
  max_children: 8,
  max_goals: 100,
  concurrency: 4,
} as const;

async function wordyPlace() {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b', 'c'], ['d']), expand('d', ['e']), {
    type: 'dependencies_changed',
    changes: [{ goal: id('b'), add: [id('a')], remove: [] }],
  });
  for (const [goal, description] of Object.entries({ a: LONG, b: CHINESE, d: `${CHINESE} ${LONG}` }))
    await place.change({ type: 'goal_edited', goal: id(goal), fields: { description } });
  await place.change(fail('c'), complete('e'));
  await place.run(['claim', 'a', '--by', '日本の同僚@desk']);
  return place;
}

test('a terminal that does not know how wide it is has lines as they are', () => {
  expect(wrapped('git.status  reads the state of the working tree', 0)).toBe(
    'git.status  reads the state of the working tree',
  );
});

describe('what people read fits the width of the screen', () => {
  test('every command, whatever stands in it; without a width no line is broken', async () => {
    const place = await wordyPlace();
    for (const args of [
      ['status', '--verbose'],
      ['show', 'd'],
      ['log'],
      ['list'],
      ['next'],
      ['waves'],
      ['tree'],
    ]) {
      const out = async (COLUMNS?: string) =>
        (await place.run(args, COLUMNS === undefined ? {} : { COLUMNS })).out;
      const [whole, narrow, narrowest] = [await out(), await out('40'), await out('26')];
      const tooWide = (text: string, columns: number) =>
        text.split('\n').filter((line) => stringWidth(line) > columns);
      expect([args, tooWide(narrow, 40), tooWide(narrowest, 26)]).toEqual([args, [], []]);
      // Nothing is lost: the same characters in the same order, but for spaces, guides and separators.
      const said = (text: string) => text.replaceAll(/[\s│├└─·…]|\d+ s(?: ago)?/g, '');
      expect(args[0] === 'list' ? said(whole) : said(narrow)).toBe(said(whole));
    }
    expect((await place.run(['show', 'd'])).out).toContain(`${CHINESE} ${LONG}`);
  });

  test('help of every command, whose examples can still be typed', async () => {
    const user = newUser();
    const all = (await user.run(['help', '--all', '--json'])).json().commands;
    const names = z
      .array(z.object({ name: z.string() }))
      .parse(all)
      .map(({ name }) => name);
    expect(names.length).toBeGreaterThan(40);
    const helps = printedHelp(names.map((name) => ['help', name]));
    expect(helps).toHaveLength(names.length);
    for (const [index, help] of helps.entries()) {
      expect(help).toMatch(/ended with 0$/);
      const wide = help.split('\n').filter((line) => stringWidth(line) > 80);
      expect([names[index], wide]).toEqual([names[index], []]);
    }
    expect(helps[names.indexOf('complete')]).toContain(
      '  $ plan complete 1.2 --summary "The cart survives a reload" \\\n      --artifact src/cart.ts\n',
    );
  });

  test.each([
    [80, '4 min 48 s left'],
    [60, 'tokens left'],
    [40, 'calls left'],
  ] as const)('what is seen while planning, with all budgets, at %d columns', async (columns, left) => {
    const place = await wordyPlace();
    const log = await place.open();
    const [event] = await log.events();
    if (event === undefined) throw new Error('the log is empty');
    const { plan } = log;
    const budget = { calls: 200, tokens: 1_000_000, usd: 2, seconds: 300 };
    const usage = { calls: 34, input_tokens: 123_456, output_tokens: 12_345, cost_usd: null, seconds: 12 };
    const estimate = { calls: { low: 2, high: 158 }, tokens: { low: 2000, high: 900_000 }, cost_usd: null };
    const header = { ...plan.header, usage, settings: { ...SETTINGS, budget, estimate } };
    const progress = createProgress(pc.createColors(false));
    progress.take({ type: 'changed', plan: { ...plan, header }, event, refused: null });
    const lines = progress.frame({ columns, rows: 24 }).split('\n');
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
    // The time, and what is left of the budgets, are seen as far as there is room for them.
    expect(lines[0]).toMatch(/ s$/);
    expect(lines[1]).toContain(left);
  });

  test.runIf(hasTmux)('a notice is plain words, on the screen and below it', async () => {
    const server = await startModelServer({
      tree: uniformTree(2, 2, 'Bake bread'),
      faults: ({ number }) =>
        number === 2 ? { kind: 'status', status: 503, headers: { 'retry-after': '2' } } : undefined,
    });
    onTestFinished(() => server.close());
    const screen = openScreen(newUser(), `${PLAN_COMMAND} init 'Bake bread'`, {
      environment: { OPENAI_BASE_URL: server.baseUrl, FRCTL_MODEL: 'm' },
    });
    const live = await screen.until(/Planning[^]*again in/);
    expect(live.join('\n')).not.toMatch(/␛|\[2m/);
    expect((await screen.until(/\[exit 0\]/)).join('\n')).not.toMatch(/␛|\[2m/);
  });

  test('a value goes on below where it began, and styling takes no room', () => {
    const bold = (text: string) => `\u001B[1m${text}\u001B[22m`;
    expect(wrapped(`${bold('Plan'.padEnd(11))} one two three four five six`, 30)).toBe(
      `${bold('Plan'.padEnd(11))} one two three four\n            five six`,
    );
    expect(wrapped('  1.2.3 one two three four five', 24)).toBe('  1.2.3 one two three\n        four five');
    expect(wrapped(bold('one two three four five six'), 16)).toBe(
      '\u001B[1mone two three\nfour five six\u001B[22m',
    );
  });
});

describe.skipIf(!hasTmux)('on a terminal (needs tmux)', () => {
  test('status --watch follows the size of the screen and leaves nothing on it', async () => {
    const place = await wordyPlace();
    const screen = openScreen(place, `${PLAN_COMMAND} status --watch`, { columns: 80, rows: 30 });
    await screen.until(/Next/);
    screen.resize(40, 40);
    const narrow = await screen.until(/Next [\s\S]*\n/);
    expect(narrow.filter((line) => line.startsWith('Ship the product'))).toHaveLength(1);
    screen.resize(160, 30);
    const wide = await screen.until(new RegExp(`${LONG.slice(0, 60)}.* by `));
    expect(wide.filter((line) => line.includes(LONG.slice(0, 40)))).toHaveLength(1);
    expect(wide.filter((line) => line.startsWith('Plan '))).toHaveLength(1);
  });

  test('live progress shows the tree, what is asked, the estimate and budgets, and leaves no debris', async () => {
    const server = await startModelServer({
      tree: uniformTree(2, 3, '注文を移す Move the orders'),
      delay: 1500,
    });
    onTestFinished(() => server.close());
    const user = newUser();
    const screen = openScreen(
      user,
      `echo BEGIN; ${PLAN_COMMAND} init '注文を移す Move the orders' --budget-calls 50`,
      {
        columns: 80,
        environment: { OPENAI_BASE_URL: server.baseUrl, FRCTL_MODEL: 'm' },
      },
    );
    const live = (await screen.until(/Planning[\s\S]*› [\s\S]*├─/)).join('\n');
    expect(live).toMatch(
      / Planning · \d+ goals.*\n.*of about [\d–]+ calls · 4\d calls left\n {2}› .*\n\n◐ 注文/,
    );
    screen.resize(40, 24);
    const done = (await screen.until(/\[exit 0\]/)).join('\n');
    expect(done).not.toMatch(/Planning ·|calls left|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
    screen.resize(80, 60);
    const lines = await screen.until(/BEGIN/);
    expect(lines.filter((line) => line.startsWith('BEGIN'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('◐ 注文'))).toHaveLength(1);
  });
});
