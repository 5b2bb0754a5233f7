import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace, repositoryState } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

/** Where the process of the command is killed: at the nth call of git that fits, before or after git has done it. */
interface KillAt {
  readonly git: string;
  readonly nth: number;
  readonly after?: boolean;
}

/** A `git` that comes first on the PATH and kills, once, whoever calls it so; all else it hands on. */
function killingGit({ home }: AgentsPlace, { git, nth, after = false }: KillAt): string {
  const folder = join(home, 'killing');
  mkdirSync(folder);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const kill = `${after ? `${real} "$@"; ` : ''}kill -9 $PPID; exit 1`;
  const script = `#!/bin/sh\ncase "$*" in *"${git}"*) echo x >> "${folder}/seen"; if [ $(wc -l < "${folder}/seen") -eq ${nth} ]; then ${kill}; fi;; esac\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${process.env.PATH ?? ''}`;
}

const eventsOf = ({ folder }: AgentsPlace) =>
  readFileSync(join(folder, '.plans/0398a958.events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { type: string }).type);

/** Works the plan off with a process that is killed, then with another one. */
async function killedOnce(place: AgentsPlace, path: string) {
  const before = repositoryState(place);
  const variables = { ...place.variables, PATH: path };
  const killed = await place.start(['work', '--json'], variables).ended;
  expect(killed.signal).toBe('SIGKILL');
  const step = stepLeft(place);
  const again = await place.start(['work', '--json'], place.variables).ended;
  expect(again.json()).toMatchObject({ ended: 'all_done' });
  expect(eventsOf(place).filter((type) => type === 'goal_completed')).toHaveLength(1);
  expect(place.git('rev-list', '--count', 'main').trim()).toBe('2');
  expect(readFileSync(join(place.folder, 'made.txt'), 'utf8')).toBe('made\n');
  expect(repositoryState(place)).toEqual(before);
  const left = join(place.home, 'state/frctl/work/0398a958');
  expect(existsSync(left) ? readdirSync(left) : []).toEqual([]);
  return { step, runs: readFileSync(join(place.home, 'runs'), 'utf8').trim().split('\n').length };
}

function stepLeft({ home }: AgentsPlace): string {
  const plan = join(home, 'state/frctl/work/0398a958');
  const [goal = ''] = readdirSync(plan);
  return (JSON.parse(readFileSync(join(plan, goal, 'attempt.json'), 'utf8')) as { step: string }).step;
}

async function placeWith(script: string) {
  const place = await newAgentsPlace(script);
  await place.workspace.edit('1', { checks: ['ok'] });
  return place;
}

const MAKES = (home: string) => `echo run >> ${home}/runs; echo made > made.txt`;

test.each<readonly [string, KillAt, number]>([
  ['claim', { git: 'rev-parse --verify -q refs/heads/main', nth: 3 }, 1],
  ['clone', { git: 'init --quiet', nth: 1 }, 1],
  ['clone', { git: 'read-tree -m -u', nth: 1, after: true }, 1],
  ['gather', { git: 'write-tree', nth: 1 }, 1],
  ['gather', { git: 'update-ref refs/frctl/attempts', nth: 1, after: true }, 1],
  ['land', { git: 'rev-parse --verify -q refs/heads/main', nth: 4 }, 1],
  ['move', { git: 'merge --ff-only', nth: 1 }, 1],
  ['move', { git: 'merge --ff-only', nth: 1, after: true }, 1],
  ['complete', { git: 'log -1', nth: 1 }, 1],
  ['remove', { git: 'update-ref -d', nth: 1 }, 1],
  ['remove', { git: 'update-ref -d', nth: 1, after: true }, 1],
])('killed in %s (%o), the next command completes and lands the goal once', async (step, at, runs) => {
  const place = await placeWith('');
  writeFileSync(join(place.home, 'agent.sh'), `#!/bin/sh\ncat > /dev/null\n${MAKES(place.home)}\n`);
  expect(await killedOnce(place, killingGit(place, at))).toEqual({ step, runs });
});

test('killed while the agent runs, its process is ended, and it runs once more in the same tree', async () => {
  const place = await placeWith('');
  const once = `if [ ! -e ${place.home}/once ]; then touch ${place.home}/once; setsid sleep 300 & kill -9 $PPID; sleep 300; fi`;
  writeFileSync(
    join(place.home, 'agent.sh'),
    `#!/bin/sh\ncat > ${place.home}/told\necho run >> ${place.home}/runs\n${once}\necho made > made.txt\n`,
  );
  expect(await killedOnce(place, place.variables.PATH ?? '')).toEqual({ step: 'agent', runs: 2 });
  expect(readFileSync(join(place.home, 'told'), 'utf8')).toContain('An earlier run was interrupted');
});

test('killed while a check runs, the check runs again, and the agent does not', async () => {
  const place = await newAgentsPlace('');
  writeFileSync(join(place.home, 'agent.sh'), `#!/bin/sh\ncat > /dev/null\n${MAKES(place.home)}\n`);
  place.write(
    'check.sh',
    `[ -e ${place.home}/once ] || { touch ${place.home}/once; kill -9 $PPID; sleep 300; }\n`,
  );
  place.git('commit', '-qam', 'Base', '--amend');
  await place.workspace.edit('1', { checks: ['ok'] });
  expect(await killedOnce(place, place.variables.PATH ?? '')).toEqual({ step: 'check', runs: 1 });
});
