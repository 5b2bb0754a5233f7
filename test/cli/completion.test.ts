import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { expand, newWorkplace } from '../support/worked-plan.js';

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** A folder with a plan, a file, and both commands on the path. */
async function place() {
  const made = await newWorkplace();
  await made.change(expand('root', ['a', 'b']));
  writeFileSync(join(made.folder, 'wishes.md'), '# Wishes\n');
  const bin = temporaryFolder();
  for (const name of ['plan', 'frctl']) {
    chmodSync(resolve(`dist/cli/${name}.js`), 0o755);
    symlinkSync(resolve(`dist/cli/${name}.js`), join(bin, name));
  }
  const run = (shell: string, script: string) =>
    spawnSync(shell, ['-c', script], {
      cwd: made.folder,
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: made.home, TERM: 'dumb' },
    }).stdout.trim();
  return { run };
}

const CASES: readonly (readonly [string, readonly string[], string])[] = [
  ['a plan', ['plan', 'status', '03'], '0398a958'],
  ['a goal', ['plan', 'show', 'ro'], 'root'],
  ['another goal', ['plan', 'claim', '1', '2'], '2'],
  ['the plan of an option', ['plan', 'show', '1', '--plan', '0'], '0398a958'],
  ['a rule', ['plan', 'lint', '--explain', 'RAW'], 'RAW_SECRET'],
  ['a setting', ['plan', 'config', 'set', 'max_dep'], 'max_depth'],
  ['a file', ['plan', 'init', '--from', 'wis'], 'wishes.md'],
  ['a file that stands without an option', ['plan', 'import', 'wis'], 'wishes.md'],
  ['the other command', ['frctl', 'plan', 'show', 'ro'], 'root'],
];

describe('completion in a shell', () => {
  test.skipIf(!hasShell('bash'))('bash', async () => {
    const { run } = await place();
    const completed = (words: readonly string[]) =>
      run(
        'bash',
        `source <(plan completion bash); COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _frctl_plan; echo "\${COMPREPLY[@]}"`,
      );
    expect(CASES.map(([, words]) => completed(words))).toEqual(CASES.map(([, , expected]) => expected));
  });

  test.skipIf(!hasShell('fish'))('fish (needs fish), with the words of each', async () => {
    const { run } = await place();
    const completed = (line: string) => run('fish', `plan completion fish | source; complete -C '${line}'`);
    expect(completed('plan show 1')).toContain('1\tGoal a');
    expect(completed('plan status 03')).toContain('0398a958\tShip the product');
    expect(completed('plan lint --explain RAW')).toContain('RAW_SECRET');
    expect(completed('plan init --from wis')).toContain('wishes.md');
  });

  test.skipIf(!hasShell('zsh'))('zsh (needs zsh) loads it and knows both commands', async () => {
    const { run } = await place();
    const script =
      'autoload -U compinit && compinit -u; source <(plan completion zsh); echo $_comps[plan] $_comps[frctl]';
    expect(run('zsh', script)).toMatch(/_bash_complete.*_frctl_plan.*_frctl_plan/);
  });
});
