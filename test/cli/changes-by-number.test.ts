import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { newUser } from '../support/command.js';
import { PLAN, expand, newWorkplace } from '../support/worked-plan.js';

test('a change of dependencies is shown by the numbers of goals, never by their ids', async () => {
  const user = newUser();
  await user.run(['init', 'Build a REST API with authentication']);
  expect((await user.run(['depend', '3', '--on', '2'])).out).toContain('    waits for: 1 → 1, 2\n');
  expect((await user.run(['depend', '3', '--not-on', '1', '2'])).out).toContain('waits for: 1, 2 → none\n');
  const removed = await user.run(['remove', '6']);
  expect(removed.out).toContain('    waits for: 6 (removed) → 5\n');
  const replanned = await user.run(['edit', '5', '--description', 'Add authentication to the app']);
  expect(replanned.out + removed.out).not.toMatch(/[0-9a-f]{8}-/);
});

test('a difference names goals by number, where one moved to, and no list of sub-goals', async () => {
  const user = newUser();
  await user.run(['init', 'Build a REST API with authentication']);
  const { events } = z
    .object({ events: z.array(z.object({ event: z.string() })) })
    .parse((await user.run(['log', '--json'])).json());
  const { plan } = (await user.run(['status', '--json'])).json();
  const since = `${z.object({ id: z.string() }).parse(plan).id}@${events.at(-1)?.event ?? ''}`;
  await user.run(['depend', '3', '--on', '2']);
  await user.run(['remove', '6']);
  await user.run(['move', '5.1', '--under', '3']);
  const { out } = await user.run(['diff', since]);
  expect(out).toContain('    waits for: 1 → 1, 2\n');
  expect(out).toContain('    waits for: 6 (removed) → 5\n');
  expect(out).toMatch(/^~ 3\.2 .*\n {4}below: 5 → 3$/m);
  expect(out).not.toMatch(/child_ids|[0-9a-f]{8}-/);
  const { changed } = (await user.run(['diff', since, '--json'])).json();
  expect(JSON.stringify(changed)).toMatch(/"child_ids":\{"from":\["[0-9a-f]{8}-/);
});

test('sub-goals in another order are said to be', async () => {
  const place = await newWorkplace();
  const [first] = await place.change(expand('root', ['a', 'b']));
  await place.run(['move', '2', '--before', '1']);
  expect((await place.run(['diff', `${PLAN}@${first?.event.id ?? ''}`])).out).toBe(
    '~ root  Ship the product\n    sub-goals: in another order\n',
  );
});

test('a priority is told in its word, and a hold with its end', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b', 'c']));
  expect((await place.run(['edit', '3', '--priority', '1'])).out).toContain('priority: none → high\n');
  expect((await place.run(['edit', '3', '--priority', 'someday'])).out).toContain(
    'priority: high → someday\n',
  );
  const { out } = await place.run(['hold', '1', '--reason', 'no licence', '--until', '2999-03-01T12:00:00Z']);
  expect(out).toMatch(/on hold: none → no licence, until 2999-03-01 /);
});

test('status lists what can start in the order of next, and says what the next claim takes', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b', 'c']));
  await place.run(['depend', '3', '--on', '2']);
  const status = async () =>
    (await place.run(['status'])).out.match(/^ {2}(\d)/gm)?.map((line) => line.trim());
  expect(await status()).toEqual(['2', '1']);
  await place.run(['edit', '1', '--priority', 'high']);
  expect(await status()).toEqual(['1', '2']);
  expect((await place.run(['status'])).out).toContain('`plan next --claim` takes the first that can start.');
  expect((await place.run(['next', '--claim'])).out).toContain('Claimed 1 ');
});

test('the first screen of the help has what every evening needs', async () => {
  const place = await newWorkplace();
  const { out } = await place.run(['help']);
  for (const name of ['undo', 'depend', 'export', 'serve'])
    expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test('what is so already is said and not written', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']));
  await place.run(['depend', '2', '--on', '1']);
  const before = readFileSync(place.eventLog, 'utf8');
  for (const args of [
    ['depend', '2', '--on', '1'],
    ['edit', '2', 'Goal b'],
    ['edit', '2', '--clear', 'detail'],
    ['move', '2', '--after', '1'],
  ]) {
    const { status, out, error } = await place.run(args);
    expect([status, out, error]).toEqual([0, '', 'No change: it already is as asked.\n']);
    expect((await place.run([...args, '--json'])).json()).toMatchObject({ changes: [] });
  }
  expect((await place.run(['move', '2', '--after', '1', '--dry-run'])).error).toContain(
    'Nothing would change',
  );
  expect(readFileSync(place.eventLog, 'utf8')).toBe(before);
  expect((await place.run(['add', 'Goal c'])).out).toBe('+ 3  Goal c\n');
  expect((await place.run(['depend', '2', '--on', '1', '3'])).out).toContain('waits for: 1 → 1, 3\n');
  expect((await place.run(['log'])).out).toContain('made “Goal b” depend on “Goal c”');
});

test('a replanning says which numbers have shifted, and where it changes nothing that it does not', async () => {
  const user = newUser();
  await user.run(['init', 'Write the cart, write the checkout and write the receipts']);
  const same = await user.run(['replan', 'root']);
  expect([same.out, same.error]).toEqual(['', expect.stringContaining('Nothing is changed: ')]);
  await user.run(['complete', '2', '--summary', 'Done']);
  await user.run(['edit', 'root', '--description', 'Write the checkout and mail the receipts']);
  const shown = await user.run(['replan', 'root', '--preview']);
  expect(shown.error).not.toContain('shifted');
  const { error } = await user.run(['replan', 'root']);
  expect(error).toContain('Numbers have shifted: 2 is 1 now.\n');
});
