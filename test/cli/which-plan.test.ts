import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { errorOf, newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { hasTmux, openScreen, PLAN_COMMAND } from '../support/screen.js';

/** Two plans, of which the second was changed last. */
async function twoPlans() {
  const user = newUser();
  const environment = { homeFolder: user.home, variables: {}, workingFolder: user.folder };
  const workspace = openWorkspace({ dir: join(user.folder, '.plans'), environment });
  const first = await workspace.init({ goal: 'Oil the garden gate', settings: { expander: 'rules' } }).result;
  const second = await workspace.init({ goal: 'Paint the fence', settings: { expander: 'rules' } }).result;
  return { ...user, workspace, environment, first: first.plan.id, second: second.plan.id };
}

describe('which plan is meant', () => {
  test('the one that was chosen, whatever is changed afterwards, until none is', async () => {
    const { workspace, first, second } = await twoPlans();
    expect(await workspace.use()).toMatchObject({ plan: { id: second }, because: 'changed_last' });
    expect(await workspace.use(first.slice(0, 4))).toMatchObject({ plan: { id: first }, because: 'chosen' });
    await workspace.edit('root', { plan: second, description: 'Paint the gate' });
    expect((await workspace.status()).plan.id).toBe(first);
    expect((await workspace.show('root')).goal.id).toBe(`${first}-root`);
    expect(await workspace.use({ none: true })).toMatchObject({ plan: { id: second } });
  });

  test('it is kept for the user, and no file of the project says it', async () => {
    const { workspace, folder, environment, first, second } = await twoPlans();
    await workspace.use(first);
    const dir = join(folder, '.plans');
    const again = openWorkspace({ dir, environment });
    expect((await again.status()).plan.id).toBe(first);
    const other = openWorkspace({ dir, environment: { ...environment, homeFolder: temporaryFolder() } });
    expect((await other.status()).plan.id).toBe(second);
  });

  test('FRCTL_PLAN outranks it; one that is empty is none; one that is wrong is named', async () => {
    const { workspace, folder, environment, first, second } = await twoPlans();
    await workspace.use(first);
    const withVariable = (FRCTL_PLAN: string) =>
      openWorkspace({
        dir: join(folder, '.plans'),
        environment: { ...environment, variables: { FRCTL_PLAN } },
      });
    expect(await withVariable(second).use()).toMatchObject({ plan: { id: second }, because: 'variable' });
    expect(await withVariable('').use()).toMatchObject({ plan: { id: first } });
    await expect(withVariable('__proto__').status()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('FRCTL_PLAN') as string,
    });
    await expect(withVariable('../x').use()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('a plan that is archived or deleted is no longer meant; one that went otherwise is said to be gone', async () => {
    const { workspace, folder, first, second } = await twoPlans();
    await workspace.use(first);
    await workspace.archive(first);
    expect((await workspace.use()).plan?.id).toBe(second);
    await workspace.restore(first);
    await workspace.use(first);
    for (const ending of ['json', 'events.jsonl']) rmSync(join(folder, '.plans', `${first}.${ending}`));
    await expect(workspace.status()).rejects.toMatchObject({
      code: 'PLAN_NOT_FOUND',
      hint: expect.stringContaining('plan use') as string,
    });
  });

  test('a choice that no command wrote is none', async () => {
    const { workspace, home, first, second } = await twoPlans();
    await workspace.use(first);
    const [name = ''] = (await import('node:fs')).readdirSync(join(home, '.config/frctl/current'));
    writeFileSync(join(home, '.config/frctl/current', name), '../../etc/passwd');
    expect((await workspace.use()).plan?.id).toBe(second);
  });

  test.each(['folder', 'pipe', 'long text'])(
    'a %s in its place is none, and is not waited for',
    async (what) => {
      const { workspace, home, first, second } = await twoPlans();
      await workspace.use(first);
      const choices = join(home, '.config/frctl/current');
      const [name = ''] = readdirSync(choices);
      rmSync(join(choices, name));
      if (what === 'folder') mkdirSync(join(choices, name));
      else if (what === 'pipe') execFileSync('mkfifo', [join(choices, name)]);
      else writeFileSync(join(choices, name), 'x'.repeat(1_000_000));
      expect((await workspace.use()).plan?.id).toBe(second);
      expect((await workspace.edit('root', { description: 'Paint the gate' })).plan.id).toBe(second);
    },
  );

  test('in memory it lives as long as the workspace', async () => {
    const workspace = openWorkspace({ store: 'memory' });
    const { plan } = await workspace.init({ goal: 'Oil the garden gate', settings: { expander: 'rules' } })
      .result;
    await workspace.init({ goal: 'Paint the fence', settings: { expander: 'rules' } }).result;
    expect(await workspace.use(plan.id)).toMatchObject({ plan: { id: plan.id }, because: 'chosen' });
    expect((await workspace.status()).plan.id).toBe(plan.id);
  });

  test('a command says which plan it changed where there are several, and a new plan which stays meant', async () => {
    const { run, first, second } = await twoPlans();
    expect((await run(['claim', 'root', '--plan', first])).error).toContain(
      `In plan ${first} Oil the garden gate\n`,
    );
    await run(['use', second]);
    expect((await run(['edit', 'root', '--tag', 'x'])).error).toContain(
      `In plan ${second} Paint the fence\n`,
    );
    expect((await run(['show', 'root'])).error).toBe('');
    expect((await run(['init', 'Mow the lawn', '--expander', 'rules'])).error).toContain(
      `The current plan is still ${second}`,
    );
  });
});

describe('archive, delete and undo of a plan that was not named', () => {
  test.each(['archive', 'delete', 'undo'])(
    '%s is refused with its name where nobody can be asked',
    async (command) => {
      const { run, second } = await twoPlans();
      const ended = await run([command, '--json']);
      expect(ended.status).toBe(4);
      const { code, message, hint } = errorOf(ended.json());
      expect(code).toBe('REFUSED');
      expect(message).toContain(`plan ${second} “Paint the fence”`);
      expect(hint).toContain('--yes');
      expect((await run([command, '--yes'])).status).toBe(0);
    },
  );

  test('one that is named, or chosen, is not asked about', async () => {
    const { run, first } = await twoPlans();
    expect((await run(['undo', first])).status).toBe(0);
    await run(['use', first]);
    // What sounds final is asked about in any case.
    expect(errorOf((await run(['delete', '--json'])).json()).code).toBe('REFUSED');
    expect((await run(['archive'])).out).toContain(first);
  });

  test.skipIf(!hasTmux)('on a terminal a person is asked, and only a yes does it', async () => {
    const { run, second, ...user } = await twoPlans();
    const asked = async (answer: string) => {
      const screen = openScreen(user, `${PLAN_COMMAND} archive`);
      await screen.until(/\[y\/N\]/);
      screen.type(answer, 'Enter');
      return (await screen.until(/\[exit \d+\]/)).join('\n');
    };
    expect(await asked('n')).toMatch(/nothing is changed[\s\S]*\[exit 4\]/);
    expect((await run(['list'])).out).toContain(second);
    expect(await asked('y')).toMatch(/Archived[\s\S]*\[exit 0\]/);
    expect((await run(['list'])).out).not.toContain(second);
  });
});
