import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { newUser, summaryOf } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';

const LIST = '# Bakery\n\n- [ ] Bake\n- [ ] Sell\n- Buy\n  - [ ] Flour\n  - [ ] Yeast\n';

/** A user with a plan of some goals. */
async function baker() {
  const user = newUser();
  writeFileSync(join(user.folder, 'list.md'), LIST);
  const { id } = summaryOf((await user.run(['init', '--from', 'list.md', '--json'])).json());
  const hint = async (...args: readonly string[]) => {
    const { status, error } = await user.run(args);
    expect([args, status]).not.toEqual([args, 0]);
    return /^hint: (.*)$/m.exec(error)?.[1] ?? '';
  };
  return { ...user, plan: id, hint };
}

describe('every error says what to do', () => {
  test('what is given wrongly is told with the usage of the command, and the options that it must have', async () => {
    const { hint, run } = await baker();
    expect(await hint('renew', '1')).toBe(
      'Usage: plan renew <goal> --token <token> [options]. Add --help to see more.',
    );
    expect(await hint('fail', '1')).toContain('plan fail <goal> --reason <text>');
    expect(await hint('coverage')).toContain('plan coverage');
    expect(await hint('next', '--limit', '0')).toContain('Usage: plan next');
    expect(await hint('runs', 'settle', 'run-k3f9x2w8', 'a')).toContain(
      'Usage: plan runs settle <run> <step> --as',
    );
    expect(await hint('tree', '--depth', 'x')).toContain('Usage: plan tree');
    expect((await run(['tree', '--depth', 'x'])).error).toMatch(/^error: --depth takes a number, not "x"\n/);
    expect(await hint('serve', '--port', 'abc')).toContain('Usage: plan serve');
  });

  test('what the plan refuses is told with a way on', async () => {
    const { hint, run, plan, folder } = await baker();
    expect(await hint('add', '')).toContain('Say what is to be done');
    expect(await hint('edit', '1', '')).toContain('Say what is to be done');
    expect(await hint('merge', '2', '3')).toContain('`plan rollback GOAL` takes them back');
    expect(await hint('pause')).toContain('`plan status` shows how it stands');
    expect((await run(['pause'])).error).toContain(`plan ${plan}: nothing is left to plan`);
    writeFileSync(join(folder, 'empty.md'), '');
    expect(await hint('init', '--from', 'empty.md')).toContain(
      'or say the goal itself: `plan init "<goal>"`',
    );
    expect(await hint('restore', plan)).toContain('`plan list --archived`');
    expect(await hint('restore')).toContain('`plan list`');
    await run(['archive', plan]);
    expect(await hint('archive', plan)).toContain(`\`plan restore ${plan}\` brings it back`);
  });

  test('nothing to undo names the plan, and how to take the plan itself away', async () => {
    const { run, plan, hint } = await baker();
    await run(['undo', plan]);
    expect(await hint('undo', plan)).toContain(`\`plan delete ${plan}\` removes the plan itself`);
    expect((await run(['undo', plan])).error).toContain(`there is no change to undo in plan ${plan}`);
  });

  test('to test a model where there is none: the rules are no cure', async () => {
    const { hint } = await baker();
    const said = await hint('config', 'test');
    expect(said).toContain('`plan config set base_url URL --user`');
    expect(said).not.toContain('rules');
  });

  test('to test a model that does not answer: what to set, and nothing about plans', async () => {
    const { run } = await baker();
    const server = await startModelServer({ faults: () => ({ kind: 'status', status: 404 }) });
    const test = async (url: string) =>
      (await run(['config', 'test', '--base-url', url, '--model', 'm'], { FRCTL_MAX_RETRIES: '0' })).error;
    expect(await test(server.baseUrl)).toContain('`plan config set model NAME --user`');
    await server.close();
    const said = await test(server.baseUrl);
    expect(said).toContain('Start the server, or set another: `plan config set base_url URL --user`.');
    expect(said).not.toContain('plan resume');
  });

  test('an empty list of answers is none, as no list is', async () => {
    const { run, folder } = await baker();
    for (const text of ['[]', '{"answers":[]}']) {
      writeFileSync(join(folder, 'answers.json'), text);
      const { status, error } = await run(['answer', '--from', 'answers.json']);
      expect([status, error]).toEqual([
        2,
        'error: no answer was given: the list in answers.json is empty\nhint: Give {"answers":[{"goal":…,"atomic":…,"sub_goals":[…]}]}, or one answer alone.\n',
      ]);
    }
  });
});

describe('which store is meant', () => {
  test('a file is no folder of a store, for reading and for writing', async () => {
    const { run } = await baker();
    for (const args of [
      ['list', '--dir', 'list.md'],
      ['init', 'x', '--dir', 'list.md'],
    ])
      expect(await run(args)).toMatchObject({
        status: 2,
        error: expect.stringMatching(/^error: list\.md is a file, not a folder\nhint: --dir/) as string,
      });
    expect((await run(['list'], { FRCTL_DIR: 'list.md' })).status).toBe(2);
  });

  test('an empty store says where it is, and a new plan in the store of a folder above says so', async () => {
    const { folder, home } = await baker();
    const below = join(realpathSync(folder), 'below');
    mkdirSync(below);
    const { run } = Object.assign(newUser(below), { home });
    const kept = `The plan is kept in ${join(realpathSync(folder), '.plans')}, the store of a folder above.`;
    expect((await run(['init', 'Bake bread'])).error).toContain(kept);
    expect((await run(['init', 'Bake bread', '--dry-run'])).error).not.toContain('is kept in');
    // Who has named the folder knows where it is.
    for (const [args, variables] of [
      [['--dir', '../.plans'], {}],
      [[], { FRCTL_DIR: '../.plans' }],
    ] as const)
      expect((await run(['init', 'Bake bread', ...args], variables)).error).not.toContain('is kept in');
    const json = await run(['init', 'Bake bread', '--json']);
    expect(JSON.stringify(json.json())).not.toContain('is kept in');
    mkdirSync(join(below, '.plans'));
    expect((await run(['status'])).error).toContain(`there is no plan yet in ${join(below, '.plans')}\n`);
    expect((await run(['init', 'Bake bread'])).error).not.toContain('is kept in');
  });
});

test('what is quoted of a long name is cut between characters, and says that it is cut', async () => {
  const { run } = await baker();
  const { error } = await run(['show', `${'a'.repeat(79)}${'😀'.repeat(9)}`]);
  expect(error).toContain(`"${'a'.repeat(79)}…"`);
  expect(error).not.toContain('\\ud83d');
});
