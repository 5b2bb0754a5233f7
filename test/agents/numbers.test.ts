import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const ADDS = 'echo made > "$FRCTL_GOAL.txt"';
const [A, B] = ['0398a958-a', '0398a958-b'];

/** A place where what an agent made of each of two goals waits. */
async function waitingPlace(): Promise<AgentsPlace> {
  const place = await newAgentsPlace(ADDS, ['a', 'b']);
  await place.workspace.work({ parallel: 2 });
  return place;
}

/** Makes the attempt at a goal look as if the process that began it had been killed. */
function kill({ home }: AgentsPlace, goal: string): void {
  const file = join(home, 'state/frctl/work/0398a958', goal, 'attempt.json');
  const attempt = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  const killed = { ...attempt, state: 'running', owner: { ...attempt.owner, pid: 2 ** 22 - 1 } };
  writeFileSync(file, JSON.stringify(killed));
}

const run = async ({ start, variables }: AgentsPlace, ...args: readonly string[]) =>
  start([...args], variables).ended;

/** Returns the numbers that attempts are listed with, by the ids of their goals. */
async function numbersOf({ workspace }: AgentsPlace): Promise<Record<string, string | null>> {
  const { attempts } = await workspace.attempts.list();
  return Object.fromEntries(attempts.map(({ goal, number }) => [goal, number]));
}

test.each([
  [
    'a goal is added before them',
    async ({ workspace }: AgentsPlace) => workspace.add('First', { before: '1' }),
    '2',
  ],
  ['their goals are moved', async ({ workspace }: AgentsPlace) => workspace.move('2', { before: '1' }), '2'],
])(
  'what waits is listed, shown and given up by the number that its goal has once %s',
  async (_, change, now) => {
    const place = await waitingPlace();
    const { workspace } = place;
    await change(place);
    expect((await numbersOf(place))[A]).toBe(now);
    expect(await workspace.attempts.show(now)).toMatchObject({ goal: A, number: now });
    const { runs = [] } = await workspace.status();
    expect(runs.find(({ goal }) => goal === A)?.why).toContain(`mine made of goal ${now} `);
    const { cleaned } = await workspace.attempts.clean();
    expect(cleaned.find(({ goal }) => goal === A)?.number).toBe(now);
    expect(await workspace.attempts.reject(now)).toMatchObject({ goal: A, number: now });
    expect(Object.keys(await numbersOf(place))).toEqual([B]);
  },
);

test('a command that is printed under an attempt means its goal, whatever has changed since', async () => {
  const place = await waitingPlace();
  const { workspace } = place;
  const { out } = await run(place, 'attempts');
  const [, given = ''] = /Files: +0398a958-b\.txt\n[^]*?Give up: plan (.*)\n/.exec(out) ?? [];
  await workspace.add('First', { before: '1' });
  // The plan that is meant when none is named is another by now.
  await workspace.init({ goal: 'Something else', decompose: false }).result;
  const { out: said } = await run(place, ...given.split(' '));
  expect(said).toContain('3  rejected');
  const { attempts } = await workspace.attempts.list({ plan: '0398a958' });
  expect(attempts.map(({ goal }) => goal)).toEqual([A]);
  const { runs = [] } = await workspace.status({ plan: '0398a958' });
  const command = (runs[0]?.command ?? '').split(' ').slice(1);
  expect((await run(place, ...command)).out).toMatch(/^2 {2}waiting/);
});

test('what waits of a goal that is removed is told, listed without a number, and given up by its id', async () => {
  const place = await waitingPlace();
  const { workspace } = place;
  const removed = await run(place, 'remove', '1');
  expect(removed.error).toContain(`${A} is taken away: what mine made of goal ${A}`);
  expect(await numbersOf(place)).toEqual({ [A]: null, [B]: '1' });
  const { out } = await run(place, 'attempts');
  expect(out).toContain(`${A}  waiting  (mine, try 1): its goal is gone from the plan; `);
  expect(out).not.toContain(`attempts accept ${A}`);
  const { token, commit } = await workspace.attempts.show('a');
  expect((await workspace.attempts.show(token)).goal).toBe(A);
  await expect(workspace.attempts.accept(A, { commit: commit ?? '' })).rejects.toMatchObject({
    code: 'REFUSED',
    message: `goal ${A} is gone from the plan`,
  });
  expect((await workspace.attempts.clean(A)).cleaned).toMatchObject([{ goal: A, removed: 'trees' }]);
  await expect(workspace.attempts.show('nothing')).rejects.toMatchObject({ code: 'GOAL_NOT_FOUND' });
  await workspace.attempts.reject('1');
  const purge = async () => workspace.delete('0398a958', { purge: true });
  await expect(purge()).rejects.toMatchObject({ message: expect.stringContaining(A) });
  expect((await run(place, 'attempts', 'reject', A)).out).toContain(`${A}  rejected`);
  expect(place.git('for-each-ref', 'refs/frctl/kept')).toContain(`refs/frctl/kept/${A}/`);
  expect(await purge()).toMatchObject({ purged: true });
});

test('an interrupted attempt at a goal that is gone is given up by its id', async () => {
  const place = await waitingPlace();
  await place.workspace.remove('1');
  kill(place, A);
  expect((await place.workspace.attempts.clean(A)).cleaned).toMatchObject([
    { goal: A, number: null, removed: 'attempt' },
  ]);
  expect(await numbersOf(place)).toEqual({ [B]: '1' });
});

test('what agents are to do is told by the numbers that goals have as it is told', async () => {
  const place = await newAgentsPlace('');
  const at = place.home;
  const script = `touch ${at}/begun; while [ ! -e ${at}/go ]; do sleep 0.1; done; ${ADDS}`;
  writeFileSync(join(at, 'agent.sh'), `#!/bin/sh\n${script}\n`);
  const working = run(place, 'work');
  await expect.poll(() => existsSync(`${at}/begun`), { timeout: 60_000 }).toBe(true);
  await place.workspace.add('First', { before: '1' });
  await place.workspace.hold('1', { reason: 'later' });
  expect((await place.workspace.attempts.pause()).running).toEqual(['2']);
  writeFileSync(join(at, 'go'), '');
  const { out, error } = await working;
  expect(out).toContain('2  waiting, 1 run');
  expect(error.trim().split('\n').at(-1)).toBe('2  waiting');
});

test('the log of a goal has each try of an agent, also one that changed nothing', async () => {
  const place = await newAgentsPlace('echo "I give up"; exit 1', ['a', 'b']);
  await place.workspace.edit('1', { checks: ['ok'] });
  await place.workspace.work({ goals: ['1'], tries: 2 });
  const triesOf = async (goal?: string) =>
    (await place.workspace.log({ goal })).filter(({ type }) => type === 'work_attempted');
  expect(await triesOf()).toHaveLength(2);
  expect(await triesOf('1')).toHaveLength(2);
  expect(await triesOf('2')).toEqual([]);
});

test('what would be begun are no goals that wait: those whose attempt was interrupted go on first', async () => {
  const place = await newAgentsPlace(ADDS, ['a', 'b', 'c']);
  const { workspace } = place;
  await workspace.work({ goals: ['1', '2'], parallel: 2 });
  const would = async (parallel: number) => {
    const report = await workspace.work({ dryRun: true, parallel });
    return report.would?.map(({ number }) => number);
  };
  expect(await would(3)).toEqual(['3']);
  kill(place, B);
  expect(await would(1)).toEqual(['2']);
  expect(await would(2)).toEqual(['2', '3']);
  const waiting = await workspace.work({ dryRun: true, goals: ['1'] });
  expect(waiting).toMatchObject({
    would: [],
    refused: 'no goal can start; what agents made of 1 waits for you',
  });
  expect(await workspace.work({ goals: ['1'] })).toMatchObject({ ended: 'waits', goals: [] });
});
