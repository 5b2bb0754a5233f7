import { describe, expect, it } from 'vitest';

import { loadPrompts } from '../../src/llm/prompts.js';
import { expansionSchema } from '../../src/plan/expansion.js';
import { expansionQuestion } from '../../src/planning/model/model-expander.js';
import { PROMPT_CASES } from '../support/prompt-cases.js';
import { requestFor } from '../support/prompt-plans.js';
import type { PromptCase } from '../support/prompt-plans.js';

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
    expect(new Set(systems).size).toBe(1);
    await expect(`${systems[0]}\n`).toMatchFileSnapshot(`../fixtures/prompts/${variant}/system.txt`);
    const examples = [...(systems[0] ?? '').matchAll(/^```\n([\s\S]*?)\n```$/gm)].map(([, text = '']) =>
      expansionSchema.parse(JSON.parse(text)),
    );
    expect(examples.map(({ atomic }) => atomic)).toEqual([true, false]);
    expect(examples[1]?.sub_goals.map(({ depends_on }) => depends_on)).toEqual([[], [1], [], [2, 3]]);
    expect(
      examples[1]?.sub_goals.every(({ acceptance, size }) => acceptance.length > 0 && size !== null),
    ).toBe(true);
  });
});
