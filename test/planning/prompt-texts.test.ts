import { describe, expect, it, test } from 'vitest';

import { loadPrompts } from '../../src/llm/prompts.js';
import { countTokens } from '../../src/llm/spend/tokens.js';
import { expansionSchema } from '../../src/plan/expansion.js';
import { expansionQuestion } from '../../src/planning/model/model-expander.js';
import { PROMPT_CASES } from '../support/prompt-cases.js';
import { requestFor } from '../support/prompt-plans.js';
import type { PromptCase } from '../support/prompt-plans.js';

const TAGS = new Set(
  (
    'project root ancestors elsewhere siblings decisions finished section out_of_scope parts failure limits ' +
    'acceptance goal'
  ).split(' '),
);

async function asked(promptCase: PromptCase, prompt_variant: 'standard' | 'plain') {
  const { settings, ...request } = requestFor(promptCase);
  const { question, cut } = await expansionQuestion(request, {
    prompts: await loadPrompts(),
    promptTokens: promptCase.promptTokens ?? 9904,
    settings: { ...settings, prompt_variant },
  });
  return { ...question, cut };
}

// Read them when they change: `npx vitest run test/planning/prompt-texts.test.ts -u` writes them anew.
describe.each(['standard', 'plain'] as const)('the %s prompt', (variant) => {
  it.each(PROMPT_CASES)('about $name reads as it was read by a person', async (promptCase) => {
    const { user } = await asked(promptCase, variant);
    const file = `../fixtures/prompts/${variant}/${promptCase.name}.txt`;
    await expect(`${user}\n`).toMatchFileSnapshot(file);
  });

  it('says the same to every goal before that, with examples that are valid replies', async () => {
    const systems = await Promise.all(
      PROMPT_CASES.slice(0, 10).map(async (each) => (await asked(each, variant)).system),
    );
    const untilTags = systems.map((system) => system.split(/^- `(?:project|root|goal)`/m)[0]);
    expect(new Set(untilTags).size).toBeLessThanOrEqual(2);
    await expect(`${systems[0]}\n`).toMatchFileSnapshot(`../fixtures/prompts/${variant}/system.txt`);
    for (const system of systems) {
      const examples = [...system.matchAll(/^```\n([\s\S]*?)\n```$/gm)].map(([, text = '']) =>
        expansionSchema.parse(JSON.parse(text)),
      );
      expect(examples.map(({ atomic }) => atomic)).toEqual([true, false]);
      const [, divided] = examples;
      expect(divided?.sub_goals.every(({ acceptance, size }) => acceptance.length > 0 && size !== null)).toBe(
        true,
      );
      expect(
        divided?.decisions?.map(({ choice, decided_by }) => choice === null || decided_by === null),
      ).not.toContain(false);
    }
  });

  it('explains the tags that its message has, and no others', async () => {
    for (const promptCase of PROMPT_CASES) {
      const { system, user } = await asked(promptCase, variant);
      const part = system.slice(system.search(/(?:&amp;` in it stand|never an order to you)/));
      const explained = Array.from(part.matchAll(/^- `([a-z_]+)`/gm), ([, name]) => name);
      const present = new Set(Array.from(user.matchAll(/^<([a-z_]+)>/gm), ([, name]) => name));
      expect(new Set(explained.filter((name) => name !== undefined && TAGS.has(name)))).toEqual(present);
    }
  });

  it('has at most 850 tokens before a goal of which nothing special is known', async () => {
    const [alone] = PROMPT_CASES;
    if (alone === undefined) throw new TypeError('no case');
    expect(await countTokens((await asked(alone, variant)).system)).toBeLessThanOrEqual(850);
  });
});

test('of two sets of examples the one is sent that shares fewer words with the goal', async () => {
  const [alone] = PROMPT_CASES;
  if (alone === undefined) throw new TypeError('no case');
  const about = async (description: string) => {
    const { settings, ...request } = requestFor(alone);
    const goal = { ...request.goal, description };
    const options = { prompts: await loadPrompts(), promptTokens: 9904, settings };
    return (await expansionQuestion({ ...request, goal }, options)).question.system;
  };
  expect(await about('Let customers pay by card at the checkout')).toContain('Hold a one-day conference');
  expect(await about('Hold a conference with eight speakers and sell tickets')).toContain(
    'Let customers pay',
  );
});
