import type { Answer, ChatModel } from '../../llm/chat-model.js';
import type { Prompts } from '../../llm/prompts.js';
import { NO_USAGE } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { linkQuestion, MOST_LEAVES, numberedLeaves } from './link-question.js';
import type { LinkReply } from './link-reply.js';

/** Who is asked, and when to stop. */
export interface LinkAsking {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** When it aborts, the call under way is dropped. */
  readonly signal: AbortSignal;
  /** When it aborts, nothing more is asked. */
  readonly stop: AbortSignal;
}

/** What was answered, and the goals that its numbers mean. */
export interface LinksAnswered {
  readonly answer: Answer<LinkReply>;
  readonly goals: ReadonlyMap<string, string>;
}

/** Asks which leaves of a plan need each other. */
export async function askForLinks(
  plan: Plan,
  { model, prompts, signal, stop }: LinkAsking,
): Promise<LinksAnswered> {
  const leaves = numberedLeaves(plan);
  if (leaves.length > MOST_LEAVES)
    return {
      answer: {
        kind: 'rejected',
        code: 'refused',
        reason: `the plan has ${leaves.length} leaves; at most ${MOST_LEAVES} can be compared`,
        usage: NO_USAGE,
      },
      goals: new Map(),
    };
  const { question, goals } = linkQuestion(plan, leaves, { prompts, project: projectText(plan) });
  return { answer: await model.ask(question, signal, stop), goals };
}

/** Returns what a plan says of its project, as prompts have it. */
export function projectText({ header }: Plan): string {
  return (header.settings?.context ?? []).map(({ file, text }) => `${file}:\n${text}`).join('\n\n');
}
