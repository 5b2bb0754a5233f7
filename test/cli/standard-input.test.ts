import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const PLAN = JSON.stringify({ goal: 'x', steps: [{ id: 'a', tool: 'shell.run', args: {} }] });
const POLICY = 'deny_tools: [shell.*]\n';

/** A user with an action plan, and with a file that is called `-`, which nobody means. */
function newPlace() {
  const user = newUser();
  writeFileSync(join(user.folder, 'plan.json'), PLAN);
  writeFileSync(join(user.folder, '-'), 'not this one');
  return user;
}

describe('- is standard input', () => {
  test('for the policy of lint, also with --compat', async () => {
    const { run } = newPlace();
    const denied = await run(['lint', 'plan.json', '--policy', '-'], {}, POLICY);
    expect([denied.status, denied.out]).toEqual([1, expect.stringContaining('TOOL_DENY')]);
    const compat = await run(['lint', 'plan.json', '--policy', '-', '--compat'], {}, POLICY);
    expect([compat.error, compat.out]).toEqual(['', expect.stringContaining('risk score')]);
    const wrong = await run(['lint', 'plan.json', '--policy', '-'], {}, 'nonsense: 1\n');
    expect([wrong.status, wrong.error]).toEqual([2, expect.stringContaining('standard input')]);
  });

  test('for validate and diff', async () => {
    const user = newPlace();
    expect((await user.run(['init', 'Bake bread', '--expander', 'rules'])).status).toBe(0);
    const store = join(user.folder, '.plans');
    const file = readdirSync(store).find((name) => /^[0-9a-f]{8}\.json$/.test(name)) ?? '';
    const text = readFileSync(join(store, file), 'utf8');
    expect((await user.run(['validate', '-'], {}, text)).status).toBe(0);
    expect((await user.run(['validate', '-'], {}, '{}')).status).toBe(1);
    expect((await user.run(['diff', '-', `.plans/${file}`], {}, text)).status).toBe(0);
  });

  test('once for a command', async () => {
    const { run } = newPlace();
    const refused = await run(['lint', '-', '--policy', '-'], {}, PLAN);
    expect([refused.status, refused.error]).toEqual([
      2,
      expect.stringContaining('standard input can be read once'),
    ]);
  });
});

test.each([
  ['a checklist', ['sync', '-', '--plan', '0398']],
  ['the guide', ['agent-guide', '-', '--write']],
  ['a tools file to trust', ['tools', 'trust', '-']],
  ['the tools file of a run', ['prepare', 'plan.json', '--tools', '-']],
  ['the policy of a run', ['prepare', 'plan.json', '--policy', '-']],
  ['a recording that is written', ['init', 'Bake bread', '--model', 'm', '--record', '-']],
  ['a recording', ['init', 'Bake bread', '--replay', '-']],
  ['a baseline', ['lint', 'plan.json', '--baseline', '-']],
])('where a file must be there later, or is written, - is refused: %s', async (_what, args) => {
  const { run, folder } = newUser();
  writeFileSync(join(folder, 'plan.json'), PLAN);
  const refused = await run(args, {}, 'x');
  expect([refused.status, refused.error]).toEqual([
    2,
    expect.stringContaining('- is standard input, and a file is needed here'),
  ]);
  expect(existsSync(join(folder, '-'))).toBe(false);
});
