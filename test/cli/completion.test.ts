import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { temporaryFolder } from '../support/folders.js';
import { hasTmux, openScreen } from '../support/screen.js';
import { expand, newWorkplace } from '../support/worked-plan.js';

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

/** A folder with a plan, a file, and both commands on the path. */
async function place() {
  const made = await newWorkplace();
  await made.change(expand('root', ['a', 'b']));
  writeFileSync(join(made.folder, 'wishes.md'), '# Wishes\n');
  writeFileSync(join(made.folder, 'shopping list.md'), '# Shopping\n');
  await otherPlans(made.folder);
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
  return { run, bin, folder: made.folder, home: made.home };
}

/** A second plan of the store, changed before the one that is meant, and another store. */
async function otherPlans(folder: string) {
  const ids = { planId: () => 'feedbeef' };
  const outline = '# Tidy\n\n## Attic\n\n- Sweep it\n\n## Cellar\n\n- Air it\n';
  for (const dir of ['.plans', 'other/.plans']) {
    const base = defaultEnvironment();
    const environment = {
      ...base,
      workingFolder: folder,
      homeFolder: folder,
      variables: {},
      now: () => 0,
      ids: { ...base.ids, ...(dir === '.plans' ? ids : {}) },
    };
    const workspace = openWorkspace({ dir: join(folder, dir), environment });
    await workspace.init({ from: '-', text: outline }).result;
  }
}

/** An interactive shell in a terminal that has loaded the completion. */
async function openShell(shell: string, load: string) {
  const { folder, home, bin } = await place();
  const environment = { PATH: `${bin}:${process.env.PATH ?? ''}` };
  const screen = openScreen({ folder, home }, shell, { columns: 100, environment });
  screen.type(`${load}; echo loa''ded`, 'Enter');
  await screen.until(/^loaded/m);
  return {
    tab: async (line: string, says: RegExp) => {
      screen.type('-l', line);
      screen.type('Tab');
      const lines = await screen.until(says);
      // Takes the line back: unlike Ctrl-C it is read as a key also while the shell is busy.
      screen.type('C-u');
      return lines.join('\n');
    },
  };
}

const CASES: readonly (readonly [string, readonly string[], string])[] = [
  ['a plan', ['plan', 'status', '03'], '0398a958'],
  ['a goal', ['plan', 'show', 'ro'], 'root'],
  ['another goal', ['plan', 'claim', '1', '2'], '2'],
  ['no goal to release, for none is claimed', ['plan', 'release', '1'], ''],
  ['a goal that can be claimed', ['plan', 'claim', '1'], '1'],
  ['the plan of an option', ['plan', 'show', '1', '--plan', '0'], '0398a958'],
  ['a rule', ['plan', 'lint', '--explain', 'RAW'], 'RAW_SECRET'],
  ['an agent', ['plan', 'work', '--with', 'cl'], 'claude'],
  ['a setting', ['plan', 'config', 'set', 'max_dep'], 'max_depth'],
  ['a file', ['plan', 'init', '--from', 'wis'], 'wishes.md'],
  ['a file that stands without an option', ['plan', 'import', 'wis'], 'wishes.md'],
  ['the file of an action plan', ['plan', 'prepare', 'wis'], 'wishes.md'],
  ['the other command', ['frctl', 'plan', 'show', 'ro'], 'root'],
  ['a goal of the plan that is named', ['plan', 'show', '--plan', 'feedbeef', '1.'], '1.1'],
  ['a goal of the store that is named', ['plan', '--dir', 'other/.plans', 'show', '2.'], '2.1'],
  ['a goal of it for the other command', ['frctl', 'plan', '--dir', 'other/.plans', 'show', '2.'], '2.1'],
  ['a priority', ['plan', 'edit', '1', '--priority', 'c'], 'critical'],
  ['a command to explain', ['plan', 'help', 'red'], 'redo'],
  ['an option before the command', ['plan', '--deb'], '--debug'],
  ['goals alone while no flag is begun', ['plan', 'show', '""'], 'root 1 2'],
  ['a flag that is begun', ['plan', 'show', '--pl'], '--plan'],
  [
    'flags where nothing else can be given',
    ['plan', 'serve', '""'],
    '--port --open --write --json --dir --no-color --debug',
  ],
  ['a file with a space', ['plan', 'init', '--from', 'shopping'], 'shopping list.md'],
];

/** What one fish completes, line after line. */
function askFish(
  run: (shell: string, script: string) => string,
  lines: readonly string[],
): readonly string[] {
  const asked = lines.map((line) => `complete -C '${line}'`);
  return run('fish', `plan completion fish | source; ${asked.join('; echo ---; ')}`).split('---');
}

describe('completion in a shell', () => {
  test.skipIf(!hasShell('bash'))('bash', async () => {
    const { run } = await place();
    const asked = CASES.map(
      ([, words]) =>
        `COMPREPLY=(); COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _frctl_plan; echo "\${COMPREPLY[@]}"`,
    );
    const completed = run('bash', `source <(plan completion bash); ${asked.join('; ')}`).split('\n');
    expect(completed).toEqual(CASES.map(([, , expected]) => expected));
  });

  test('another shell is refused by the names of shells alone', async () => {
    const { run } = await place();
    expect(run('sh', 'plan completion powershell 2>&1')).toMatch(
      /^error: the shell must be bash, zsh or fish, not "powershell"/,
    );
    expect(run('sh', 'plan completion --help')).not.toContain('ready-goals');
  });

  test.skipIf(!hasShell('fish'))('fish (needs fish), with the words of each', async () => {
    const { run } = await place();
    const lines = ['plan show 1', 'plan status 03', 'plan lint --explain RAW', 'plan init --from wis'];
    expect(askFish(run, lines)).toEqual([
      expect.stringContaining('1\tGoal a'),
      expect.stringContaining('0398a958\tShip the product'),
      expect.stringContaining('RAW_SECRET'),
      expect.stringContaining('wishes.md'),
    ]);
  });

  test.skipIf(!hasShell('fish'))(
    'fish (needs fish) asks the store and the plan that the line names',
    async () => {
      const { run } = await place();
      const completed = askFish(run, ['plan show --plan feedbeef 1.', 'plan --dir other/.plans show 2']);
      expect(completed).toEqual([
        expect.stringContaining('1.1\tSweep it'),
        expect.stringContaining('2\tCellar'),
      ]);
    },
  );

  const SHELLS = [
    ['bash', 'bash --norc --noprofile', 'source <(plan completion bash)'],
    ['zsh', 'zsh -f', 'autoload -U compinit && compinit -u -D; source <(plan completion zsh)'],
    ['fish', 'fish --no-config', 'plan completion fish | source'],
  ] as const;

  test.skipIf(!hasTmux).each(SHELLS.filter(([shell]) => hasShell(shell)))(
    '%s (needs it, and tmux): Tab in a terminal completes a plan, a goal of it and a file',
    async (_name, shell, load) => {
      const { tab } = await openShell(shell, load);
      expect(await tab('plan status feed', /plan status feedbeef/)).toContain('feedbeef');
      expect(await tab('plan show --plan feedbeef 1.', /--plan feedbeef 1\.1/)).toContain('1.1');
      expect(await tab('plan init --from shop', /--from shopping\\ list/)).toContain('list.md');
    },
  );
});
