import { expect, test } from 'vitest';

import { loadPrompts } from '../../../src/llm/prompts.js';
import { questionTokens } from '../../../src/llm/spend/question-tokens.js';
import { estimateLinking } from '../../../src/planning/link/link-estimate.js';
import { linkQuestion, numberedLeaves } from '../../../src/planning/link/link-question.js';
import { planOfLeaves, readLeaves } from '../../support/listed-plan.js';

test.each(['g3', 'g4', 'g5'])(
  'the range of tokens holds what the question about the leaves of %s has',
  async (name) => {
    const { plan } = planOfLeaves(readLeaves(name));
    const prompts = await loadPrompts();
    const leaves = numberedLeaves(plan);
    const range = { low: leaves.length, likely: leaves.length, high: leaves.length };
    const { calls, input_tokens } = await estimateLinking(plan, range, prompts);
    const tokens = await questionTokens(linkQuestion(plan, leaves, { prompts, project: '' }).question);
    expect(calls).toEqual({ low: 1, likely: 1, high: 1 });
    expect(input_tokens.low).toBeLessThanOrEqual(tokens);
    expect(input_tokens.high).toBeGreaterThanOrEqual(tokens);
  },
);

test('one leaf is not compared, and more than a question holds take several', async () => {
  const { plan } = planOfLeaves(readLeaves('g3'));
  const { calls } = await estimateLinking(plan, { low: 1, likely: 400, high: 400 }, await loadPrompts());
  expect(calls).toEqual({ low: 0, likely: 11, high: 41 });
});
