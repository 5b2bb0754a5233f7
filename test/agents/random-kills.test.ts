import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { scale } from '../faults/support/scale.js';
import { newAgentsPlace, repositoryState } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const GOALS = ['a', 'b', 'c'];
/** About half of what three goals take: a process that has ended by then is not killed. */
const MOST_CALLS = 45;
const MOST_DELAY_MS = 120;

/** When a process of the command is killed: so long after its nth call of git. */
interface Moment {
  readonly call: number;
  readonly delay: number;
}

const moment = fc.record({
  call: fc.integer({ min: 1, max: MOST_CALLS }),
  delay: fc.integer({ min: 0, max: MOST_DELAY_MS }),
});

/** A PATH with a `git` that counts, and kills whoever called it when the moment has come. */
function killingPath({ home }: AgentsPlace, name: string, { call, delay }: Moment): string {
  const folder = join(home, name);
  mkdirSync(folder);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const kill = `( sleep ${delay / 1000}; kill -9 $PPID ) </dev/null >/dev/null 2>&1 &`;
  const script = `#!/bin/sh\necho x >> '${folder}/seen'\nif [ $(wc -l < '${folder}/seen') -eq ${call} ]; then ${kill}\nfi\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  return `${folder}:${process.env.PATH ?? ''}`;
}

const eventsOf = ({ folder }: AgentsPlace) =>
  readFileSync(join(folder, '.plans/0398a958.events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; goal?: string });

const userState = (place: AgentsPlace) => ({
  ...repositoryState(place),
  index: place.git('ls-files', '-s', 'src/base.txt'),
  dirty: readFileSync(join(place.folder, 'src/base.txt'), 'utf8'),
});

/** Works a plan off with so many processes at once, which are killed at these moments, then with one that is not. */
async function workedOff(kills: readonly Moment[], atOnce: number): Promise<number> {
  const place = await newAgentsPlace('echo "$FRCTL_GOAL" > "$FRCTL_GOAL.txt"; sleep 0.2', GOALS);
  for (const number of ['1', '2', '3']) await place.workspace.edit(number, { checks: ['ok'] });
  place.write('src/base.txt', 'base\nedited by hand\n');
  place.write('.git/hooks/post-merge', `#!/bin/sh\ntouch '${place.home}/hook-ran'\n`);
  chmodSync(join(place.folder, '.git/hooks/post-merge'), 0o755);
  const before = userState(place);
  const run = async (path: string) =>
    place.start(['work', '--parallel', '2', '--json'], { ...place.variables, PATH: path }).ended;
  let killed = 0;
  for (const [round, kill] of kills.entries()) {
    const others = Array.from({ length: atOnce - 1 }, async () => run(process.env.PATH ?? ''));
    const [ended] = await Promise.all([run(killingPath(place, `killing-${round}`, kill)), ...others]);
    if (ended.signal === 'SIGKILL') killed += 1;
  }
  const last = await run(process.env.PATH ?? '');
  expect(last.json()).toMatchObject({ ended: 'all_done' });
  const events = eventsOf(place);
  const completed = events.flatMap(({ type, goal }) => (type === 'goal_completed' ? [goal ?? ''] : []));
  expect(completed.toSorted()).toEqual(GOALS.map((suffix) => `0398a958-${suffix}`));
  const trailers = '--format=%(trailers:key=Plan-Goal,valueonly,separator=)';
  const landed = place
    .git('log', trailers, 'main')
    .split('\n')
    .filter((line) => line !== '');
  expect(landed.toSorted()).toEqual(GOALS.map((suffix) => `0398a958-${suffix}`));
  for (const suffix of GOALS)
    expect(readFileSync(join(place.folder, `0398a958-${suffix}.txt`), 'utf8')).toBe(`0398a958-${suffix}\n`);
  expect(userState(place)).toEqual(before);
  expect(existsSync(join(place.home, 'hook-ran'))).toBe(false);
  const left = join(place.home, 'state/frctl/work/0398a958');
  expect(existsSync(left) ? readdirSync(left) : []).toEqual([]);
  return killed;
}

test.each([1, 2])(
  'killed at random moments, with %i at once, every goal is completed and landed once',
  { timeout: 3_600_000 },
  async (atOnce) => {
    const plans = scale(10, 1);
    const moments = fc.sample(moment, { numRuns: plans * 3 });
    let killed = 0;
    for (let plan = 0; plan < plans; plan += 1)
      killed += await workedOff(moments.slice(plan * 3, plan * 3 + 3), atOnce);
    expect(killed).toBeGreaterThan(0);
  },
);
