import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { newUser, summaryOf } from '../support/command.js';
import type { TreeNode } from '../support/model-server.js';
import { startModelServer } from '../support/model-server.js';

const SHOP: TreeNode = {
  description: 'Build the shop',
  atomic: false,
  children: [
    {
      description: 'Show the\nbasket',
      atomic: true,
      acceptance: ['A test adds two books', 'The total is right'],
      size: 'S',
    },
    {
      description: 'Take payments',
      atomic: false,
      acceptance: ['A card is charged once'],
      size: 'L',
      children: [
        // What servers without strict output may well send.
        { description: 'Charge a card', atomic: true, acceptance: 7, size: 'medium' },
        { description: 'Refund a card', atomic: true, acceptance: null },
        { description: 'Settle the day', atomic: true, acceptance: ['Sums agree', 7], size: 'M' },
      ],
    },
  ],
};

const goalSchema = z.looseObject({
  description: z.string(),
  acceptance: z.array(z.string()).optional(),
  size: z.string().optional(),
});

async function newShop(...options: readonly string[]) {
  const server = await startModelServer({ tree: SHOP });
  onTestFinished(() => server.close());
  const user = newUser();
  const ended = await user.run(['init', SHOP.description, '--json', ...options], {
    OPENAI_BASE_URL: server.baseUrl,
  });
  return { ...user, server, plan: summaryOf(ended.json()) };
}

describe('what shows that a goal is done, and how large it is', () => {
  test('comes from the model into the plan; what is missing or of another kind costs no call', async () => {
    const shop = await newShop();
    const { goals } = (await shop.run(['status', '--verbose', '--json'])).json();
    const stored = z.array(goalSchema).parse(goals);
    expect(stored.map(({ description, acceptance, size }) => [description, acceptance, size])).toEqual([
      ['Build the shop', undefined, undefined],
      ['Show the basket', ['A test adds two books', 'The total is right'], 'S'],
      ['Take payments', ['A card is charged once'], 'L'],
      ['Charge a card', undefined, undefined],
      ['Refund a card', undefined, undefined],
      ['Settle the day', ['Sums agree'], 'M'],
    ]);
    expect([shop.server.count, shop.plan.usage.calls, shop.plan.warnings]).toEqual([2, 2, []]);
  });

  test('is kept when each goal is asked about', async () => {
    const shop = await newShop('--assess', 'each');
    const { goal } = (await shop.run(['show', '1', '--json'])).json();
    expect(goal).toMatchObject({ status: 'atomic', size: 'S', acceptance: expect.any(Array) });
  });

  test('is shown by show, status, tree and context', async () => {
    const shop = await newShop();
    const out = async (...args: readonly string[]) => (await shop.run(args)).out;
    const shown = await out('show', '1');
    expect(shown).toContain('Size       S\n');
    expect(shown).toContain('\nDone when\n  - A test adds two books\n  - The total is right\n');
    // What a composite goal was thought to be says nothing any more.
    expect(await out('show', '2')).not.toContain('Size');
    const status = await out('status', '--verbose');
    expect(status).toContain('1 Show the basket [to do (ready), size S]\n');
    expect(status).toContain('\n      done when: The total is right\n');
    expect(status).toContain('2 Take payments [divided]\n');
    expect(await out('tree')).toContain('● 1 Show the basket (S)\n');
    const context = await out('context', '1');
    expect(context).toContain('- Done when: The total is right\n');
    expect(context).toContain('- Its size: S, up to an hour for a person\n');
  });

  test('is that of none of them any more when goals are merged', async () => {
    const shop = await newShop();
    await shop.run(['merge', '2.1', '2.3', '--description', 'Charge a card and settle']);
    const { goal } = (await shop.run(['show', '2.1', '--json'])).json();
    expect(goal).toMatchObject({ acceptance: ['Sums agree'] });
    expect(goal).not.toHaveProperty('size');
    const other = await newShop();
    await other.run(['merge', '2.3', '2.1', '--description', 'Settle and charge']);
    expect((await other.run(['show', '2.2', '--json'])).json().goal).not.toHaveProperty('size');
  });
});
