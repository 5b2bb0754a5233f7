import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { whileLocked } from '../../src/host/files/file-lock.js';
import { newAgentsPlace, repositoryState } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const ADDS = 'echo "$FRCTL_GOAL" > "$(basename "$FRCTL_GOAL").txt"';

const stateOf = ({ home }: AgentsPlace) => {
  const root = join(home, 'state/frctl/work/0398a958');
  return existsSync(root) ? readdirSync(root) : [];
};

const reportSchema = z.object({
  goals: z.array(z.looseObject({ reason: z.string().nullable() })),
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function checkedBy(place: AgentsPlace, numbers: readonly string[]) {
  for (const number of numbers) await place.workspace.edit(number, { checks: ['ok'] });
}

test('agents do the goals; each lands as one commit on the branch, and nothing else of the repository changes', async () => {
  const place = await newAgentsPlace(ADDS, ['a', 'b', 'c']);
  await checkedBy(place, ['1', '2', '3']);
  place.write('dirty.txt', 'mine\n');
  place.write('src/base.txt', 'base\nedited by hand\n');
  const before = repositoryState(place);
  const report = await place.workspace.work({ parallel: 3 });
  expect(report).toMatchObject({ ended: 'all_done', spent: { attempts: 3 } });
  expect(report.goals?.map(({ outcome }) => outcome)).toEqual(['landed', 'landed', 'landed']);
  expect(repositoryState(place)).toEqual(before);
  expect(place.git('log', '--format=%an %s', 'HEAD~3..HEAD').trim().split('\n')).toHaveLength(3);
  expect(readFileSync(join(place.folder, '0398a958-b.txt'), 'utf8')).toBe('0398a958-b\n');
  expect((await place.workspace.status()).plan.status).toBe('complete');
  expect(place.git('log', '-1', '--format=%(trailers:key=Plan-Agent,valueonly)').trim()).toBe('mine');
  expect(stateOf(place)).toEqual([]);
});

test('in the sandbox an agent works as well, and sees neither the home of the user nor his repository', async () => {
  const place = await newAgentsPlace(
    'ls "$(dirname "$0")" > seen.txt; git log --format=%s >> seen.txt; echo done >> seen.txt',
  );
  place.configure({}, 'workspace');
  await checkedBy(place, ['1']);
  const report = await place.workspace.work();
  expect(report.goals).toMatchObject([{ outcome: 'landed', files: ['seen.txt'] }]);
  expect(readFileSync(join(place.folder, 'seen.txt'), 'utf8')).toBe('agent.sh\nstate\nBase\ndone\n');
});

test('a failed check fails the try, the agent is told, and a goal without a good try fails', async () => {
  const place = await newAgentsPlace(
    'echo x > broken.txt; test "$FRCTL_WORK_TRY" = 1 || rm broken.txt; echo y > ok.txt',
  );
  await checkedBy(place, ['1']);
  expect((await place.workspace.work()).goals).toMatchObject([{ outcome: 'landed', attempts: 2 }]);
  const other = await newAgentsPlace('echo x > broken.txt');
  await checkedBy(other, ['1']);
  const report = await other.workspace.work({ tries: 2 });
  expect(report).toMatchObject({ ended: 'failed', goals: [{ outcome: 'failed', attempts: 2 }] });
  expect(report.goals?.[0]?.reason).toContain('the check ok failed');
  expect(other.git('rev-list', '--count', 'main').trim()).toBe('1');
  expect(other.git('for-each-ref', 'refs/frctl/kept').trim().split('\n')).toHaveLength(2);
  expect((await other.workspace.show('1')).goal.status).toBe('failed');
});

test('two tries that make the same and fail alike are enough; what differs is tried to the end', async () => {
  const same = await newAgentsPlace('echo x > broken.txt');
  await checkedBy(same, ['1']);
  expect((await same.workspace.work()).goals).toMatchObject([{ outcome: 'failed', attempts: 2 }]);
  const other = await newAgentsPlace('echo "$FRCTL_WORK_TRY" > broken.txt');
  await checkedBy(other, ['1']);
  expect((await other.workspace.work()).goals).toMatchObject([{ outcome: 'failed', attempts: 3 }]);
  const silent = await newAgentsPlace('echo "took $$ ms" >&2; exit 3');
  await checkedBy(silent, ['1']);
  expect((await silent.workspace.work()).goals).toMatchObject([{ outcome: 'failed', attempts: 2 }]);
});

test('an agent whose program is missing ends the command, and costs no goal a try', async () => {
  const place = await newAgentsPlace('exec no-such-program --now', ['a', 'b']);
  await checkedBy(place, ['1', '2']);
  const work = async () => {
    const { status, out } = await place.start(['work', '--json'], place.variables).ended;
    return { status, report: reportSchema.parse(JSON.parse(out)) };
  };
  const { status, report } = await work();
  expect({ status, report }).toMatchObject({
    status: 5,
    report: { goals: [{ outcome: 'agent', attempts: 1 }] },
  });
  expect(report.goals[0]?.reason).toContain('no-such-program');
  expect((await place.workspace.status()).plan.failed_goals).toBe(0);
  writeFileSync(join(place.home, 'agent.sh'), `#!/bin/sh\ncat > /dev/null\n${ADDS}\n`);
  expect(await work()).toMatchObject({ status: 0 });
});

test('an agent that cannot be started is told once: before anything is claimed where its program is not there', async () => {
  const place = await newAgentsPlace(ADDS, ['a', 'b']);
  await checkedBy(place, ['1', '2']);
  chmodSync(join(place.home, 'agent.sh'), 0o644);
  const { ended, goals } = await place.workspace.work();
  expect({ ended, goals }).toMatchObject({ ended: 'agent', goals: [{ outcome: 'agent', attempts: 1 }] });
  expect(goals?.[0]?.reason).toContain('the agent mine cannot be started');
  const other = await newAgentsPlace(ADDS, ['a']);
  other.configure({ agents: { mine: { command: ['no-such-agent'] } } });
  for (const dryRun of [true, false])
    await expect(other.workspace.work({ dryRun })).rejects.toMatchObject({
      code: 'REFUSED',
      message: 'there is no program "no-such-agent" on the PATH',
    });
  expect(await other.workspace.attempts.list()).toMatchObject({ attempts: [] });
  expect((await other.workspace.status()).claimed).toEqual([]);
});

test('what conflicts is given back to the agent with its markers, and no try is counted', async () => {
  const resolve =
    'if grep -q "<<<<" src/base.txt; then sed -i "/^[<=>|]/d" src/base.txt; else sleep 1; echo "$FRCTL_GOAL" >> src/base.txt; fi';
  const place = await newAgentsPlace(resolve, ['a', 'b', 'c']);
  await checkedBy(place, ['1', '2', '3']);
  const report = await place.workspace.work({ parallel: 3, tries: 1 });
  expect(report.ended).toBe('all_done');
  const lines = readFileSync(join(place.folder, 'src/base.txt'), 'utf8').trim().split('\n');
  expect(lines.toSorted()).toEqual(['0398a958-a', '0398a958-b', '0398a958-c', 'base']);
  expect(report.spent?.attempts).toBeGreaterThan(3);
});

test('conflict markers that an agent leaves are never landed: its next try does the goal on what landed', async () => {
  const script =
    'if grep -q "<<<<" src/base.txt; then echo more >> src/base.txt; else sleep 1; echo "$FRCTL_GOAL" >> src/base.txt; fi';
  const place = await newAgentsPlace(script, ['a', 'b']);
  await checkedBy(place, ['1', '2']);
  const report = await place.workspace.work({ parallel: 2, tries: 2 });
  expect(report.ended).toBe('all_done');
  const lines = readFileSync(join(place.folder, 'src/base.txt'), 'utf8').trim().split('\n');
  expect(lines.toSorted()).toEqual(['0398a958-a', '0398a958-b', 'base']);
  const told = place.git('for-each-ref', 'refs/frctl/kept').trim();
  expect(told).not.toBe('');
});

test('why an agent failed is the end of what it said, on whichever stream, and the status names what waits', async () => {
  const place = await newAgentsPlace('echo "I give up: no network"; exit 1', ['a', 'b']);
  await checkedBy(place, ['1']);
  const { goals } = await place.workspace.work({ goals: ['1'], tries: 1 });
  expect(goals?.[0]?.reason).toBe('the agent ended with status 1: I give up: no network');
  writeFileSync(join(place.home, 'agent.sh'), `#!/bin/sh\ncat > /dev/null\n${ADDS}\n`);
  await place.workspace.work({ goals: ['2'] });
  expect((await place.workspace.status()).runs).toMatchObject([
    {
      goal: '0398a958-b',
      status: 'waiting',
      why: 'what mine made of goal 2 waits for a person: the goal has no check',
      command: 'plan attempts show 0398a958-b',
    },
  ]);
});

test('goals that touch the same files are not worked on at once, so that nothing conflicts', async () => {
  const place = await newAgentsPlace('sleep 0.3; echo "$FRCTL_GOAL" >> src/base.txt', ['a', 'b', 'c']);
  for (const number of ['1', '2', '3'])
    await place.workspace.edit(number, { checks: ['ok'], touches: ['src'] });
  expect(await place.workspace.work({ parallel: 3 })).toMatchObject({
    ended: 'all_done',
    spent: { attempts: 3 },
  });
});

test('a free agent takes the next goal while what it made before is checked, and never are more at work', async () => {
  const goals = ['a', 'b', 'c', 'd'];
  const place = await newAgentsPlace(
    `cd "$(dirname "$0")"; echo + >> log; case "$FRCTL_GOAL" in *-c) touch third;; esac; sleep 0.3; echo - >> log; cd -; ${ADDS}`,
    goals,
  );
  const third = join(place.home, 'third');
  place.write('check.sh', `for i in $(seq 300); do [ -e ${third} ] && exit; sleep 0.1; done; exit 1\n`);
  place.git('commit', '-qam', 'Base', '--amend');
  await checkedBy(place, ['1', '2', '3', '4']);
  expect(await place.workspace.work({ parallel: 2, tries: 1 })).toMatchObject({ ended: 'all_done' });
  let now = 0;
  const atWork = readFileSync(join(place.home, 'log'), 'utf8')
    .trim()
    .split('\n')
    .map((mark) => (now += mark === '+' ? 1 : -1));
  expect(atWork).toHaveLength(2 * goals.length);
  expect(Math.max(...atWork)).toBeLessThanOrEqual(2);
});

test('one agent alone begins with what has landed, so that nothing can conflict', async () => {
  const place = await newAgentsPlace('echo "$FRCTL_GOAL" >> src/base.txt', ['a', 'b', 'c']);
  await checkedBy(place, ['1', '2', '3']);
  expect(await place.workspace.work()).toMatchObject({ ended: 'all_done', spent: { attempts: 3 } });
});

test('a command chooses no goal while another one does, so that two never have agents at one goal', async () => {
  const place = await newAgentsPlace(`echo "$FRCTL_GOAL" >> "$(dirname "$0")/runs"; ${ADDS}`, [
    'a',
    'b',
    'c',
  ]);
  await checkedBy(place, ['1', '2', '3']);
  const [root, work] = [
    join(place.home, 'state/frctl/work'),
    async () => place.workspace.work({ parallel: 2 }),
  ];
  const working = await whileLocked(join(root, 'take-0398a958'), async () => {
    const both = [work(), work()];
    await new Promise((done) => setTimeout(done, 3000));
    expect(stateOf(place)).toEqual([]);
    return both;
  });
  await Promise.all(working);
  expect((await place.workspace.status()).plan.status).toBe('complete');
  const runs = readFileSync(join(place.home, 'runs'), 'utf8').trim().split('\n');
  expect(runs.toSorted()).toEqual(['a', 'b', 'c'].map((suffix) => `0398a958-${suffix}`));
  expect(stateOf(place)).toEqual([]);
});

test('local changes of the same files are not overwritten: the goal waits, and names them', async () => {
  const place = await newAgentsPlace('echo theirs > src/base.txt');
  await checkedBy(place, ['1']);
  place.write('src/base.txt', 'mine\n');
  const report = await place.workspace.work();
  expect(report).toMatchObject({ ended: 'waits', goals: [{ outcome: 'waiting' }] });
  expect(report.goals?.[0]?.reason).toContain('src/base.txt');
  expect(readFileSync(join(place.folder, 'src/base.txt'), 'utf8')).toBe('mine\n');
  expect((await place.workspace.show('1')).goal).not.toHaveProperty('claim');
});

test('a goal without a check waits for a person, unless nobody is asked: then it is refused', async () => {
  const place = await newAgentsPlace(ADDS);
  await expect(place.workspace.work({ review: 'none' })).rejects.toMatchObject({ code: 'REFUSED' });
  expect(await place.workspace.work({ dryRun: true })).toMatchObject({
    would: [{ number: '1', agent: 'mine', checks: [] }],
  });
  expect(stateOf(place)).toEqual([]);
  const report = await place.workspace.work();
  expect(report).toMatchObject({ ended: 'waits', goals: [{ reason: 'the goal has no check' }] });
  expect(place.git('rev-list', '--count', 'main').trim()).toBe('1');
});

test.each([
  ['deletes a test', 'rm check.sh', 'named by a check'],
  ['changes what a check runs', 'echo true > check.sh', 'named by a check'],
  ['changes what services run', 'mkdir -p .github; echo x > .github/a.yml', 'protected'],
  ['changes what agents are told', 'echo x > AGENTS.md', 'protected'],
  ['links out', 'ln -s /etc/passwd users', 'link out'],
])('a change that %s is decided by a person, and fails where nobody is asked', async (_name, script, why) => {
  const place = await newAgentsPlace(script);
  place.write('check.sh', 'true\n');
  await checkedBy(place, ['1']);
  const report = await place.workspace.work({ review: 'none', tries: 1 });
  expect(report.goals?.[0]?.outcome).toBe('failed');
  expect(report.goals?.[0]?.reason).toContain(why);
  expect(place.git('rev-list', '--count', 'main').trim()).toBe('1');
});

test.each([
  ['ends well and has done nothing', 'echo all done', 'changed nothing'],
  ['claims success and fails', 'echo x > a.txt; echo no >&2; exit 3', 'status 3: no'],
  ['commits a secret', 'echo "key = AKIAABCDEFGHIJKLMNOP" > a.txt; git add -A; git commit -qm x', 'secret'],
  ['leaves a repository', 'git init -q sub; echo x > sub/a', 'repository of its own'],
  ['makes a pipe', 'mkfifo pipe', ''],
  ['makes a file whose name is no UTF-8', `echo x > a.txt; echo x > "$(printf 'caf\\351.txt')"`, 'no UTF-8'],
  ['runs for ever', 'echo x > a.txt; exec sleep 1000', 'longer than 1 s'],
  ['prints without end', 'exec yes', 'printed more than'],
])('an agent that %s lands nothing', async (_name, script, why) => {
  const place = await newAgentsPlace(script);
  await checkedBy(place, ['1']);
  const before = repositoryState(place);
  const report = await place.workspace.work({ tries: 1, timeout: why.includes('1 s') ? '1' : '30' });
  expect(report.goals?.[0]?.outcome).toBe('failed');
  expect(report.goals?.[0]?.reason).toContain(why);
  expect({ ...repositoryState(place) }).toEqual(before);
  expect(place.git('rev-list', '--count', 'main').trim()).toBe('1');
});

test('a hostile agent reaches neither refs, hooks and settings of the user nor his store, and leaves no process', async () => {
  const hostile = [
    'git update-ref -d refs/heads/main; git config core.fsmonitor "touch $HOME/ran; false"; git config core.hooksPath "$PWD/h"',
    'git config filter.x.clean "touch $HOME/ran"; git config merge.x.driver "touch $HOME/ran"; mkdir h; echo "touch $HOME/ran" > h/pre-commit; chmod +x h/pre-commit',
    'mkdir -p .plans; echo "{}" > .plans/config.json; rm -rf .git/objects/info/alternates',
    '(setsid sh -c "echo \\$\\$ > $(dirname "$0")/pid; exec sleep 321" >/dev/null 2>&1 &); sleep 0.3',
    'echo good > good.txt',
  ].join('\n');
  const place = await newAgentsPlace(hostile);
  await checkedBy(place, ['1']);
  const before = repositoryState(place);
  const config = readdirSync(join(place.folder, '.plans'));
  const report = await place.workspace.work({ tries: 1 });
  expect(report.goals?.[0]).toMatchObject({ outcome: 'landed' });
  expect(report.goals?.[0]?.files).toEqual(['good.txt', 'h/pre-commit']);
  expect(repositoryState(place)).toEqual(before);
  expect(readdirSync(join(place.folder, '.plans'))).toEqual(config);
  expect(existsSync(join(place.home, 'ran'))).toBe(false);
  const pid = Number(readFileSync(join(place.home, 'pid'), 'utf8'));
  // Whoever was its parent may still have to take note.
  await expect.poll(() => isThere(pid), { timeout: 30_000 }).toBe(false);
  expect(stateOf(place)).toEqual([]);
});

test('a repository that says which agent is started is refused, whatever else it says', async () => {
  const place = await newAgentsPlace(ADDS);
  for (const name of ['with', 'agents', 'sandbox', 'copy']) {
    place.write('.plans/config.json', JSON.stringify({ work: { [name]: {} } }));
    await expect(place.workspace.work()).rejects.toMatchObject({ code: 'UNTRUSTED_COMMAND' });
  }
});

test('a check is a trusted tool without effects: others are refused before anything begins', async () => {
  const place = await newAgentsPlace(ADDS);
  await place.workspace.edit('1', { checks: ['rm path=/'] });
  await expect(place.workspace.work()).rejects.toMatchObject({
    code: 'REFUSED',
    details: { reason: 'unknown_check' },
  });
  await checkedBy(place, ['1']);
  place.write('.plans/tools.yaml', 'tools: []\n');
  await expect(place.workspace.work()).rejects.toMatchObject({ code: 'E_TOOL_UNTRUSTED' });
  expect(stateOf(place)).toEqual([]);
});

test('a budget of goals begins no more, and a folder without a repository is refused', async () => {
  const place = await newAgentsPlace(ADDS, ['a', 'b', 'c']);
  await checkedBy(place, ['1', '2', '3']);
  expect(await place.workspace.work({ budgetGoals: 2 })).toMatchObject({
    ended: 'budget',
    spent: { attempts: 2 },
  });
  expect(await place.workspace.work({ goals: ['3'] })).toMatchObject({ ended: 'all_done' });
  symlinkSync('/etc', join(place.folder, 'out'));
  await expect(place.workspace.work({ base: 'nowhere' })).rejects.toMatchObject({ code: 'REFUSED' });
});

test('what waits is landed when a person accepts just that commit, and given up when he rejects it', async () => {
  const place = await newAgentsPlace(ADDS, ['a', 'b']);
  expect(await place.workspace.work()).toMatchObject({ ended: 'waits' });
  const { attempts } = await place.workspace.attempts.list();
  expect(attempts.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  const commit = attempts[0]?.commit ?? '';
  await expect(place.workspace.attempts.accept('1', { commit: 'f'.repeat(40) })).rejects.toMatchObject({
    code: 'REFUSED',
  });
  place.write('other.txt', 'x\n');
  place.git('add', 'other.txt');
  place.git('commit', '-qm', 'Other');
  expect(await place.workspace.attempts.accept('1', { commit })).toMatchObject({ outcome: 'landed' });
  expect(readFileSync(join(place.folder, '0398a958-a.txt'), 'utf8')).toBe('0398a958-a\n');
  expect((await place.workspace.show('1')).goal.status).toBe('complete');
  await place.workspace.attempts.reject('2', { reason: 'no' });
  expect(existsSync(join(place.folder, '0398a958-b.txt'))).toBe(false);
  expect(place.git('for-each-ref', 'refs/frctl/kept').trim().split('\n')).toHaveLength(1);
  expect(stateOf(place)).toEqual([]);
  await place.workspace.claim('2');
});
