import { lookUpModel } from '../src/llm/spend/prices.js';
import type { Expansion } from '../src/plan/expansion.js';
import type { Usage } from '../src/plan/schema.js';
import type { Expander } from '../src/planning/expander.js';
import type { ExamplePlan, ExampleTree } from './example-plan.js';

/** Stands in for a model: answers about each goal what the tree says, and charges what it says. */
export function createScriptedExpander(
  { model, price, tree }: Extract<ExamplePlan, { tree: unknown }>,
  wait: (seconds: number) => void,
): Expander {
  const replies = new Map(goalsIn(tree).map((goal) => [goal.goal, goal]));
  return {
    kind: 'model',
    async expand({ goal }) {
      const found = replies.get(goal.description);
      if (found?.reply === undefined) throw new Error(`no reply is written for: ${goal.description}`);
      const { input, output, seconds } = found.reply;
      const { costOf } = await lookUpModel(model, '', { [model]: price });
      wait(seconds);
      const cost_usd = costOf(input, output);
      const usage: Usage = { calls: 1, input_tokens: input, output_tokens: output, cost_usd };
      return { kind: 'expansion', expansion: expansionOf(found), usage, warnings: [] };
    },
  };
}

function expansionOf({ reasoning, parts }: ExampleTree): Expansion {
  return {
    reasoning,
    atomic: parts.length === 0,
    sub_goals: parts.map((part) => ({
      description: part.goal,
      reasoning: part.reasoning,
      atomic: part.reply === undefined,
      acceptance: part.acceptance,
      size: part.size ?? null,
      depends_on: part.after,
    })),
  };
}

function goalsIn(tree: ExampleTree): readonly ExampleTree[] {
  return [tree, ...tree.parts.flatMap((part) => goalsIn(part))];
}
