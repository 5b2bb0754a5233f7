import { questionTokens } from '../../llm/spend/question-tokens.js';
import type { Plan } from '../../plan/plan.js';
import type { QuestionEstimate, Range } from '../growth.js';
import { triageQuestion } from './triage-question.js';
import type { TriageAsking } from './triage-question.js';

/** Tokens of an entry of the answer, and of what stands around them. */
const ENTRY = 12;
const FRAME = 10;
/** Such a share of the goals is named in an answer. */
const NAMED = { low: 0, likely: 0.3, high: 1 };

/** Estimates what asking which goals of a document are work takes: its questions as they are, counted. */
export async function estimateTriage(plan: Plan, asking: TriageAsking): Promise<QuestionEstimate> {
  const asked = new Set<string>();
  let calls = 0;
  let input = 0;
  for (;;) {
    const next = triageQuestion(plan, asked, asking);
    if (next === null) break;
    for (const id of next.goals.values()) asked.add(id);
    calls += 1;
    input += await questionTokens(next.question);
  }
  const output = (share: number) => Math.ceil(calls * FRAME + asked.size * share * ENTRY);
  return {
    calls: exactly(calls),
    input_tokens: exactly(input),
    output_tokens: { low: output(NAMED.low), likely: output(NAMED.likely), high: output(NAMED.high) },
  };
}

function exactly(value: number): Range {
  return { low: value, likely: value, high: value };
}
