import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const folderOf = ({ home }: AgentsPlace, goal = 'a') =>
  join(home, 'state/frctl/work/0398a958', `0398a958-${goal}`);

const eventsOf = ({ folder }: AgentsPlace) =>
  readFileSync(join(folder, '.plans/0398a958.events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; goal?: string; outcome?: string });

/** An agent that says what it costs, as claude does. */
const COSTS = (dollars: number) =>
  `echo x > "$FRCTL_GOAL.txt"; echo '{"type":"result","result":"done","total_cost_usd":${dollars}}'`;

/** Makes the attempt at a goal look as if the process that began it had been killed. */
function kill(place: AgentsPlace): void {
  const file = join(folderOf(place), 'attempt.json');
  const attempt = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  const killed = { ...attempt, state: 'running', owner: { ...attempt.owner, pid: 2 ** 22 - 1 } };
  writeFileSync(file, JSON.stringify(killed));
}

test('an attempt that waits shows its patch, the output of the agent, and why', async () => {
  const place = await newAgentsPlace('echo made > a.txt; echo I have done it');
  await place.workspace.work();
  const shown = await place.workspace.attempts.show('1');
  expect(shown).toMatchObject({ state: 'waiting', reason: 'the goal has no check', log: 'I have done it\n' });
  expect(shown.diff).toContain('+++ b/a.txt');
  expect(shown.diff).toContain('+made');
  expect(shown.is_whole).toBe(true);
  await expect(place.workspace.attempts.show('root')).rejects.toMatchObject({ code: 'REFUSED' });
});

test('what an agent printed when it ran before is not shown where it does not start again', async () => {
  const place = await newAgentsPlace('echo I have begun; exit 127');
  const log = async () => {
    expect((await place.workspace.work()).ended).toBe('agent');
    return (await place.workspace.attempts.show('1')).log;
  };
  expect(await log()).toContain('I have begun');
  kill(place);
  chmodSync(join(place.home, 'agent.sh'), 0o644);
  expect(await log()).toBe('');
});

test('what waits can be landed and checked after its files were removed', async () => {
  const place = await newAgentsPlace('echo made > a.txt');
  await place.workspace.work();
  expect(await place.workspace.attempts.clean()).toMatchObject({
    cleaned: [{ number: '1', removed: 'trees' }],
  });
  expect(existsSync(join(folderOf(place), 'tree'))).toBe(false);
  place.git('commit', '--allow-empty', '-qm', 'Other');
  await place.workspace.edit('1', { checks: ['ok'] });
  const { attempts } = await place.workspace.attempts.list();
  const commit = attempts[0]?.commit ?? '';
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
  expect(readFileSync(join(place.folder, 'a.txt'), 'utf8')).toBe('made\n');
});

test('an interrupted attempt is named by doctor, and given up when it is named: its commit stays', async () => {
  const place = await newAgentsPlace('echo made > a.txt');
  await place.workspace.work();
  const waiting = await place.workspace.doctor();
  expect(JSON.stringify(waiting)).not.toContain('ATTEMPT_LEFT');
  kill(place);
  expect(JSON.stringify(await place.workspace.doctor())).toContain('ATTEMPT_LEFT');
  expect((await place.workspace.attempts.clean()).cleaned).toEqual([]);
  expect((await place.workspace.attempts.clean('1')).cleaned).toMatchObject([{ removed: 'attempt' }]);
  expect(existsSync(folderOf(place))).toBe(false);
  expect(place.git('for-each-ref', 'refs/frctl/kept').trim().split('\n')).toHaveLength(1);
  await place.workspace.claim('1');
});

test('who is asked to pause finishes what runs, and begins nothing more; the next command goes on', async () => {
  const place = await newAgentsPlace(
    'cd "$(dirname "$0")"; touch begun; while [ ! -e go ]; do sleep 0.1; done; cd "$OLDPWD"; echo x > "$FRCTL_GOAL.txt"',
    ['a', 'b'],
  );
  for (const number of ['1', '2']) await place.workspace.edit(number, { checks: ['ok'] });
  const working = place.workspace.work();
  while (!existsSync(join(place.home, 'begun'))) await new Promise((done) => setTimeout(done, 50));
  expect((await place.workspace.attempts.pause()).running).toHaveLength(1);
  writeFileSync(join(place.home, 'go'), '');
  expect(await working).toMatchObject({ ended: 'paused', goals: [{ outcome: 'landed' }] });
  expect(await place.workspace.work()).toMatchObject({ ended: 'all_done' });
});

test('a budget in dollars ends the work, and is refused for an agent that does not say what it costs', async () => {
  const place = await newAgentsPlace(COSTS(0.4), ['a', 'b', 'c', 'd']);
  for (const number of ['1', '2', '3', '4']) await place.workspace.edit(number, { checks: ['ok'] });
  await expect(place.workspace.work({ budgetUsd: 1 })).rejects.toMatchObject({ code: 'REFUSED' });
  place.configure({ agents: { mine: { command: [join(place.home, 'agent.sh')], output: 'claude' } } });
  const report = await place.workspace.work({ budgetUsd: 1 });
  expect(report).toMatchObject({ ended: 'budget', spent: { attempts: 3, unknown: 0 } });
  expect(report.spent?.cost_usd).toBeCloseTo(1.2);
});

test('each try is told to people as it begins', async () => {
  const place = await newAgentsPlace('echo x > a.txt');
  await place.workspace.edit('1', { checks: ['ok'] });
  const { error } = await place.start(['work', '--json'], place.variables).ended;
  expect(error.split('\n')).toEqual([
    '1  the agent works',
    '1  its work is checked',
    '1  lands',
    '1  landed',
    '',
  ]);
});

test('who lost a conflict lands first: others with the same files wait for it', async () => {
  const at = '"$(dirname "$0")"';
  const script = [
    'case "$FRCTL_GOAL" in',
    `*-a) while [ ! -e ${at}/b ]; do sleep 0.1; done; echo a >> src/base.txt;;`,
    `*-b) if grep -q "<<<<" src/base.txt; then touch ${at}/again; while [ ! -e ${at}/c ]; do sleep 0.1; done; sleep 2; sed -i "/^[<=>|]/d" src/base.txt;`,
    `  else touch ${at}/b; while ! git -C "$(cat ${at}/top)" log --format=%s main | grep -q "Goal a"; do sleep 0.1; done; echo b >> src/base.txt; fi;;`,
    `*-c) while [ ! -e ${at}/again ]; do sleep 0.1; done; echo c >> src/base.txt; touch ${at}/c;;`,
    'esac',
  ].join('\n');
  const place = await newAgentsPlace(script, ['a', 'b', 'c']);
  writeFileSync(join(place.home, 'top'), place.folder);
  for (const number of ['1', '2', '3']) await place.workspace.edit(number, { checks: ['ok'] });
  // A free agent would begin with it while the first still lands.
  await place.workspace.depend('3', { on: ['1'] });
  const report = await place.workspace.work({ parallel: 2, timeout: '60' });
  expect(report.ended).toBe('all_done');
  const conflicts = eventsOf(place).filter(({ outcome }) => outcome === 'conflict');
  expect(conflicts.filter(({ goal }) => goal === '0398a958-b')).toHaveLength(1);
  const landed = place.git('log', '--reverse', '--format=%s', 'main').trim().split('\n');
  expect(landed).toEqual(['Base', 'Goal a', 'Goal b', 'Goal c']);
});

test('what an agent without a sandbox changes in the repository itself is decided by a person', async () => {
  const place = await newAgentsPlace(`echo x > a.txt; echo y > "$(cat "$(dirname "$0")/top")/leaked.txt"`);
  writeFileSync(join(place.home, 'top'), place.folder);
  await place.workspace.edit('1', { checks: ['ok'] });
  const report = await place.workspace.work();
  expect(report.goals).toMatchObject([{ outcome: 'waiting' }]);
  expect(report.goals?.[0]?.reason).toMatch(/^LEAKED: .*leaked\.txt$/);
  expect(readdirSync(place.folder)).not.toContain('a.txt');
});

test.each([
  ['is cut off', ': > "$RECORD"', true],
  ['is gone with its folder', 'rm -r "$(dirname "$RECORD")"', false],
])('a record that %s is named, with what holds the work', async (_, harm, isThere) => {
  const place = await newAgentsPlace('echo a > a.txt');
  await place.workspace.edit('1', { checks: ['ok'] });
  await place.workspace.work({ review: 'each' });
  expect((await place.workspace.attempts.list()).lost).toEqual([]);
  const record = join(place.home, 'state/frctl/work/0398a958/0398a958-a/attempt.json');
  place.shell(`RECORD=${record}; ${harm}`);
  const ref = place.git('for-each-ref', '--format=%(refname)', 'refs/frctl/attempts').trim();
  const file = isThere ? record : null;
  expect((await place.workspace.attempts.list()).lost).toEqual([{ goal: '0398a958-a', file, ref }]);
  const { findings } = await place.workspace.doctor();
  const lost = findings.find(({ code }) => code === 'ATTEMPT_LOST');
  expect(lost?.message).toContain(ref);
  expect(lost?.cure).toContain(`git show ${ref}`);
});

test('what waits is listed with how many more files it changed', async () => {
  const place = await newAgentsPlace('for i in $(seq 1 30); do echo $i > f$i; done');
  await place.workspace.edit('1', { checks: ['ok'] });
  await place.workspace.work({ review: 'each' });
  const { out } = await place.start(['attempts'], place.variables).ended;
  expect(out).toContain('f17, f18, and 20 more');
});
