import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

function place() {
  const folder = temporaryFolder();
  return openWorkspace({ environment: { workingFolder: folder, homeFolder: folder, variables: {} } });
}

describe('what is said', () => {
  test('a warning is gone when the goal is divided or done', async () => {
    const workspace = place();
    const { plan } = await workspace.init('Learn to juggle').result;
    expect(plan.warnings).toMatchObject([{ code: 'no_method' }]);
    await workspace.split('root', { into: ['Get three balls', 'Practise'] }).result;
    expect((await workspace.status()).plan.warnings).toEqual([]);
    const other = await workspace.init('Write a novel').result;
    expect(other.plan.warnings).toMatchObject([{ code: 'no_method' }]);
    await workspace.complete('root');
    expect((await workspace.status()).plan.warnings).toEqual([]);
  });

  test('numbers that shift are said once, and statuses in the words of the screen', async () => {
    const user = newUser();
    await user.run(['init', 'Paint the fence, water the roses and mow the lawn']);
    const removed = await user.run(['remove', '1']);
    expect(removed.error).toContain('Numbers have shifted: 2 is 1 now, 3 is 2 now.');
    expect(removed.out).toBe('- 1  Paint the fence\n');
    expect((await user.run(['edit', '1', '--description', 'Water the lawn'])).error).toBe('');
    expect((await user.run(['split', '1', '--into', 'Fill the can', 'Empty it'])).out).toContain(
      'status: to do → divided',
    );
  });

  test('a command that is given wrongly is shown as it is used', async () => {
    const user = newUser();
    const hint = async (...args: readonly string[]) => (await user.run(args)).error.split('\n')[1];
    expect(await hint('rename', '3', 'New words')).toBe(
      'hint: Usage: plan edit|rename [options] <goal>. New words are given as --description "…". Add --help to see more.',
    );
    expect(await hint('claim')).toBe(
      'hint: Usage: plan claim|start [options] <goal> [others...]. Add --help to see more.',
    );
    expect(await hint('nonsense')).toBe('hint: Add --help to see what a command takes.');
  });

  test('what a library says of wrong input is said in our words', async () => {
    const user = newUser();
    await user.run(['init', 'Tidy', '--no-decompose']);
    const error = async (...args: readonly string[]) => (await user.run(args)).error.split('\n')[0];
    expect(await error('config', 'set', 'max_depth', '99')).toMatch(/max_depth must be at most 64, not 99$/);
    expect(await error('export', '--format', 'pdf')).toMatch(
      /^error: --format must be one of json, .*, not "pdf"$/,
    );
    expect(await error('claim')).toBe('error: <goal> is missing');
    expect(await error('tree', '--depth')).toBe('error: --depth needs a value');
  });
});
