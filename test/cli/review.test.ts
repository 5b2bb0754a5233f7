import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { errorOf, newUser } from '../support/command.js';
import { hasTmux, openScreen, PLAN_COMMAND } from '../support/screen.js';

const GOAL = 'Paint the fence, water the roses and mow the lawn';

describe('plan init --review', () => {
  test.skipIf(!hasTmux)('a level is edited on the terminal until it is right, and then stored', async () => {
    const user = newUser();
    const screen = openScreen(user, `${PLAN_COMMAND} init "${GOAL}" --review`);
    const answer = async (text: string, says: RegExp) => {
      screen.type(text, 'Enter');
      return screen.until(says);
    };
    await screen.until(/1 Paint the fence\n.*2 Water the roses\n.*3 Mow the lawn\n[^]*>$/);
    await answer('d 7', /There is no "7" here; 1 to 3 are/);
    await answer('d 2', /1 Paint the fence\n.*2 Mow the lawn\n/);
    await answer('e 2 Mow the meadow', /2 Mow the meadow/);
    await answer('+ Rake the leaves', /3 Rake the leaves/);
    screen.type('Enter');
    const lines = await screen.until(/\[exit 0\]/);
    expect(lines.join('\n')).toMatch(/1 Paint the fence\n.*2 Mow the meadow\n.*3 Rake the leaves\n/);
    const status = (await user.run(['status', '--json'])).json();
    expect(status).toMatchObject({ plan: { total_goals: 4, status: 'complete' } });
  });

  test.skipIf(!hasTmux)('what a goal waits for is shown as it will be stored', async () => {
    const user = newUser();
    const steps = 'Paint the fence, then water the roses, then mow the lawn';
    const screen = openScreen(user, `${PLAN_COMMAND} init "${steps}" --review`);
    await screen.until(/2 Water the roses {2}\(after 1\)\n.*3 Mow the lawn {2}\(after 2\)\n/);
    screen.type('d 2', 'Enter');
    await screen.until(/1 Paint the fence\n.*2 Mow the lawn {2}\(after 1\)\n/);
    screen.type('Enter');
    expect((await screen.until(/\[exit 0\]/)).join('\n')).toMatch(/2 Mow the lawn \(after 1\)/);
  });

  test.skipIf(!hasTmux)('Ctrl-C leaves the review, and the plan can be resumed', async () => {
    const user = newUser();
    const screen = openScreen(user, `${PLAN_COMMAND} init "${GOAL}" --review`);
    await screen.until(/3 Mow the lawn\n[^]*>$/);
    screen.type('C-c');
    const lines = await screen.until(/\[exit 130\]/);
    expect(lines.join('\n')).toMatch(/plan resume/);
    expect((await user.run(['status', '--json'])).json()).toMatchObject({
      plan: { total_goals: 1, pending_goals: 1, paused_because: 'user' },
    });
  });

  test.skipIf(!hasTmux)('a plan that was left is gone on with in the same way', async () => {
    const user = newUser();
    await user.run(['init', GOAL, '--no-decompose']);
    const screen = openScreen(user, `${PLAN_COMMAND} resume --review`);
    await screen.until(/1 Paint the fence\n.*2 Water the roses\n.*3 Mow the lawn\n[^]*>$/);
    screen.type('d 2', 'Enter');
    await screen.until(/1 Paint the fence\n.*2 Mow the lawn\n/);
    screen.type('Enter');
    await screen.until(/\[exit 0\]/);
    expect((await user.run(['status', '--json'])).json()).toMatchObject({
      plan: { total_goals: 3, status: 'complete' },
    });
  });

  test('of a plan that is gone on with it is refused without a terminal, before anything changes', async () => {
    const user = newUser();
    await user.run(['init', GOAL, '--no-decompose']);
    const ended = await user.run(['resume', '--review', '--json']);
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json())).toMatchObject({ code: 'USAGE' });
    expect((await user.run(['status', '--json'])).json()).toMatchObject({ plan: { total_goals: 1 } });
  });

  test('without a terminal it is refused, and so is standard input for two files; nothing is written', async () => {
    const user = newUser();
    const refused = async (...args: readonly string[]) => {
      const ended = await user.run([...args, '--json'], {}, '# Shop\n');
      expect(ended.status).toBe(2);
      return errorOf(ended.json());
    };
    expect(await refused('init', GOAL, '--review')).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('terminal') as string,
    });
    expect(await refused('init', '--from', '-', '--context', '-')).toMatchObject({ code: 'USAGE' });
    expect(await refused('init', GOAL, '--context', '-', '-')).toMatchObject({ code: 'USAGE' });
    expect(existsSync(join(user.folder, '.plans'))).toBe(false);
  });

  test('a dry run shows the tree and leaves no trace; context comes from standard input', async () => {
    const user = newUser();
    const { out, error, status } = await user.run(['init', GOAL, '--dry-run']);
    expect(status).toBe(0);
    expect(out).toMatch(/1 Paint the fence\n.*2 Water the roses\n.*3 Mow the lawn\n/);
    expect(error).toContain('Only shown, nothing is written.');
    expect((await user.run(['init', GOAL, '--dry-run', '--json'])).json()).toMatchObject({ dry_run: true });
    expect(readdirSync(user.folder)).toEqual([]);
    const made = await user.run(['init', GOAL, '--context', '-', '--json'], {}, 'We live in Bremen.');
    expect(made.status).toBe(0);
    const { plan } = JSON.parse((await user.run(['export', '--json'])).out) as { plan: string };
    const file = (await import('node:fs')).readFileSync(join(user.folder, '.plans', `${plan}.json`), 'utf8');
    expect(JSON.parse(file)).toMatchObject({
      settings: { context: [{ file: 'standard input', text: 'We live in Bremen.' }] },
    });
  });
});
