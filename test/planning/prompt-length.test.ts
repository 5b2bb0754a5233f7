import { describe, expect, it } from 'vitest';

import { loadPrompts } from '../../src/llm/prompts.js';
import { questionTokens } from '../../src/llm/spend/question-tokens.js';
import { countTokens } from '../../src/llm/spend/tokens.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { expansionQuestion } from '../../src/planning/model/model-expander.js';
import { PLAN_ID, treePlan } from '../support/plans.js';
import { SETTINGS } from '../support/prompt-plans.js';

const WORDS = (
  'write the importer for parcels that arrive at night and check each of its fields against the rules of the ' +
  'carrier before a courier is told where to go with it on the next morning'
).split(' ');

/** A plan of so many goals, each said in so many words. */
function planOf(goals: number, words: number): Plan {
  const described = Array.from({ length: goals }, (_, index) =>
    [
      `Part ${index}:`,
      ...Array.from({ length: words }, (__, at) => WORDS[(index + at) % WORDS.length] ?? ''),
    ].join(' '),
  );
  return treePlan(described, 7);
}

async function questionAbout(plan: Plan, number: number, prompt_variant: 'standard' | 'plain') {
  const goal = goalOf(plan, `${PLAN_ID}-g${number - 1}`);
  const { question } = await expansionQuestion(
    { plan, goal, maxChildren: 7 },
    {
      prompts: await loadPrompts(),
      promptTokens: 9904,
      settings: { ...SETTINGS, max_depth: 12, max_goals: 100_000, prompt_variant },
    },
  );
  return question;
}

describe.each(['standard', 'plain'] as const)('the %s prompt', (variant) => {
  it.each([3, 10, 20, 40])(
    'is at most 1.2 times as long for goal 10,000 as for goal 10, at %i words a goal',
    async (words) => {
      const plan = planOf(10_200, words);
      const [early, late] = [
        await questionAbout(plan, 10, variant),
        await questionAbout(plan, 10_000, variant),
      ];
      const messages = ({ system, user }: typeof early) => countTokens(system + user);
      expect((await messages(late)) / (await messages(early))).toBeLessThanOrEqual(1.2);
      // With the schema, as a budget counts it.
      expect((await questionTokens(late)) / (await questionTokens(early))).toBeLessThanOrEqual(1.2);
    },
  );
});
