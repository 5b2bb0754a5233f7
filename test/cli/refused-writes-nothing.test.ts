import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { expand, id, newWorkplace } from '../support/worked-plan.js';

/** A plan with a goal in every state: 1 done, 2 held by ben, 3 failed, 4 waits for 2, 5 divided, 6 to plan. */
async function newPlace() {
  const place = await newWorkplace();
  await place.change(expand('root', ['done', 'held', 'failed', 'waits'], ['divided', 'open']));
  await place.change(
    expand('divided', ['first', 'second']),
    { type: 'dependencies_changed', changes: [{ goal: id('waits'), add: [id('held')], remove: [] }] },
    { type: 'goal_completed', goal: id('done') },
    { type: 'goal_failed', goal: id('failed'), phase: 'work', reason: 'no sandbox' },
  );
  const bytes = () => readFileSync(place.eventLog);
  const claimed = await place.run(['claim', '2', '--by', 'ben', '--json']);
  expect(claimed.status).toBe(0);
  return { ...place, bytes };
}

const REFUSED = [
  // What a goal is already, or is not.
  ['complete', '1', '--summary', 'x'],
  ['complete', '1', '--decision', 'x', '--artifact', 'x.txt'],
  ['complete', '1'],
  ['complete', '5', '--summary', 'x'],
  ['complete', '5', '--summary', 'x', '--force'],
  ['complete', '6', '--summary', 'x'],
  ['complete', '3', '--summary', 'x'],
  ['complete', '4', '--summary', 'x'],
  ['complete', '5.1', '1', '--summary', 'x'],
  ['complete', 'root', '--summary', 'x'],
  ['fail', '1', '--reason', 'x'],
  ['fail', '5', '--reason', 'x'],
  ['fail', '6', '--reason', 'x'],
  ['fail', '3', '--reason', 'x'],
  ['reopen', '5'],
  ['reopen', '6'],
  ['reopen', '2'],
  ['claim', '1'],
  ['claim', '5'],
  ['claim', '6'],
  ['claim', '2'],
  ['claim', '4'],
  ['claim', '5.1', '2'],
  ['renew', '2'],
  ['renew', '1'],
  ['release', '2'],
  ['release', '1'],
  ['next', '--claim', '--status', 'nonsense'],
  ['edit', '1', '--description', 'x'],
  ['edit', '2', '--description', 'x'],
  ['split', '1', '--into', 'x', '--into', 'y'],
  ['split', '5', '--into', 'x', '--into', 'y'],
  ['split', '2', '--into', 'x', '--into', 'y'],
  ['add', 'x', '--under', '2'],
  ['add', 'x', '--under', '1'],
  ['depend', '2', '--on', '4'],
  ['depend', '5', '--on', '5.1'],
  ['move', '5', '--under', '5.1'],
  ['move', '2', '--under', '1'],
  ['remove', '2'],
  ['remove', '1'],
  ['remove', 'root', '--yes'],
  ['merge', '2', '4'],
  ['merge', '1', '5'],
  ['rollback', '1'],
  ['rollback', '6'],
  ['rollback', '2'],
  ['replan', '1'],
  ['replan', '2'],
  ['undo', '--yes'],
  ['redo', '--yes'],
  ['digest', '6'],
  ['draft', '5'],
] as const;

test('a command that is refused for what the plan is already writes nothing', async () => {
  const { run, bytes } = await newPlace();
  const before = bytes();
  const wrong: string[] = [];
  for (const args of REFUSED) {
    const { status } = await run([...args], { FRCTL_BY: 'eve' });
    if (status === 0 || !bytes().equals(before)) wrong.push(`${status}: ${args.join(' ')}`);
  }
  expect(wrong).toEqual([]);
});

test('nor does one that is refused for what became of the whole plan', async () => {
  const { run, bytes } = await newPlace();
  expect((await run(['complete', '5.1'], { FRCTL_BY: 'eve' })).status).toBe(0);
  expect((await run(['archive', '--yes'])).status).toBe(0);
  const before = bytes();
  for (const args of [
    ['complete', '5.2', '--summary', 'x', '--plan', '0398'],
    ['fail', '5.2', '--reason', 'x', '--plan', '0398'],
    ['undo', '0398', '--yes'],
    ['archive', '0398'],
    ['pause', '0398'],
  ]) {
    expect((await run(args)).status).not.toBe(0);
    expect(bytes().equals(before)).toBe(true);
  }
});

test('what somebody did under a claim that is over or another’s is kept, for it may be lost otherwise', async () => {
  const { run, bytes } = await newPlace();
  for (const args of [
    ['complete', '2', '--summary', 'x'],
    ['complete', '2', '--summary', 'x', '--token', 'old'],
    ['complete', '1', '--summary', 'x', '--token', 'old'],
    ['fail', '2', '--reason', 'x'],
    ['fail', '1', '--reason', 'x', '--token', 'old'],
  ]) {
    const before = bytes().length;
    const refused = await run(args, { FRCTL_BY: 'eve' });
    expect([refused.status, refused.error]).toEqual([4, expect.stringContaining('is kept')]);
    expect(bytes().length).toBeGreaterThan(before);
  }
});

test('a run that nobody carries out is not paused, and nothing of that is written', async () => {
  const { run, store } = await newWorkplace();
  writeFileSync(
    join(store, 'tools.yaml'),
    "tools:\n  - name: quick\n    effects: none\n    run: { command: ['true'] }\n",
  );
  const digest = String((await run(['tools', 'trust', '--json'])).json().digest);
  expect((await run(['tools', 'trust', '--digest', digest])).status).toBe(0);
  const plan = JSON.stringify({ schema_version: '1.0', steps: [{ id: 'a', tool: 'quick', args: {} }] });
  const prepared = await run(['prepare', '-', '--json'], {}, plan);
  const name = String(prepared.json().run);
  const shown = async () => (await run(['runs', 'log', name])).out;
  const before = await shown();
  const refused = await run(['runs', 'pause', name]);
  expect([refused.status, refused.error]).toEqual([4, expect.stringContaining('no process is running it')]);
  expect(before).toContain('prepared');
  expect(await shown()).toBe(before);
});
