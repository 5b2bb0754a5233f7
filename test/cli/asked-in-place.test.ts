import { join, resolve } from 'node:path';

import { outputFileSync, writeJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { agree } from '../support/approving.js';
import { newUser } from '../support/command.js';
import { hasTmux, openScreen, PLAN_COMMAND } from '../support/screen.js';

const SERVER = resolve(import.meta.dirname, '../support/mcp/counting.mjs');
/** A server that says how often it was called since it was started. */
const TOOLS = JSON.stringify({
  servers: { page: { command: [process.execPath, SERVER], tools: ['count'] } },
});

/** A run of a first step, and of others that ask. */
async function prepared(asking: readonly string[]) {
  const user = newUser();
  outputFileSync(join(user.folder, '.plans/tools.yaml'), TOOLS);
  writeJsonSync(join(user.folder, 'plan.json'), {
    schema_version: '1.0',
    title: 'Ask in the middle',
    steps: [
      { id: 'first', tool: 'count', args: {} },
      ...asking.map((id) => ({ id, tool: 'count', args: {}, requires_approval: true })),
    ],
  });
  const workspace = openWorkspace({
    environment: { workingFolder: user.folder, homeFolder: user.home, variables: { PATH: process.env.PATH } },
  });
  const { digest } = await workspace.tools.trust({});
  await workspace.tools.trust({ digest });
  const { run, approval } = await workspace.prepare('plan.json', {});
  return { user, workspace, run, code: approval?.code ?? '' };
}

/** Such a run, approved and seen on a terminal. */
async function begun(asking: readonly string[], options = '') {
  const { user, workspace, run, code } = await prepared(asking);
  await agree(workspace, code);
  return { workspace, run, screen: openScreen(user, `${PLAN_COMMAND} run ${run} ${options}`, { rows: 60 }) };
}

describe.runIf(hasTmux)('a step that asks, on a terminal', () => {
  test('is shown and approved in place, one after the other, and what was opened stays', async () => {
    const { workspace, run, screen } = await begun(['second', 'third']);
    const shown = await screen.until(/Type yes to let second go on:/);
    expect(shown.join('\n')).toContain('Step: second (second needs approval: count)');
    screen.type('yes', 'Enter');
    await screen.until(/Type yes to let third go on:/);
    screen.type('yes', 'Enter');
    const left = await screen.until(/\[exit 0\]/);
    expect(left.join('\n')).toContain(`${run} succeeded`);
    const { outputs } = await workspace.runs.show(run, { outputs: true });
    expect(outputs).toEqual({ first: { text: '1' }, second: { text: '2' }, third: { text: '3' } });
  });

  test.each([
    ['another word', ['no', 'Enter']],
    ['Ctrl-C', ['C-c']],
  ])('stays asked after %s, and the run says what has ended', async (_how, keys) => {
    const { workspace, run, screen } = await begun(['second']);
    await screen.until(/Type yes to let second go on:/);
    screen.type(...keys);
    const left = (await screen.until(/\[exit 8\]/)).join('\n');
    expect(left).toContain('page has ended, and what it had open is lost');
    expect(left).toMatch(/plan approve [0-9A-Z]{8}/);
    expect(await workspace.runs.show(run)).toMatchObject({
      status: 'waiting',
      waiting: [{ step: 'second' }],
    });
  });

  test('that is approved in another terminal goes on, and the question is gone', async () => {
    const { workspace, run, screen } = await begun(['second'], '--wait 10m');
    await screen.until(/Type yes to let second go on:/);
    const [, code = ''] = /In another terminal: plan approve (\S{8})/.exec(screen.lines().join('\n')) ?? [];
    await agree(workspace, code);
    const left = await screen.until(/\[exit 0\]/);
    expect(left.join('\n')).toContain(`${run} succeeded`);
  });

  test('is approved with its run, where it is shown before', async () => {
    const { user, workspace, run, code } = await prepared(['second']);
    const screen = openScreen(user, `${PLAN_COMMAND} approve ${code} --steps`, { rows: 60 });
    const shown = await screen.until(/Type yes to let it run, with 1 step that would ask:/);
    expect(shown.join('\n')).toContain('Approved with it: second (count):');
    screen.type('yes', 'Enter');
    const left = await screen.until(/\[exit 0\]/);
    expect(left.join('\n')).toContain(`Approved ${run}, with 1 step that would ask, until`);
    expect(await workspace.run(run, {}).result).toMatchObject({ status: 'succeeded', waiting: [] });
  });
});
