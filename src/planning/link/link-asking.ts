import type { Answer, ChatModel } from '../../llm/chat-model.js';
import type { Prompts } from '../../llm/prompts.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Usage } from '../../plan/schema.js';
import type { LinkReply } from './link-reply.js';
import type { WideWait } from './wide-waits.js';

/** An answer about some leaves or parts of a plan, as the log keeps it until all of them are compared. */
export type PartialAnswer = LinkReply & {
  /** The question that it answers. */
  readonly question: string;
};

/** Who is asked, what is known, and when to stop. */
export interface LinkAsking {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** The plan's history: it has the waits that planning made, and answers of a comparison that was interrupted. */
  readonly events: readonly PlanEvent[];
  /** Stores one of several answers and what it cost, before the next is asked for. */
  readonly keep: (answer: PartialAnswer, usage: Usage) => Promise<void>;
  /** When it aborts, the call under way is dropped. */
  readonly signal: AbortSignal;
  /** When it aborts, nothing more is asked. */
  readonly stop: AbortSignal;
}

/** What was answered, and the goals that its numbers mean. */
export interface LinksAnswered {
  /** Its usage is what is not stored yet. */
  readonly answer: Answer<LinkReply>;
  readonly goals: ReadonlyMap<string, string>;
  /** Whether all leaves of a wait were compared; left out where all leaves were. */
  readonly covers?: (wait: WideWait) => boolean;
  /** Why less was asked, in words for a person. */
  readonly notices: readonly string[];
}

/** Returns what a plan says of its project, as prompts have it. */
export function projectText({ header }: Plan): string {
  return (header.settings?.context ?? []).map(({ file, text }) => `${file}:\n${text}`).join('\n\n');
}
