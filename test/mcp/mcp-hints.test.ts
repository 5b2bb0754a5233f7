import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { wireAnswer, errorAnswer } from '../../src/features/mcp/answer.js';
import { TOOLS } from '../../src/features/mcp/tools.js';
import { parseToolInput } from '../../src/features/mcp/tool.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { toolWorld } from '../support/tool-world.js';

const TWO = ['Bake bread', 'Make soup'];
const FOR_A_PERSON = 'For a person, on the command line:';
const STEPS = [{ id: 'a', tool: 'look', args: {} }];

const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().default('') }),
});

/** A folder with as many open plans, each of two goals, and the tools in it. */
async function newPlace(plans: readonly string[]) {
  const environment = { workingFolder: temporaryFolder(), homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const sub_goals = ['Buy flour', 'Knead'].map((description) => ({ description, atomic: true }));
  const ids: string[] = [];
  for (const goal of plans) {
    const { plan } = await workspace.init({ goal, expander: 'agent' }).result;
    await workspace.answer({ plan: plan.id, answers: [{ goal: 'root', atomic: false, sub_goals }] });
    ids.push(plan.id);
  }
  const world = toolWorld(environment);
  /** The answer of a tool as a host gets it. */
  const call = async (name: string, given: object) => {
    const tool = TOOLS.find((each) => each.name === name);
    if (tool === undefined) throw new TypeError(`there is no tool ${name}`);
    try {
      return wireAnswer(await tool.run(world, parseToolInput(tool, given)));
    } catch (thrown) {
      return errorAnswer(thrown);
    }
  };
  const refused = async (name: string, given: object) => {
    const { content, isError } = await call(name, given);
    expect([content[0]?.text, isError]).toEqual([expect.any(String), true]);
    return errorSchema.parse(JSON.parse(content[0]?.text ?? '')).error;
  };
  return { workspace, call, refused, ids };
}

describe('with several plans open', () => {
  test.each([
    ['goal_take', {}],
    ['plan_show', { goal: '1' }],
    ['plan_show', { goal: 'no-goal' }],
    ['plan_answer', {}],
    ['goal_done', { goal: '1', token: 'x', outcome: 'complete' }],
    ['plan_edit', { changes: [{ op: 'undo' }] }],
  ])('%s %j names them, in words for the agent', async (name, given) => {
    const place = await newPlace(TWO);
    const { code, hint } = await place.refused(name, given);
    expect(code).toBe('AMBIGUOUS_NAME');
    expect(hint).toMatch(/^Name one as plan: /);
    for (const id of place.ids) expect(hint).toContain(id);
  });

  test('action_run prepares for no goal by its number alone, and asks for its full id', async () => {
    const place = await newPlace(TWO);
    for (const goal of ['1', 'root']) {
      const { code, hint } = await place.refused('action_run', { op: 'prepare', goal, steps: STEPS });
      expect(code).toBe('AMBIGUOUS_NAME');
      expect(hint).toMatch(/^Name the goal by its full id/);
      for (const id of place.ids) expect(hint).toContain(id);
    }
    // A full id names its plan, also one that was not changed last; nothing is wrong then but that no tools are.
    for (const plan of place.ids) {
      const { goals } = await place.workspace.tree({ plan });
      const goal = goals.find(({ number }) => number === '1')?.id;
      const { code, message } = await place.refused('action_run', { op: 'prepare', goal, steps: STEPS });
      expect([code, message]).toEqual(['FILE_NOT_FOUND', expect.stringContaining('tools.yaml')]);
    }
  });
});

/** More than any text of a goal may have. */
const LONG = 'x'.repeat(20_000);

describe('a refusal says what to do with tools', () => {
  test.each([
    ['goal_done', { goal: '1', token: 'x', outcome: 'failed' }, 'summary'],
    ['goal_done', { goal: '1', token: 'x', outcome: 'failed', summary: LONG }, 'why'],
    ['plan_edit', { changes: [{ op: 'reopen', goal: '1' }] }, 'plan_show'],
    ['plan_edit', { changes: [{ op: 'reopen', goal: '1', because: ' ' }] }, 'why'],
    ['plan_show', { plan: '00000000' }, 'plan_status'],
    ['plan_show', { plan: 'abc' }, 'plan_status'],
    ['plan_show', { plan: 'zz' }, 'plan_status'],
    ['plan_status', { plan: '' }, 'plan_status'],
    ['plan_show', { goal: '99' }, '`plan` names another plan'],
    ['action_run', { op: 'run', id: 'run-aaaaaaaa' }, 'op prepare'],
    ['action_run', { op: 'status', id: 'x' }, 'op prepare'],
    ['plan_start', { goal: '' }, 'goal of plan_start'],
    ['plan_start', { goal: LONG }, 'document'],
    ['plan_edit', { changes: [{ op: 'edit', goal: '1' }] }, 'description'],
    ['plan_edit', { changes: [{ op: 'edit', goal: '1', description: LONG }] }, 'shorter'],
    ['plan_edit', { changes: [{ op: 'move', goal: '1' }] }, 'parent'],
    ['plan_edit', { changes: [{ op: 'move', goal: '1', parent: '2', before: '2' }] }, 'parent'],
    ['plan_edit', { changes: [{ op: 'depend', goal: '1' }] }, 'on, off'],
    ['goal_take', { goal_id: '1' }, 'it may take plan, goal, by'],
    ['action_run', { op: 'check', policy: 'strict' }, 'needs op'],
    [
      'plan_edit',
      { changes: [{ op: 'edit', goal: '1', description: 'Bake', detial: 'x' }] },
      'plan_edit needs changes',
    ],
  ])('%s (case %#)', async (name, given, word) => {
    const { refused } = await newPlace(['Bake bread']);
    const { hint } = await refused(name, given);
    expect(hint).toContain(word);
    expect(hint).not.toContain(FOR_A_PERSON);
    expect(hint).not.toMatch(/ --[a-z]|`plan [a-z]/);
  });

  test('of a goal that somebody else holds begins as a sentence does', async () => {
    const own = await newPlace(['Bake bread']);
    await own.call('goal_take', { goal: '1', by: 'ana' });
    const { hint } = await own.refused('plan_edit', { changes: [{ op: 'remove', goal: '1' }] });
    expect(hint).toBe(
      'Change it once the claim is over; only a person takes it from its holder, on the command line.',
    );
  });

  test.each([
    ['goal_done', { goal: '1', token: 'x' }, 'outcome is missing: complete, failed, release or extend'],
    ['action_run', {}, 'op is missing: check, prepare, run, status or stop'],
    ['goal_done', { token: 'x', outcome: 'release' }, 'goal is missing'],
  ])('%s %j names what is missing, and what the tool takes', async (name, given, message) => {
    const { refused } = await newPlace([]);
    const { hint, ...error } = await refused(name, given);
    expect(error).toEqual({ code: 'USAGE', message });
    expect(hint).toContain(`${name} needs `);
  });

  test.each([{}, { because: ' ' }])(
    'a hold without its reason (%j) is told what the tool calls it',
    async (given) => {
      const { refused } = await newPlace(TWO);
      const { code, message } = await refused('plan_edit', {
        changes: [{ op: 'hold', goal: '1', ...given }],
      });
      expect([code, message]).toEqual(['USAGE', 'changes[0] (hold): because is missing']);
    },
  );

  test('goal_done without its token is told where that is from', async () => {
    const { refused } = await newPlace([]);
    expect(await refused('goal_done', { goal: '1', outcome: 'complete' })).toEqual({
      code: 'USAGE',
      message: 'token is missing',
      hint: 'goal_done needs goal, token, outcome; it may take plan, summary, decisions, artifacts, minutes. goal_take gives the token.',
    });
  });
});

test('a review without a terminal is told of --dry-run only where the command has it', async () => {
  const { workspace } = await newPlace(['Bake bread']);
  const hintOf = async (planning: { readonly result: Promise<unknown> }) =>
    z.object({ hint: z.string() }).parse(await planning.result.catch((thrown: unknown) => thrown)).hint;
  expect(await hintOf(workspace.init({ goal: 'Make soup', expander: 'rules', review: true }))).toMatch(
    /leave --review out; --dry-run shows/,
  );
  expect(await hintOf(workspace.resume({ review: true }))).toMatch(/leave --review out\.$/);
});

test('plan_edit names no goal where a change was taken back', async () => {
  const { call } = await newPlace(['Bake bread']);
  await call('plan_edit', { changes: [{ op: 'edit', goal: '1', description: 'Buy rye flour' }] });
  const { structuredContent } = await call('plan_edit', { changes: [{ op: 'undo' }] });
  expect(structuredContent?.changed).toEqual([{ op: 'undo' }]);
});

test('plan_edit sets a priority, puts a goal on hold and ends that, each all or nothing', async () => {
  const { call, refused, workspace } = await newPlace(['Bake bread']);
  await call('plan_edit', {
    changes: [
      { op: 'edit', goal: '2', priority: 'high' },
      { op: 'hold', goal: '1', because: 'no flour', until: '2999-01-01' },
    ],
  });
  const at = async () => (await workspace.status({ verbose: true })).goals ?? [];
  expect(await at()).toMatchObject([{}, { on_hold: { reason: 'no flour' } }, { priority: 1 }]);
  expect(await refused('plan_edit', { changes: [{ op: 'hold', goal: '2' }] })).toMatchObject({
    code: 'USAGE',
  });
  await call('plan_edit', { changes: [{ op: 'unhold', goal: '1' }] });
  const [, flour] = await at();
  expect(flour).not.toHaveProperty('on_hold');
});

test('plan_start says nothing of what there is outside, and that a folder is no file', async () => {
  const { refused } = await newPlace([]);
  const up = '../'.repeat(30);
  for (const document of [
    '/etc/passwd',
    '/etc/no-such-file',
    `${up}etc/passwd`,
    `${up}etc/no-such-file`,
    '..',
  ])
    expect(await refused('plan_start', { document })).toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('leads out of') as string,
    });
  expect(await refused('plan_start', { document: '.' })).toMatchObject({
    code: 'INVALID_INPUT',
    message: '. is not a plain file',
  });
  expect(await refused('plan_start', { document: 'none.md' })).toMatchObject({ code: 'FILE_NOT_FOUND' });
});
