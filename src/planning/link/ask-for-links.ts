import type { Plan } from '../../plan/plan.js';
import { projectText } from './link-asking.js';
import type { LinkAsking, LinksAnswered } from './link-asking.js';
import { linkQuestion, MOST_LEAVES, numberedLeaves } from './link-question.js';

/** Asks which leaves of a plan need each other: in one question, or in several where there are too many leaves for one. */
export async function askForLinks(plan: Plan, asking: LinkAsking): Promise<LinksAnswered> {
  const { model, prompts, signal, stop } = asking;
  const leaves = numberedLeaves(plan);
  if (leaves.length > MOST_LEAVES) {
    const { compareParts } = await import('./compare-parts.js');
    return compareParts(plan, leaves, asking);
  }
  const { question, goals } = linkQuestion(plan, leaves, { prompts, project: projectText(plan) });
  return { answer: await model.ask(question, signal, stop), goals, notices: [] };
}
