import { createChatModel, type ChatModelOptions } from '../../src/llm/client.js';
import type { Answer, ChatModel, Question } from '../../src/llm/chat-model.js';
import { createMeter, type Meter } from '../../src/llm/spend/meter.js';
import type { ModelEvent } from '../../src/llm/model-event.js';
import { tagged } from '../../src/llm/quote.js';
import { expansionSchema, type Expansion } from '../../src/plan/expansion.js';
import { NO_USAGE } from '../../src/plan/plan.js';
import type { Budget, Usage } from '../../src/plan/schema.js';

/** A client with what it did beside answering. */
export interface TestModel {
  readonly model: ChatModel;
  readonly meter: Meter;
  /** The waits it asked for, in milliseconds; none of them is really waited for. */
  readonly waits: readonly number[];
  readonly events: readonly ModelEvent[];
  readonly expand: (goal: string) => Promise<Answer<Expansion>>;
}

export interface TestModelOptions extends Partial<ChatModelOptions> {
  readonly budget?: Budget;
  readonly spent?: Usage;
}

/** A client of `baseUrl` that never really sleeps: a wait only moves its clock. Jitter is at its most. */
export async function testModel(baseUrl: string, options: TestModelOptions = {}): Promise<TestModel> {
  const { budget, spent = NO_USAGE, ...rest } = options;
  const waits: number[] = [];
  const events: ModelEvent[] = [];
  let clock = Date.parse('2025-11-30T10:00:00Z');
  const meter = options.meter ?? createMeter({ budget, spent, now: () => performance.now() });
  const model = await createChatModel({
    baseUrl,
    model: 'test-model',
    random: () => 1,
    now: () => clock,
    sleep: async (ms) => {
      waits.push(ms);
      clock += ms;
    },
    onEvent: (event) => events.push(event),
    userAgent: 'frctl-test',
    ...rest,
    meter,
  });
  const expand = (goal: string): Promise<Answer<Expansion>> =>
    model.ask(expansionQuestion(goal), new AbortController().signal);
  return { model, meter, waits, events, expand };
}

/** The question what `goal` consists of. */
export function expansionQuestion(goal: string, user = ''): Question<Expansion> {
  return {
    name: 'expansion',
    schema: expansionSchema,
    system: 'You plan work.',
    user: `${user}${tagged('goal', goal)}`,
    shorter: 'Be brief.',
  };
}
