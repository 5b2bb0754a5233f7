import * as z from 'zod';

import type { ResultOf } from '../../operations/registry.js';

/** A question as a tool gives it: how to answer was said when the plan was started. */
export const toolQuestionSchema = z.object({ goal: z.string(), ask: z.string() });

/** The questions of a command's report, without what is the same in all of them. */
export function toolQuestions({
  questions,
}: Pick<ResultOf<'answer'>, 'questions'>): readonly z.output<typeof toolQuestionSchema>[] {
  return questions.map(({ goal, kind, messages, question }) => {
    const ask = (messages.at(-1)?.content ?? '').trim();
    // How goals are divided was said when the plan was started.
    if (kind === 'expand') return { goal, ask };
    const system = messages.find(({ role }) => role === 'system')?.content ?? '';
    const how = `${system.trim()}\n\nGive it to plan_answer with "goal":"${goal}","kind":"${kind}","question":"${question ?? ''}" beside it.`;
    return { goal, ask: `${how}\n\n${ask}` };
  });
}

/** How questions are answered: the system prompt of the first and where its answer goes, or nothing. */
export function howToAnswer({ questions }: Pick<ResultOf<'answer'>, 'questions'>): string {
  const [first] = questions;
  if (first === undefined) return '';
  const [system] = first.messages;
  if (first.kind !== 'expand') return system?.content ?? '';
  return `${(system?.content ?? '').trim()}\n\nGive the object for each goal to plan_answer, in \`answers\`, with its \`goal\` beside it.\n`;
}
