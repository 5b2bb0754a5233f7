import type { ActionPlan } from '../model/action-plan.js';
import type { DraftFinding } from '../tools/draft-finding.js';
import type { Tool } from '../tools/tools-file.js';
import type { PlanError } from '../../../kernel/errors.js';
import type { Answer, ChatModel, Question } from '../../../llm/chat-model.js';
import { renderPrompt, promptSlots } from '../../../llm/prompts.js';
import type { Prompts } from '../../../llm/prompts.js';
import { tagged } from '../../../llm/quote.js';
import { repairText } from '../../../llm/request.js';
import { addUsage } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, Usage } from '../../../plan/schema.js';
import { promptContext } from '../../../planning/context.js';
import { draftReplySchema, incompleteness, planOfReply } from './draft-reply.js';
import type { DraftReply, ReadDraft } from './draft-reply.js';

export interface ModelDrafterOptions {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that the user message may have besides the tools. */
  readonly promptTokens: number;
  readonly tools: readonly Tool[];
  /** What is wrong with a plan; errors among it are given back to the model once. */
  readonly check: (plan: ActionPlan) => readonly DraftFinding[];
}

/** What came of asking for an action plan. Every kind says what it cost. */
export type DraftOutcome =
  | {
      readonly kind: 'draft';
      readonly plan: ActionPlan;
      readonly findings: readonly DraftFinding[];
      readonly usage: Usage;
      /** What happened on the way: context that was cut, replies that had to be repaired. */
      readonly warnings: readonly { readonly code: string; readonly message: string }[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly code: string; readonly reason: string; readonly usage: Usage }
  | { readonly kind: 'budget'; readonly limit: string; readonly usage: Usage }
  | { readonly kind: 'unavailable'; readonly error: PlanError; readonly usage: Usage }
  | { readonly kind: 'aborted'; readonly usage: Usage };

/**
 * Asks a model for the action plan of a goal. When the plan has errors the model is told them and asked once more; the later
 * plan counts, also when it still has errors. Without a second reply the first plan stands. Must not throw.
 */
export async function draftByModel(
  options: ModelDrafterOptions,
  about: { readonly plan: Plan; readonly goal: Goal },
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const { model, prompts, promptTokens, tools, check } = options;
  const { slots, cut } = await promptContext(about, {
    limit: promptTokens,
    slots: promptSlots(prompts['action_plan.user.md']),
  });
  const question = questionAbout({ ...slots, tools: tagged('tools', toolLines(tools)) }, prompts);
  const first = await model.ask(question, signal);
  if (first.kind !== 'reply') return first;
  const draft = examined(first.value, check);
  const errors = errorsOf(draft);
  const warnings =
    cut.length === 0
      ? []
      : [{ code: 'context_cut', message: `the prompt left out a part of: ${cut.join(', ')}` }];
  if (errors.length === 0)
    return { kind: 'draft', ...draft, usage: first.usage, warnings, notes: first.notes };
  const repair = repairText(JSON.stringify(first.value), errors);
  const second = await model.ask({ ...question, user: `${question.user}\n${repair}` }, signal);
  const usage = addUsage(first.usage, second.usage);
  const notes = [...first.notes, `the plan had errors, so the model was asked again: ${errors.join('; ')}`];
  if (second.kind === 'reply')
    return {
      kind: 'draft',
      ...examined(second.value, check),
      usage,
      warnings,
      notes: [...notes, ...second.notes],
    };
  return { kind: 'draft', ...draft, usage, warnings, notes: [...notes, whyNotRepaired(second)] };
}

function questionAbout(slots: Readonly<Record<string, string>>, prompts: Prompts): Question<DraftReply> {
  return {
    name: 'action_plan',
    schema: draftReplySchema,
    system: renderPrompt(prompts['action_plan.system.md'], {}),
    user: renderPrompt(prompts['action_plan.user.md'], slots),
    shorter: renderPrompt(prompts['action_plan.shorter.md'], {}),
    check: incompleteness,
  };
}

/** The tools as the model reads them in the prompt for a draft, one JSON object a line. */
export function toolLines(tools: readonly Tool[]): string {
  const lines = tools.map(({ name, description, inputSchema, outputSchema, effects }) =>
    JSON.stringify({
      name,
      ...(description === '' ? {} : { description }),
      arguments: inputSchema,
      output: outputSchema,
      effects,
    }),
  );
  return `\n${lines.join('\n')}\n`;
}

function examined(reply: DraftReply, check: ModelDrafterOptions['check']): ReadDraft {
  const { plan, findings } = planOfReply(reply);
  // Where arguments could not be read, what their schema says of none is no news.
  const unread = new Set(findings.map(({ step }) => step));
  const others = check(plan).filter(({ rule, step }) => rule !== 'INVALID_ARGUMENT' || !unread.has(step));
  return { plan, findings: [...findings, ...others] };
}

function errorsOf({ findings }: ReadDraft): readonly string[] {
  return findings.flatMap(({ severity, pointer, step, message }) =>
    severity === 'error' ? [`${step === null ? '' : `step ${step}, `}${pointer}: ${message}`] : [],
  );
}

function whyNotRepaired(answer: Exclude<Answer<unknown>, { kind: 'reply' }>): string {
  switch (answer.kind) {
    case 'rejected':
      return `there was no second plan: ${answer.reason}`;
    case 'budget':
      return `there was no second plan: the next call might exceed the budget of ${answer.limit}`;
    case 'unavailable':
      return `there was no second plan: ${answer.error.message}`;
    case 'aborted':
      return 'there was no second plan: it was interrupted';
  }
}
