import type { ChatModel, Question } from '../model/chat-model.js';
import { loadPrompts, renderPrompt } from '../model/prompts.js';
import { tagged } from '../model/quote.js';
import type { Prompts } from '../model/prompts.js';
import { expansionSchema } from '../plan/expansion.js';
import type { Expansion } from '../plan/expansion.js';
import { promptContext } from './context.js';
import type { Expander, ExpansionOutcome, ExpansionRequest } from './expander.js';
import { countedFromOne } from './zero-based.js';

export interface ModelExpanderOptions {
  readonly kind: 'model' | 'replay';
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that the user message may have. */
  readonly promptTokens: number;
}

/** Expands goals by asking a chat model. */
export function createModelExpander({ kind, model, prompts, promptTokens }: ModelExpanderOptions): Expander {
  return {
    kind,
    async expand(request, signal) {
      const { question, cut } = await expansionQuestion(request, { prompts, promptTokens });
      const answer = await model.ask(question, signal);
      switch (answer.kind) {
        case 'reply':
          return {
            kind: 'expansion',
            expansion: countedFromOne(answer.value),
            usage: answer.usage,
            warnings: warningsOf(cut),
          };
        case 'rejected':
          return { kind: 'review', code: answer.code, reason: answer.reason, usage: answer.usage };
        default:
          return answer satisfies ExpansionOutcome;
      }
    },
  };
}

/** The question that is asked about a goal, and which parts of its context were cut. */
export async function expansionQuestion(
  request: ExpansionRequest,
  { prompts, promptTokens }: Pick<ModelExpanderOptions, 'prompts' | 'promptTokens'>,
): Promise<{ readonly question: Question<Expansion>; readonly cut: readonly string[] }> {
  const { slots, cut } = await promptContext(request.plan, request.goal, promptTokens, request.revision);
  return { question: questionAbout(request, slots, prompts), cut };
}

function questionAbout(
  { maxChildren }: Pick<ExpansionRequest, 'maxChildren'>,
  slots: Readonly<Record<string, string>>,
  prompts: Prompts,
): Question<Expansion> {
  const limits = { max_children: String(maxChildren) };
  return {
    name: 'expansion',
    schema: expansionSchema,
    system: renderPrompt(prompts['expand.system.md'], limits),
    user: renderPrompt(prompts['expand.user.md'], slots),
    shorter: renderPrompt(prompts['expand.shorter.md'], {
      max_children: String(Math.max(2, Math.ceil(maxChildren / 2))),
    }),
    check: contradictions,
  };
}

/** The smallest question there is, to see whether a model answers as it should. */
export async function testQuestion(): Promise<Question<Expansion>> {
  const prompts = await loadPrompts();
  const nothing = {
    project: '',
    root: '',
    ancestors: '',
    siblings: '',
    finished: '',
    section: '',
    failure: '',
  };
  const slots = { ...nothing, goal: tagged('goal', 'Add a line to a text file') };
  return questionAbout({ maxChildren: 2 }, slots, prompts);
}

/** What an expansion says against itself. A verdict is never guessed from it. */
function contradictions({ atomic, sub_goals }: Expansion): readonly string[] {
  const named = sub_goals.filter(({ description }) => description.trim() !== '');
  if (atomic && named.length > 0) return ['$.sub_goals: must be empty when $.atomic is true'];
  if (!atomic && named.length === 0)
    return ['$.sub_goals: must hold at least one sub-goal when $.atomic is false'];
  return [];
}

function warningsOf(cut: readonly string[]) {
  if (cut.length === 0) return [];
  return [{ code: 'context_cut', message: `the prompt left out a part of: ${cut.join(', ')}` }];
}
