import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { newUser, summaryOf } from '../support/command.js';
import type { TreeNode } from '../support/model-server.js';
import { expansionOf, startModelServer } from '../support/model-server.js';

const ROOT = 'Build the shop';
const leaf = (description: string, depends_on: readonly number[] = []): TreeNode => ({
  description,
  atomic: true,
  depends_on,
});
const PAYMENTS: TreeNode = {
  description: 'Take payments',
  atomic: false,
  depends_on: [1],
  children: [leaf('Choose a provider'), leaf('Charge a card', [1])],
};
const FIRST: TreeNode = {
  description: ROOT,
  atomic: false,
  children: [leaf('Write the cart'), PAYMENTS, leaf('Ship the parcels', [2]), leaf('Design the schema')],
};

const goalSchema = z.looseObject({
  id: z.string(),
  number: z.string(),
  description: z.string(),
  status: z.string(),
  dependencies: z.array(z.string()),
  tokens_used: z.number(),
  failure: z.unknown().optional(),
});

/** A shop of which the fourth part is done and the first has failed, and a model that has another answer then. */
async function newShop(again: readonly TreeNode[]) {
  const answers = new Map<string, TreeNode>([
    [ROOT, FIRST],
    [PAYMENTS.description, PAYMENTS],
  ]);
  const server = await startModelServer({
    respond: ({ goal }) => expansionOf(answers.get(goal) ?? { description: goal, atomic: true }),
  });
  onTestFinished(() => server.close());
  const user = newUser();
  const environment = { OPENAI_BASE_URL: server.baseUrl, FRCTL_BY: 'ana' };
  const run = (...args: readonly string[]) => user.run(args, environment);
  const plan = summaryOf((await run('init', ROOT, '--json')).json()).id;
  await user.run(['complete', '4', '--summary', 'Done', '--expander', 'rules'], environment);
  const failed = await run('fail', '1', '--reason', 'It needs transactions');
  answers.set(ROOT, { ...FIRST, children: again });
  const goals = async () =>
    z.array(goalSchema).parse((await run('status', '--verbose', '--json')).json().goals);
  return { server, run, plan, failed, goals };
}

const outline = (goals: readonly z.infer<typeof goalSchema>[]) =>
  goals.map(({ number, description, status }) => `${number} ${description} [${status}]`.trim());

describe('replanning', () => {
  test('keeps what the model repeats: id, sub-goals and what was paid for them', async () => {
    const shop = await newShop([
      leaf('Write the CART!', [2]),
      leaf('Choose a database'),
      leaf('Take payments'),
      leaf('Mail the receipts', [3]),
    ]);
    const before = await shop.goals();
    const asked = shop.server.count;
    const ended = await shop.run('replan', 'root', '--json');
    expect(ended.status).toBe(0);
    const after = await shop.goals();
    expect(outline(after)).toEqual([
      'Build the shop [decomposing]',
      '1 Write the cart [atomic]',
      '2 Take payments [decomposing]',
      '2.1 Choose a provider [atomic]',
      '2.2 Charge a card [atomic]',
      '3 Design the schema [complete]',
      '4 Choose a database [atomic]',
      '5 Mail the receipts [atomic]',
    ]);
    const [, cart, payments, provider, charge, , schema] = before;
    expect(after.slice(1, 6).map(({ id }) => id)).toEqual(
      [cart, payments, provider, charge, schema].map((goal) => goal?.id),
    );
    // The failure is answered, the order is the new one, and what is below a kept part is the very same.
    expect(after[1]).toMatchObject({ dependencies: [after[6]?.id] });
    expect(after[1]).not.toHaveProperty('failure');
    expect(after[2]).toMatchObject({ dependencies: [], tokens_used: payments?.tokens_used });
    expect(after[2]?.tokens_used).toBeGreaterThan(0);
    const stored = ({ number: _, state: _state, ...goal }: (typeof after)[number]) => goal;
    expect(after.slice(3, 5).map(stored)).toEqual(before.slice(3, 5).map(stored));
    expect(after[7]).toMatchObject({ dependencies: [payments?.id] });
    // One call: nothing that was kept is asked about again.
    expect(shop.server.count).toBe(asked + 1);
    expect((await shop.run('log')).out).toContain('1 sub-goal went, 2 came, 2 kept');
    expect((await shop.run('validate')).status).toBe(0);
    await shop.run('undo', '--yes');
    expect(outline(await shop.goals())).toEqual(outline(before));
  });

  test('shows the model what it replaces, with sub-goals, order and what stays', async () => {
    const shop = await newShop([leaf('Write the cart')]);
    await shop.run('replan', 'root', '--preview');
    const parts = /<parts>\n([^<]*)\n<\/parts>/.exec(shop.server.requests.at(-1)?.user ?? '')?.[1];
    expect(parts).toBe(
      [
        '1. Write the cart [failed]',
        '2. Take payments (after 1) [open]',
        '   - Choose a provider',
        '   - Charge a card',
        '3. Ship the parcels (after 2) [open]',
        '4. Design the schema [done, stays]',
      ].join('\n'),
    );
  });

  test('drops copies of finished work, also of what is done below a part that stays', async () => {
    const shop = await newShop([
      leaf('Design a schema'),
      leaf('Choose a provider'),
      leaf('Sell online', [1, 2]),
    ]);
    await shop.run('depend', '2', '--not-on', '1');
    await shop.run('complete', '2.1', '--summary', 'PayFast', '--expander', 'rules');
    const ended = await shop.run('replan', 'root', '--json');
    const goals = await shop.goals();
    expect(outline(goals)).toEqual([
      'Build the shop [decomposing]',
      '1 Take payments [decomposing]',
      '1.1 Choose a provider [complete]',
      '1.2 Charge a card [atomic]',
      '2 Design the schema [complete]',
      '3 Sell online [atomic]',
    ]);
    expect(goals[5]?.dependencies).toEqual([goals[4]?.id, goals[2]?.id]);
    expect(summaryOf(ended.json()).warnings.map(({ code }) => code)).toEqual(['finished']);
  });

  test('changes nothing when everything is repeated, and the preview says the same', async () => {
    const same = [leaf('Write the cart'), leaf('Take payments', [1]), leaf('Ship the parcels', [2])];
    const shop = await newShop(same);
    const before = await shop.goals();
    const changed = z.object({ changes: z.array(z.looseObject({ number: z.string() })) });
    const shown = changed.parse((await shop.run('replan', 'root', '--preview', '--json')).json());
    expect(shown.changes.map(({ number }) => number)).toEqual(['', '1']);
    expect((await shop.run('replan', 'root')).status).toBe(0);
    const after = await shop.goals();
    expect(after.slice(2)).toEqual(before.slice(2));
    expect([before[1]?.status, after[1]?.status]).toEqual(['failed', 'atomic']);
  });

  test('does not make goals of the rest of the plan wait in a circle', async () => {
    const shop = await newShop([
      leaf('Ship the parcels'),
      leaf('Write the cart', [1]),
      leaf('Take payments', [2]),
    ]);
    // The other way round, through a goal that is not asked about.
    await shop.run('add', 'Print labels', '--under', '4', '--depends-on', '1');
    await shop.run('depend', '3', '--on', '4.1');
    const ended = await shop.run('replan', 'root', '--json');
    expect([ended.status, (await shop.run('validate')).status]).toEqual([0, 0]);
  });
});

test('plan fail names the commands that go on from there, and they do', async () => {
  const shop = await newShop([leaf('Write the cart with transactions'), leaf('Take payments')]);
  expect(shop.failed.out).toContain('`plan replan 1` plans it another way');
  expect(shop.failed.out).toContain('`plan reopen 1` tries it again');
  const other = await shop.run('fail', '3', '--plan', shop.plan, '--reason', 'No trucks');
  expect(other.out).toContain(`\`plan replan 3 --plan ${shop.plan}\``);
  const report = (await shop.run('fail', '2.1', '--reason', 'x', '--json')).json();
  const [replan, reopen] = z.tuple([z.string(), z.string()]).parse(report.suggestions);
  expect((await shop.run(...reopen.split(' ').slice(1))).status).toBe(0);
  await shop.run('fail', '2.1', '--reason', 'x');
  expect((await shop.run(...replan.split(' ').slice(1))).status).toBe(0);
});
