import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { errorOf, newUser } from '../support/command.js';
import { newWorkplace } from '../support/worked-plan.js';

describe('with --json everything on standard output is one document', () => {
  const user = newUser.bind(null, process.cwd());

  test.each([
    ['help', ['--json', 'help'], { name: 'plan' }],
    ['help of a command', ['--json', 'help', 'tree'], { name: 'tree', aliases: ['visualize'] }],
    ['--help', ['status', '--help', '--json'], { name: 'status' }],
    ['the help of a command of several words', ['config', '--help', '--json'], { name: 'config' }],
    ['the version', ['--json', '-V'], { version: expect.any(String) as string }],
    ['the help of completion', ['completion', '-h', '--json'], { name: 'completion' }],
  ])('%s', async (_name, args, document) => {
    const ended = await user().run(args);
    expect(ended).toMatchObject({ status: 0, error: '' });
    expect(ended.json()).toMatchObject(document);
  });

  test('and of the other program too', async () => {
    const frctl = newUser(process.cwd(), 'frctl');
    for (const args of [
      ['--help', '--json'],
      ['plan', '--help', '--json'],
      ['-V', '--json'],
    ])
      expect((await frctl.run(args)).json()).toMatchObject({});
    const missing = await frctl.run(['plan', '--json']);
    expect(missing.status).toBe(2);
    expect(errorOf(missing.json()).message).toBe('a command is missing');
  });

  test('the first screen of help has what is needed every day', async () => {
    const { commands } = (await user().run(['help', '--json'])).json();
    const names = (commands as readonly { readonly name: string }[]).map(({ name }) => name);
    for (const name of ['init', 'next', 'claim', 'context', 'complete', 'release', 'tree', 'status'])
      expect(names).toContain(name);
  });

  test('help of one action of a command is of that alone, and what must be given is marked', async () => {
    const { out } = await user().run(['help', 'runs', 'settle']);
    expect(out).toContain('Usage: plan runs settle [options] <run> <step>');
    expect(out).toContain('--as <outcome>   whether it took effect (required)');
    expect(out).not.toMatch(/--older-than|--status/);
    expect((await user().run(['runs', 'settle', '--help'])).out).toBe(out);
    for (const between of [['--no-color'], ['--dir', 'show'], ['--dir=x', '--as', 'done']])
      expect((await user().run(['runs', ...between, 'settle', '--help'])).out).toBe(out);
    expect((await user().run(['runs', '--json', 'settle', '--help'])).out).toBe(
      (await user().run(['runs', 'settle', '--json', '--help'])).out,
    );
    expect((await user().run(['--dir', 'runs', 'runs', 'settle', '--help'])).out).toBe(out);
    expect((await user().run(['runs', '--help'])).out).toContain('(required by settle)');
    const unknown = await user().run(['help', 'runs', 'bogus', '--json']);
    expect(errorOf(unknown.json()).message).toBe('there is no command "runs bogus"');
  });

  test('the list of commands has every alias', async () => {
    expect((await user().run(['help'])).out).toContain('  init|new|create  make a plan');
    expect((await user().run(['new', '--help'])).out).toContain(
      'Usage: plan init|new|create [options] [goal...]',
    );
  });

  test('help names every option with its choices, and examples', async () => {
    const { options, examples } = (await user().run(['tree', '--help', '--json'])).json();
    expect(options).toContainEqual(
      expect.objectContaining({ flags: '--format <format>', choices: ['ascii', 'mermaid', 'dot'] }),
    );
    expect(examples).toContain('plan tree --depth 2');
  });
});

describe('what cannot be meant is refused with exit 2', () => {
  test.each([
    [['tree', '--depth', '1.5'], '--depth must be a whole number, not 1.5'],
    [['tree', '--depth', '0x1'], '--depth takes a number, not "0x1"'],
    [['tree', '--depth', '-1'], '--depth must be at least 0, not -1'],
    [['tree', '--depth', ''], '--depth takes a number, not ""'],
    [['next', '--limit', '-3'], '--limit must be more than 0, not -3'],
    [['undo', ''], '"" is neither a plan id nor words of a goal'],
    [['undo', '__proto__'], '"__proto__" is neither a plan id nor words of a goal'],
    [['status', '../x'], '"../x" is neither a plan id nor words of a goal'],
    [['status', '--dir', ''], '--dir is empty'],
    [['init', 'x', '--timeout', '-3'], '--timeout must be more than 0, not -3'],
    [['store', 'copy'], '--to is missing: postgres or files'],
  ])('%j', async (args, message) => {
    const place = await newWorkplace();
    const ended = await place.run([...args, '--json']);
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json()).message).toBe(message);
  });

  test('an empty FRCTL_DIR is one that is not set', async () => {
    const place = await newWorkplace();
    expect((await place.run(['status'], { FRCTL_DIR: '' })).status).toBe(0);
  });
});

describe('where there is nothing to list, it says why', () => {
  test('no plan, none like that, all of them archived, none that can be read', async () => {
    const place = await newWorkplace();
    const said = async (...args: readonly string[]) => (await place.run(['list', ...args])).error;
    expect(await said('--text', 'nowhere')).toBe(
      'No plan is what was looked for; `plan list` without options shows 1 plan.\n',
    );
    expect(await said('--status', 'failed')).toContain('No plan is what was looked for');
    expect(await said('--archived')).toBe('The archive is empty.\n');
    await place.run(['archive', '--yes']);
    expect(await said()).toBe('No plans but 1 in the archive, which `plan list --archived` shows.\n');
    const meant = await place.run(['status', '--json']);
    expect(errorOf(meant.json())).toMatchObject({
      message: expect.stringMatching(/^every plan in .*\.plans is archived$/) as string,
    });
    await place.run(['delete', '0398a958', '--purge']);
    expect(await said()).toBe('No plans yet. `plan init "<goal>"` makes one.\n');
    writeFileSync(join(place.store, 'ffffffff.json'), '{');
    expect(await said()).toContain('No plan can be read; `plan doctor` says what is wrong.\n');
  });
});

test('what only shows a replanning names the option that it was given', async () => {
  const place = await newWorkplace();
  for (const option of ['--dry-run', '--preview']) {
    const { error } = await place.run(['replan', 'root', option, '--expander', 'rules']);
    expect(error).toContain(`The same command without ${option} takes it as it is.`);
  }
});
