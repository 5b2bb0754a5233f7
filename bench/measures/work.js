import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { spawnSync } from 'node:child_process';

import { median } from '../support/statistics.js';
import { printTable, ratio, whole } from '../support/table.js';

const ROUNDS = 3;
const GOALS = 12;
/** Seconds that the agent takes for a goal. */
const SECONDS = 3;
const PARALLEL = [1, 3];

/**
 * Wall time of `plan work` over the best schedule, goals ÷ agents × what an agent takes, without what starting costs: the
 * command on a plan of one goal whose agent ends at once, its clone, check and landing included.
 * @param {string} folder
 */
export async function measureWork(folder) {
  const rows = [];
  for (const parallel of PARALLEL) {
    const starts = [];
    const walls = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = join(folder, `${parallel}-${round}`);
      starts.push(await workOff(join(own, 'start'), { goals: 1, seconds: 0, parallel: 1 }));
      walls.push(await workOff(join(own, 'work'), { goals: GOALS, seconds: SECONDS, parallel }));
    }
    const best = Math.ceil(GOALS / parallel) * SECONDS * 1000;
    rows.push([
      whole(parallel),
      whole(best),
      whole(median(starts)),
      whole(median(walls)),
      ratio((median(walls) - median(starts)) / best),
    ]);
  }
  printTable(
    `Agents on ${GOALS} goals of ${SECONDS} s (ms)`,
    ['agents', 'best', 'start', 'wall', '(wall − start) ÷ best'],
    rows,
  );
}

/**
 * @param {string} folder
 * @param {{ goals: number, seconds: number, parallel: number }} work
 * @returns {Promise<number>} milliseconds
 */
async function workOff(folder, { goals, seconds, parallel }) {
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  await mkdir(project, { recursive: true });
  await mkdir(join(home, '.config/frctl'), { recursive: true });
  const agent = join(home, 'agent.sh');
  const script = `#!/bin/sh\ncat > /dev/null\nsleep ${seconds}\necho done > "$FRCTL_GOAL.txt"\n`;
  await writeFile(agent, script);
  await chmod(agent, 0o755);
  const work = { with: 'mine', sandbox: 'none', checks: ['ok'], agents: { mine: { command: [agent] } } };
  await writeFile(join(home, '.config/frctl/config.json'), JSON.stringify({ work }));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  const run = (/** @type {string} */ command, /** @type {readonly string[]} */ args) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env, encoding: 'utf8' });
    // 4: it would have to be agreed to.
    if (status !== 0 && status !== 4) throw new Error(`${command} ${args.join(' ')}: ${status}: ${stderr}`);
    return stdout;
  };
  const plan = (/** @type {readonly string[]} */ ...args) =>
    run(process.execPath, [resolve('dist/cli/plan.js'), ...args]);
  run('git', ['init', '-q', '-b', 'main']);
  run('git', ['config', 'user.name', 'Bench']);
  run('git', ['config', 'user.email', 'bench@example.org']);
  await writeFile(join(project, '.gitignore'), '.plans\n');
  run('git', ['add', '-A']);
  run('git', ['commit', '-qm', 'Base']);
  const list = Array.from({ length: goals }, (_, index) => `- [ ] Write file ${index + 1}\n`).join('');
  await writeFile(join(home, 'list.md'), list);
  plan('init', '--from', join(home, 'list.md'));
  await writeFile(
    join(project, '.plans/tools.yaml'),
    'tools: [{ name: ok, effects: none, run: { command: ["true"] } }]\n',
  );
  const { digest } = JSON.parse(plan('tools', 'trust', '--json'));
  plan('tools', 'trust', '--digest', digest);
  const began = performance.now();
  const { ended } = JSON.parse(plan('work', '--review', 'none', '--parallel', String(parallel), '--json'));
  if (ended !== 'all_done') throw new Error(`the work ended ${ended}`);
  return performance.now() - began;
}
