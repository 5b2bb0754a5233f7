import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { writeJsonSync } from 'fs-extra/esm';
import { describe, expect, onTestFinished, test } from 'vitest';

import { agree, newPlace } from '../support/approving.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { hasTmux } from '../support/screen.js';

/** A tmux that stops for half a minute before or after it sends, and tells that it has come so far. */
function slowTmux(when: string) {
  const folder = temporaryFolder();
  const reached = join(folder, 'reached');
  const real = execFileSync('which', ['tmux'], { encoding: 'utf8' }).trim();
  const stop = `{ touch '${reached}'; sleep 30; }`;
  const program = `#!/bin/sh
case " $* " in *' if-shell '*) ;; *) exec ${real} "$@";; esac
[ ${when} = before ] && ${stop}
${real} "$@"
[ ${when} = after ] && ${stop}
`;
  writeFileSync(join(folder, 'tmux'), program);
  chmodSync(join(folder, 'tmux'), 0o755);
  return { path: `${folder}:${process.env.PATH}`, reached };
}

/** A run of wa that was killed at its first text. */
async function killed(text: string, when: string, waited: object) {
  const socket = join(temporaryFolder(), 'tmux');
  const tmux = (...args: readonly string[]) =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', socket, ...args], { encoding: 'utf8' });
  tmux('new-session', '-d', '-x', '60', '-y', '20', 'PS1="$ " exec sh');
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const place = await newPlace({}, 'kits: { vault: {} }\n');
  const kits = { tmux: { socket, rules: 'rules.yaml' } };
  writeJsonSync(join(place.folder, '.plans/tools.yaml'), { kits });
  writeFileSync(join(place.folder, 'rules.yaml'), 'rules: { done: "^done [0-9]+" }\n');
  const step = (step_number: number, action: object) => ({
    step_number,
    step_id: `step:${step_number}`,
    description: 'a step',
    idempotent: false,
    action,
  });
  writeJsonSync(join(place.folder, 'plan.json'), {
    plan_version: 1,
    plan_id: 'plan:00000000000000000000000000000000',
    title: 'Send',
    workspace_id: place.folder,
    steps: [
      step(1, { type: 'send_text', pane_id: 0, text }),
      step(2, { type: 'wait_for', timeout_ms: 8000, ...waited }),
    ],
  });
  const { workspace } = place;
  const { digest } = await workspace.tools.trust({});
  await workspace.tools.trust({ digest });
  const { run, approval } = await workspace.prepare('plan.json', {});
  await agree(workspace, approval?.code ?? '');
  const { path, reached } = slowTmux(when);
  const running = newUser(place.folder).start(['run', run], {
    HOME: place.home,
    XDG_CONFIG_HOME: join(place.home, '.config'),
    PATH: path,
  });
  while (!existsSync(reached)) await sleep(20);
  running.process.kill('SIGKILL');
  await running.ended;
  return { workspace, run, shown: () => tmux('capture-pane', '-p', '-t', '%0', '-S', '-') };
}

describe.runIf(hasTmux && process.platform === 'linux').each(['before', 'after'])(
  'killed %s a text was sent',
  (when) => {
    test('it is sent once, nobody is asked, and what it brought is found', async () => {
      const { workspace, run, shown } = await killed('echo done 1', when, {
        condition: { type: 'pattern', rule_id: 'done' },
      });
      expect(await workspace.run(run, {}).result).toMatchObject({
        status: 'succeeded',
        outputs: { 'step:1': { pane_id: 0, sent: true, submitted: true }, 'step:2': { matched: 'done' } },
      });
      expect(shown().match(/^done 1$/gm)).toHaveLength(1);
    });

    test('control characters are typed once', async () => {
      const { workspace, run, shown } = await killed('\u0003', when, {
        pane_id: 0,
        condition: { type: 'pane_idle', idle_threshold_ms: 200 },
      });
      expect(await workspace.run(run, {}).result).toMatchObject({ status: 'succeeded' });
      expect(shown().match(/\^C/g)).toHaveLength(1);
    });
  },
);
