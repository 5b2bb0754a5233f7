import type { Answer, ChatModel, Question } from '../../../llm/chat-model.js';
import { readReply } from '../../../llm/reply/read-reply.js';
import { NO_USAGE } from '../../../plan/plan.js';
import type { Connect } from '../connection.js';
import type { QuestionMaking } from './question-maker.js';

/** Nobody was paid, and what it cost whoever answered is not known. */
const USAGE = { ...NO_USAGE, cost_usd: null };

/** A model that is asked and answers nothing: what it was asked is what an agent is to be asked. */
export function collectingModel(making: QuestionMaking): {
  readonly connect: Connect;
  readonly questions: readonly Question<unknown>[];
} {
  const questions: Question<unknown>[] = [];
  const model: ChatModel = {
    concurrency: 1,
    async ask<T>({ check: _check, ...question }: Question<T>): Promise<Answer<T>> {
      questions.push(question);
      return { kind: 'aborted', usage: NO_USAGE };
    },
  };
  return { connect: connectTo(model, making), questions };
}

/** A model that gives the answer of an agent to the first question, and none to what it would be asked after that. */
export function answeringModel(
  reply: unknown,
  making: QuestionMaking,
): { readonly connect: Connect; readonly faults: readonly string[] } {
  const faults: string[] = [];
  let given = false;
  const model: ChatModel = {
    concurrency: 1,
    async ask<T>(question: Question<T>): Promise<Answer<T>> {
      if (given) return { kind: 'aborted', usage: NO_USAGE };
      given = true;
      const reading = readReply(JSON.stringify(reply), question);
      if (reading.kind === 'value') return { kind: 'reply', value: reading.value, usage: USAGE, notes: [] };
      for (const error of reading.errors) faults.push(error);
      return { kind: 'aborted', usage: NO_USAGE };
    },
  };
  return { connect: connectTo(model, making), faults };
}

function connectTo(model: ChatModel, { prompts, promptTokens }: QuestionMaking): Connect {
  return async () => ({ kind: 'replay', model, prompts, promptTokens });
}
