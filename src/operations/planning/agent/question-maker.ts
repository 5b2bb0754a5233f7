import * as z from 'zod';

import type { Question } from '../../../llm/chat-model.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, Settings } from '../../../plan/schema.js';
import { numberOf } from '../../../plan/tree.js';
import type { ExpansionRequest } from '../../../planning/expander.js';
import { linkReplySchema } from '../../../planning/link/link-reply.js';
import type { OpenQuestion } from '../../../planning/questions/open-questions.js';
import { triageReplySchema } from '../../../planning/triage/triage-reply.js';
import { planSettings } from '../../settings/settings.js';
import type { Context } from '../../shared/context.js';
import { settingsFor } from '../choose-planning.js';
import { promptsFor } from '../model-connection.js';
import type { Connection } from '../connection.js';

export const QUESTION_KINDS = [
  'expand',
  'digest',
  'dependencies',
  'link',
  'triage',
  'check',
  'action_plan',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** A question as an agent gets it. */
export const questionSchema = z
  .object({
    goal: z.string().describe('Id of the goal that it is about; the answer names it.'),
    number: z.string(),
    question: z
      .string()
      .optional()
      .describe('Of other kinds than `expand`: what the answer names as `question`.'),
    kind: z.enum(QUESTION_KINDS),
    messages: z
      .array(z.object({ role: z.enum(['system', 'user']), content: z.string() }))
      .readonly()
      .describe('What a model would be told; a system prompt that a question before it has too is left out.'),
    schema: z.record(z.string(), z.unknown()).describe('The JSON Schema of the answer.'),
    max_children: z
      .number()
      .optional()
      .describe('Of `expand`: the most sub-goals that are kept, as it is now.'),
  })
  .readonly();

export type AgentQuestion = z.output<typeof questionSchema>;

/** What questions about a plan are made with. */
export interface QuestionMaking extends Pick<Connection, 'prompts' | 'promptTokens'> {
  readonly settings: Settings;
}

/**
 * The settings and prompts that questions about a plan are made with; no model takes part.
 * @throws PlanError UNTRUSTED_PROMPTS for prompts of the repository that the user has not trusted, INVALID_PROMPT
 */
export async function questionMaking(context: Context, plan: Plan): Promise<QuestionMaking> {
  const settings = await agentSettings(context, plan);
  const { resolved } = await settingsFor(context, {}, plan);
  const { prompts, promptTokens } = await promptsFor(context, { settings, resolved });
  return { settings, prompts, promptTokens };
}

/** The settings that answers to a plan's questions are held to: its own, whoever planned it before. */
export async function agentSettings(context: Context, plan: Plan): Promise<Settings> {
  const { resolved } = await settingsFor(context, {}, plan);
  const before = plan.header.settings;
  return planSettings(resolved, 'agent', before?.given ?? [], before?.context);
}

/** A goal to ask about, and what it had before where it is to be divided anew. */
export interface AskedGoal extends OpenQuestion {
  readonly before: Pick<ExpansionRequest, 'plan' | 'goal' | 'revision'> | null;
}

/** Makes the questions whether goals are atomic, and into what each is divided; they have one system prompt. */
export async function expandQuestions(
  plan: Plan,
  goals: readonly AskedGoal[],
  making: QuestionMaking,
): Promise<readonly AgentQuestion[]> {
  const { commonSystemPrompt, expansionQuestion } = await import('../../../planning/model/model-expander.js');
  const { expansionAnswerSchema } = await import('../../../planning/questions/expansion-answer.js');
  const requests = goals.map(({ goal, maxChildren, before }) => ({ plan, goal, maxChildren, ...before }));
  const made = await Promise.all(requests.map(async (each) => expansionQuestion(each, making)));
  const system = made.length === 0 ? '' : commonSystemPrompt(requests, made, making);
  return goals.flatMap(({ goal, maxChildren }, index) => {
    const question = made[index]?.question;
    if (question === undefined) return [];
    return {
      ...asked(plan, goal, 'expand', { system, user: question.user }),
      schema: answerJsonSchema(expansionAnswerSchema, goal.id),
      max_children: maxChildren,
    };
  });
}

/** Returns questions as they are printed together: a system prompt that one before has as well stands there once. */
export function saidOnce(questions: readonly AgentQuestion[]): readonly AgentQuestion[] {
  const said = new Set<string>();
  return questions.map((question) => ({
    ...question,
    messages: question.messages.filter(({ role, content }) => {
      const isNew = role === 'user' || !said.has(content);
      if (role === 'system') said.add(content);
      return isNew;
    }),
  }));
}

/** A question of another kind: the answer is the reply that a model would give, with goal and kind. */
export function otherQuestion(
  plan: Plan,
  goal: Goal,
  kind: Exclude<QuestionKind, 'expand'>,
  question: Question<unknown>,
): AgentQuestion {
  const form = kind === 'link' ? linkReplySchema : kind === 'triage' ? triageReplySchema : question.schema;
  const reply = form instanceof z.ZodObject ? form : z.object({});
  const schema = z.object({ goal: z.string(), kind: z.literal(kind), ...reply.shape });
  return { ...asked(plan, goal, kind, question), schema: answerJsonSchema(schema, goal.id) };
}

function asked(
  plan: Plan,
  goal: Goal,
  kind: QuestionKind,
  { system, user }: Pick<Question<unknown>, 'system' | 'user'>,
) {
  return {
    goal: goal.id,
    number: numberOf(plan, goal),
    kind,
    messages: [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ],
  };
}

/** The JSON Schema of an answer to the question about one goal. */
function answerJsonSchema(schema: z.ZodObject, goal: string): Record<string, unknown> {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema.extend({ goal: z.literal(goal) }), {
    io: 'input',
  });
  return made;
}
