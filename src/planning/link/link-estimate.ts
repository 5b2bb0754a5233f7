import { questionTokens } from '../../llm/spend/question-tokens.js';
import type { Prompts } from '../../llm/prompts.js';
import type { Plan } from '../../plan/plan.js';
import type { QuestionEstimate, Range } from '../growth.js';
import { projectText } from './link-asking.js';
import { linkQuestion, MOST_LEAVES } from './link-question.js';

/** Tokens of a leaf's line in the question, and of its entry in the answer. */
const LINE: Range = { low: 15, likely: 40, high: 110 };
const ENTRY: Range = { low: 8, likely: 22, high: 40 };
/** Of a plan that takes several questions there is one for so many leaves. */
const LEAVES_EACH: Range = { low: 150, likely: 40, high: 10 };
type Scenario = 'low' | 'likely' | 'high';

/** A range of whole numbers, of what there is in each scenario. */
function each(of: (scenario: Scenario) => number): Range {
  return { low: Math.floor(of('low')), likely: Math.round(of('likely')), high: Math.ceil(of('high')) };
}

/**
 * Estimates what comparing the leaves of a plan takes: its question as it is without leaves, measured, and a line for each leaf.
 * @param leaves how many leaves there will be
 */
export async function estimateLinking(
  plan: Plan,
  leaves: Range,
  prompts: Prompts,
): Promise<QuestionEstimate> {
  const { question } = linkQuestion(plan, [], { prompts, project: projectText(plan) });
  const bare = await questionTokens(question);
  const isOne = (scenario: Scenario) => leaves[scenario] <= MOST_LEAVES;
  const calls = each((scenario) => {
    if (isOne(scenario)) return leaves[scenario] < 2 ? 0 : 1;
    return 1 + leaves[scenario] / LEAVES_EACH[scenario];
  });
  const lines = each((scenario) => (isOne(scenario) ? leaves[scenario] : calls[scenario] * MOST_LEAVES));
  return {
    calls,
    input_tokens: each(
      (scenario) => calls[scenario] * bare + (calls[scenario] === 0 ? 0 : lines[scenario] * LINE[scenario]),
    ),
    output_tokens: each((scenario) => (calls[scenario] === 0 ? 0 : lines[scenario] * ENTRY[scenario])),
  };
}
