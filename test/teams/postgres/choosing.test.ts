import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../../src/workspace.js';
import { newUser, summaryOf } from '../../support/command.js';
import { temporaryFolder } from '../../support/folders.js';
import { inServer, newDatabase } from '../../support/postgres.js';

function projectWith(config: object) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.plans'));
  writeFileSync(join(folder, '.plans/config.json'), JSON.stringify(config));
  return folder;
}

describe('plans of a project are in PostgreSQL', () => {
  test('when its config says so, in the database that the user names', async () => {
    const url = await newDatabase();
    const user = newUser();
    const variables = { FRCTL_DATABASE_URL: url };
    await user.run(['config', 'set', 'store', 'postgres']);
    const made = await user.run(['init', 'Build a REST API with authentication'], variables);
    expect(made).toMatchObject({ status: 0 });
    expect((await user.run(['next', '--claim'], variables)).status).toBe(0);
    expect((await user.run(['status', '--json'], variables)).json()).toMatchObject({
      plan: { atomic_goals: 13 },
    });
    expect((await inServer(url, 'select id from frctl_plan')).length).toBe(1);
    // As a process of its own it ends by itself.
    expect((await user.start(['list'], variables).ended).out).toContain('Build a REST API');
  });

  test('and the one that is not named is the one that the user changed last, not a colleague', async () => {
    const variables = { FRCTL_DATABASE_URL: await newDatabase() };
    const folder = projectWith({ store: 'postgres' });
    const [ana, bo] = [newUser(folder), newUser(folder)];
    const made = async (user: typeof ana, goal: string) =>
      summaryOf((await user.run(['init', goal, '--no-decompose', '--json'], variables)).json()).id;
    const meant = async (user: typeof ana) =>
      summaryOf((await user.run(['status', '--json'], variables)).json()).id;
    const ships = await made(ana, 'Build ships');
    // Whoever has changed nothing yet means what anybody changed last.
    expect(await meant(bo)).toBe(ships);
    const boats = await made(bo, 'Build boats');
    expect([await meant(ana), await meant(bo)]).toEqual([ships, boats]);
    await ana.run(['add', 'Sail', '--under', 'root', '--plan', boats], variables);
    expect(await meant(ana)).toBe(boats);
    await bo.run(['add', 'Sail', '--under', 'root', '--plan', ships], variables);
    await bo.run(['archive', ships, '--yes'], variables);
    expect([await meant(ana), await meant(bo)]).toEqual([boats, boats]);
  });

  test('and where somebody else has archived that one, nothing is changed in another', async () => {
    const variables = { FRCTL_DATABASE_URL: await newDatabase() };
    const folder = projectWith({ store: 'postgres' });
    const workspaceOf = () =>
      openWorkspace({ environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables } });
    const [ana, bo] = [workspaceOf(), workspaceOf()];
    const made = async (user: typeof ana, goal: string) =>
      (await user.init({ goal, settings: { expander: 'rules' } }).result).plan.id;
    const ships = await made(ana, 'Build ships');
    const boats = await made(bo, 'Build boats');
    await bo.archive(ships);
    const refused = {
      code: 'PLAN_NOT_FOUND',
      message: expect.stringContaining(`${ships}, is archived`) as string,
      hint: expect.stringContaining('plan use') as string,
    };
    await expect(ana.edit('root', { description: 'Build rafts' })).rejects.toMatchObject(refused);
    await expect(ana.next({ claim: true })).rejects.toMatchObject(refused);
    await expect(ana.archive()).rejects.toMatchObject(refused);
    await expect(ana.digest()).rejects.toMatchObject(refused);
    await expect(ana.dependencies.check({ apply: true })).rejects.toMatchObject(refused);
    writeFileSync(join(folder, 'plan.json'), readFileSync(resolve('examples/links/plan.json')));
    await expect(ana.prepare({ plan: 'plan.json', goal: '1' })).rejects.toMatchObject(refused);
    // Looked at is what anybody changed last; and who names a plan, or a goal by its full id, is taken at his word.
    expect((await ana.status()).plan.id).toBe(boats);
    await ana.edit(`${boats}-root`, { description: 'Build rafts' });
    await ana.edit('root', { description: 'Build rafts of reed' });
    expect((await bo.status()).plan.description).toBe('Build rafts of reed');
    // Who archives it himself knows that it is gone.
    const own = await made(bo, 'Build bridges');
    await bo.archive(own);
    expect((await bo.edit('root', { description: 'Build kayaks' })).plan.id).toBe(boats);
  });

  test('in the database of his own config, where no variable names one', async () => {
    const url = await newDatabase();
    const user = newUser(projectWith({ store: 'postgres' }));
    const none = await user.run(['list']);
    expect(none).toMatchObject({ status: 2 });
    expect(none.error).toContain('FRCTL_DATABASE_URL');
    await user.run(['config', 'set', 'database_url', url, '--user']);
    expect(await user.run(['list'])).toMatchObject({ status: 0 });
    expect((await user.run(['config', 'show'])).out).not.toContain(url);
  });

  test.each([{ database_url: 'postgres://evil.example/x' }, { store: 'postgres', database_url: 'x' }])(
    'and never in one that a repository names: %j',
    async (config) => {
      const user = newUser(projectWith(config));
      const refused = await user.run(['init', 'Build it'], { FRCTL_DATABASE_URL: await newDatabase() });
      expect(refused).toMatchObject({ status: 2 });
      expect(refused.error).toContain('database_url, which only your own config can set');
    },
  );

  test('and no config of a user says it for all projects', async () => {
    const user = newUser(projectWith({}));
    const refused = await user.run(['config', 'set', 'store', 'postgres', '--user']);
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.error).toContain('only the config of a project can set store');
    expect(refused.error).not.toMatch(/Remove|sets/);
  });

  test('unless nobody can tell: a config that is no JSON sends no plan to the wrong place', async () => {
    const user = newUser(projectWith({}));
    writeFileSync(join(user.folder, '.plans/config.json'), '<<<<<<< ours\n{"store":"postgres"}\n');
    expect(await user.run(['list'])).toMatchObject({ status: 2 });
  });

  test('and no message shows the password', async () => {
    const user = newUser(projectWith({ store: 'postgres' }));
    for (const url of [
      'postgres://me:s3cr%40t@nobody.invalid/plans',
      'postgres://me@nobody.invalid/plans?password=s3cr%40t',
      'mysql://me:s3cr%40t@127.0.0.1/plans',
      'postgres://me:s3cr%40t@127.0.0.1:notaport/plans',
      'postgres://me:12/s3cr@127.0.0.1/plans',
      'postgres://me:12#s3cr@127.0.0.1/plans',
      'postgres://me:12?s3cr@127.0.0.1/plans',
    ]) {
      const failed = await user.run(['list', '--json'], { FRCTL_DATABASE_URL: url });
      expect(failed.status).not.toBe(0);
      expect(failed.out + failed.error).not.toMatch(/s3cr|me:12/);
    }
  });
});

test('the library works on the same database', async () => {
  const url = await newDatabase();
  const workingFolder = projectWith({ store: 'postgres' });
  const environment = {
    workingFolder,
    homeFolder: temporaryFolder(),
    variables: { FRCTL_DATABASE_URL: url },
  };
  const { plan } = await openWorkspace({ environment }).init({ goal: 'Build a REST API' }).result;
  expect((await openWorkspace({ environment }).status({ plan: plan.id })).plan.id).toBe(plan.id);
});
