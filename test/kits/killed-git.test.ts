import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { agree, newPlace } from '../support/approving.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

/** A git that stops for half a minute before or after it does one thing, and tells that it has come so far. */
function slowGit(when: string, word: string) {
  const folder = temporaryFolder();
  const reached = join(folder, 'reached');
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const stop = `{ touch '${reached}'; sleep 30; }`;
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh
case " $* " in *' ${word} '*) ;; *) exec ${real} "$@";; esac
[ ${when} = before ] && ${stop}
${real} "$@"
[ ${when} = after ] && ${stop}
`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  return { path: `${folder}:${process.env.PATH}`, reached };
}

/** A run of one step whose process was killed where git stops. */
async function killed(step: { tool: string; args: object }, when: string) {
  const place = await newPlace(
    { schema_version: '1.0', goal: 'g', steps: [{ id: 's', ...step }] },
    JSON.stringify({ kits: { git: {} } }),
  );
  const { folder, home, workspace } = place;
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home } });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ana');
  git('config', 'user.email', 'ana@example.org');
  git('commit', '-q', '--allow-empty', '-m', 'The same');
  git('branch', 'other');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git('add', 'a.txt');
  const { run, approval } = await workspace.prepare('plan.json', {});
  await agree(workspace, approval?.code ?? '');
  const { path, reached } = slowGit(when, step.tool.slice('git.'.length));
  const running = newUser(folder).start(['run', run], {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    PATH: path,
  });
  while (!existsSync(reached)) await sleep(20);
  running.process.kill('SIGKILL');
  await running.ended;
  return { workspace, run, folder, git };
}

describe.runIf(process.platform === 'linux').each(['before', 'after'])('killed %s it was done', (when) => {
  test('a commit is made once, whatever is staged meanwhile, and nobody is asked', async () => {
    const { workspace, run, folder, git } = await killed(
      { tool: 'git.commit', args: { message: 'The same' } },
      when,
    );
    writeFileSync(join(folder, 'b.txt'), 'two\n');
    git('add', 'b.txt');
    expect(await workspace.run(run, {}).result).toMatchObject({ status: 'succeeded' });
    expect(git('log', '--format=%s')).toBe('The same\nThe same\n');
  });

  test.each([
    ['git.branch', { name: 'topic' }, 'main\nother\ntopic\n'],
    ['git.switch', { name: 'other' }, 'main\nother\n'],
  ])('nobody is asked about %s', async (tool, args, branches) => {
    const { workspace, run, git } = await killed({ tool, args }, when);
    expect(await workspace.run(run, {}).result).toMatchObject({ status: 'succeeded' });
    expect(git('branch', '--format=%(refname:short)')).toBe(branches);
  });
});
