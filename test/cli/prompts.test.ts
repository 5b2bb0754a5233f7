import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { errorOf, newUser, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import type { ModelServer, ModelServerOptions, SeenRequest } from '../support/model-server.js';
import { startModelServer, uniformTree } from '../support/model-server.js';

const TREE = uniformTree(2, 3);

interface Planner extends User {
  readonly server: ModelServer;
  readonly environment: Readonly<Record<string, string>>;
}

async function newPlanner(options: ModelServerOptions = { tree: TREE }): Promise<Planner> {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return { ...newUser(), server, environment: { OPENAI_BASE_URL: server.baseUrl, FRCTL_BY: 'ana' } };
}

/** Puts the project's own prompts into its store. */
function ownPrompts({ folder }: User, prompts: Readonly<Record<string, string>>): void {
  const place = join(folder, '.plans', 'prompts');
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(prompts)) writeFileSync(join(place, name), text);
}

const isPlain = ({ system }: SeenRequest) => system.startsWith('You split a goal into smaller goals.');

describe('the variant of the prompts', () => {
  test('is chosen by flag, environment or config, and a plan keeps it', async () => {
    const planner = await newPlanner();
    const { environment, server, run } = planner;
    await run(['init', TREE.description, '--max-depth', '1'], environment);
    expect(server.requests.some(isPlain)).toBe(false);
    const begun = await run(
      ['init', TREE.description, '--prompt-variant', 'plain', '--budget-calls', '1', '--json'],
      environment,
    );
    expect(begun.status).toBe(6);
    await run(['resume', '--budget-calls', '10'], environment);
    await run(['init', TREE.description], { ...environment, FRCTL_PROMPT_VARIANT: 'plain' });
    await run(['config', 'set', 'prompt_variant', 'plain']);
    await run(['init', TREE.description], environment);
    // One call of the first plan, four of each other.
    expect(server.requests.map(isPlain)).toEqual([false, ...Array.from({ length: 12 }, () => true)]);
    const wrong = await run(['init', 'X', '--json'], { ...environment, FRCTL_PROMPT_VARIANT: 'short' });
    expect([wrong.status, errorOf(wrong.json()).message]).toEqual([
      2,
      expect.stringContaining('FRCTL_PROMPT_VARIANT'),
    ]);
  });

  test('can be of the project’s own, each file for itself', async () => {
    const planner = await newPlanner();
    ownPrompts(planner, { 'expand_plain.system.md': 'Ours: at most {{max_children}}.' });
    await planner.run(['config', 'trust-prompts']);
    await planner.run(['init', TREE.description, '--prompt-variant', 'plain'], planner.environment);
    expect(planner.server.requests[0]?.system).toBe('Ours: at most 10.');
    ownPrompts(planner, { 'expand_plain.user.md': '{{goal}}{{everything}}' });
    const wrong = await planner.run(['init', 'X', '--json'], planner.environment);
    expect(errorOf(wrong.json())).toMatchObject({
      code: 'INVALID_PROMPT',
      message: expect.stringContaining('expand_plain.user.md:1: the slot {{everything}}'),
    });
  });
});

test('prompts that a project wrote for the first version go on working, with all that they had then', async () => {
  const planner = await newPlanner({
    tree: {
      description: 'Build the shop',
      atomic: false,
      children: [
        { description: 'Choose a database', atomic: true },
        {
          description: 'Write the cart',
          atomic: false,
          depends_on: [1],
          children: [{ description: 'Store it', atomic: true }],
        },
        { description: 'Write the checkout', atomic: true },
      ],
    },
  });
  cpSync('test/fixtures/prompts/first', join(planner.folder, '.plans', 'prompts'), { recursive: true });
  await planner.run(['config', 'trust-prompts']);
  const ended = await planner.run(['init', 'Build the shop', '--json'], planner.environment);
  expect([ended.status, summaryOf(ended.json()).warnings]).toEqual([0, []]);
  expect(planner.server.requests[1]?.user).toBe(
    '<root>Build the shop</root>\n<siblings>\n1. Choose a database\n2. (this goal, after 1)\n3. Write the checkout\n</siblings>\n' +
      '<goal>Write the cart</goal>',
  );
  // What stays when a goal is planned again had its place among the siblings.
  await planner.run(['claim', '3'], planner.environment);
  await planner.run(['replan', 'root', '--preview'], planner.environment);
  expect(planner.server.requests[2]?.user).toContain('<siblings>\n- Write the checkout\n</siblings>');
});

test('a goal has the same prompt whichever replies came before, also where the plan gets full', async () => {
  const tree = uniformTree(3, 3);
  const promptsAt = async (concurrency: string, delay: ModelServerOptions['delay']) => {
    const { server, environment, run } = await newPlanner({
      tree,
      ...(delay === undefined ? {} : { delay }),
    });
    const limits = ['--max-goals', '30', '--max-children', '3'];
    await run(['init', tree.description, '--concurrency', concurrency, ...limits], environment);
    return server.requests.map(({ system, user }) => `${system}\n${user}`).toSorted();
  };
  const one = await promptsAt('1', undefined);
  expect(await promptsAt('8', ({ number }) => (number * 37) % 60)).toEqual(one);
  expect(one.filter((prompt) => prompt.includes('so each sub-goal must be atomic')).length).toBeGreaterThan(
    0,
  );
});
