import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { errorOf, newUser, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';
import type { TreeNode } from '../support/model-server.js';

const KEY = { OPENAI_API_KEY: 'sk-test-0123456789abcdef' };
const GOAL = 'Paint the fence and water the roses';

/** What a server divides that the rules do not. */
const fence: TreeNode = {
  description: 'Paint the fence',
  atomic: false,
  children: [
    { description: 'Buy paint', atomic: true },
    { description: 'Brush it on', atomic: true, depends_on: [1] },
  ],
};

async function server(tree: TreeNode = fence) {
  const started = await startModelServer({ tree });
  onTestFinished(() => started.close());
  return started;
}

/** A user with a plan that the rules made, and what stands in its log. */
async function planByRules(goal = GOAL): Promise<{ readonly user: User; readonly log: () => string }> {
  const user = newUser();
  await user.run(['init', goal]);
  const folder = join(user.folder, '.plans');
  const log = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  expect(log()).not.toBe('');
  return { user, log };
}

describe('a model that is asked for and that nothing reaches', () => {
  test.each([
    [['init', GOAL, '--model', 'qwen3']],
    [['init', GOAL, '--expander', 'model']],
    [['init', GOAL, '--model', 'qwen3', '--no-decompose']],
  ])('%j is refused, names what is missing and makes no store', async (args) => {
    const user = newUser();
    const ended = await user.run([...args, '--json']);
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json())).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(/neither a key nor base_url is set/) as string,
      hint: expect.stringMatching(/OPENAI_API_KEY.*--base-url/) as string,
    });
    expect(existsSync(join(user.folder, '.plans'))).toBe(false);
  });

  test.each([
    [['resume', '--model', 'qwen3']],
    [['resume', '--expander', 'model', '--retry-failed']],
    [['split', '1', '--model', 'qwen3']],
    [['replan', '1', '--model', 'qwen3']],
    [['draft', '1', '--model', 'qwen3']],
    [['digest', '--model', 'qwen3']],
    [['dependencies', 'infer', '--model', 'qwen3']],
  ])('%j is refused and writes nothing', async (args) => {
    const { user, log } = await planByRules();
    const before = log();
    const ended = await user.run([...args, '--json']);
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json()).code).toBe('INVALID_CONFIG');
    expect(errorOf(ended.json()).message).toMatch(/the model qwen3|a model/);
    expect(log()).toBe(before);
  });

  test('a model that the environment names is not asked for: the rules plan, and say so', async () => {
    const user = newUser();
    const ended = await user.run(['init', GOAL], { OPENAI_MODEL: 'qwen3' });
    expect(ended.status).toBe(0);
    expect(ended.error).toContain('Planned by the built-in rules');
  });

  test('rules and a model at once are refused', async () => {
    const user = newUser();
    const ended = await user.run(['init', GOAL, '--expander', 'rules', '--model', 'qwen3', '--json'], KEY);
    expect([ended.status, errorOf(ended.json()).code]).toEqual([2, 'USAGE']);
  });

  test('a server that is named outranks rules in the config', async () => {
    const { baseUrl } = await server();
    const user = newUser();
    await user.run(['config', 'set', 'expander', 'rules', '--user']);
    const ended = await user.run(['init', 'Paint the fence', '--base-url', baseUrl, '--json']);
    expect(summaryOf(ended.json())).toMatchObject({ expander: 'model', total_goals: 3 });
  });
});

describe('a plan made by rules', () => {
  test('resume with a model asks about what the rules left undivided, and says so', async () => {
    const { user } = await planByRules();
    const asked = await server();
    const ended = await user.run(['resume', '--base-url', asked.baseUrl, '--model', 'm']);
    expect(ended.status).toBe(0);
    expect(ended.error).toContain('From here on the model m plans this plan.');
    expect((await user.run(['tree'])).out).toMatch(/Paint the fence.*\n.*Buy paint.*\n.*Brush it on/);
    // From there on: nothing needs to be said again, and nothing is asked twice.
    const again = await user.run(['resume', '--json']);
    expect(summaryOf(again.json())).toMatchObject({ expander: 'model', pending_goals: 0 });
    expect(asked.count).toBe(2);
  });

  test('what is done, claimed or written by hand is left alone', async () => {
    const { user } = await planByRules('Paint the fence and water the roses and mow the lawn');
    await user.run(['add', 'Feed the cat']);
    await user.run(['complete', '2', '--force']);
    await user.run(['claim', '3', '--by', 'ann']);
    const asked = await server();
    await user.run(['resume', '--base-url', asked.baseUrl, '--model', 'm']);
    expect(asked.requests.map(({ goal }) => goal)).toEqual(['Paint the fence']);
  });

  test('is left as it is by a model that the environment brings: nothing was asked for', async () => {
    const { user, log } = await planByRules();
    const before = log();
    const asked = await server();
    await user.run(['resume'], { OPENAI_BASE_URL: asked.baseUrl, ...KEY });
    expect([asked.count, log()]).toEqual([0, before]);
  });

  test.each(['split', 'replan'])(
    '%s with a model divides the goal and switches the plan',
    async (command) => {
      const { user } = await planByRules();
      const asked = await server();
      const ended = await user.run([command, '1', '--base-url', asked.baseUrl, '--model', 'm']);
      expect(ended.status).toBe(0);
      expect(ended.error).toContain('From here on the model m plans this plan.');
      const status = await user.run(['status', '--json']);
      expect(summaryOf(status.json())).toMatchObject({ expander: 'model' });
    },
  );

  test('a preview switches nothing', async () => {
    const { user } = await planByRules();
    const asked = await server();
    const flags = ['--base-url', asked.baseUrl, '--model', 'm'];
    const ended = await user.run(['replan', '1', '--preview', ...flags]);
    expect(ended.error).not.toContain('From here on');
    expect(summaryOf((await user.run(['status', '--json'])).json())).toMatchObject({ expander: 'rules' });
  });
});
