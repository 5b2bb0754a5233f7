import type { ChatModel } from '../../llm/chat-model.js';
import type { Limiter } from '../../llm/limiter.js';
import type { Prompts } from '../../llm/prompts.js';
import type { Meter } from '../../llm/spend/meter.js';
import type { Usage } from '../../plan/schema.js';
import type { CallBook } from './budget/call-book.js';
import type { Emit } from './planning-progress.js';

/** How a process that is one of many keeps to the budget and to the limits of a model. */
export interface SharedSpending {
  /** Undefined without a budget. */
  readonly meter: Meter | undefined;
  readonly limiter: (model: string, own: Limiter) => Limiter;
}

/** How calls are kept to a budget. */
export interface Spending {
  /** Where the calls of this process are entered before they are made, where the plan has a budget of them. */
  readonly book?: CallBook | undefined;
  /** What workers on other machines share, in place of this process's own. */
  readonly shared?: SharedSpending | undefined;
}

/** A model that can be asked, and what to ask it with. */
export interface Connection {
  readonly kind: 'model' | 'replay';
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that a user message may have. */
  readonly promptTokens: number;
}

/**
 * Connects to a model.
 * @param spent what the plan has used so far, which its budget counts
 * @param spending the budget and the limits of all workers, or where this process enters its calls
 */
export type Connect = (spent: Usage | undefined, emit: Emit, spending?: Spending) => Promise<Connection>;
