import { PlanError } from '../../../kernel/errors.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { numberOf } from '../../../plan/tree.js';
import type { Goal } from '../../../plan/schema.js';
import type { Question } from '../../../llm/chat-model.js';
import type { FlaggedGoal } from '../../../planning/check/ask-about-findings.js';
import { questionFingerprint } from '../../../planning/questions/question-fingerprint.js';
import { settledGoals } from '../../../planning/triage/triage-due.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Context } from '../../shared/context.js';
import type { OtherSubject, QuestionSource } from '../../shared/hooks.js';
import { findGoalInPlan } from '../../shared/find-plan.js';
import { collectingModel } from './agent-model.js';
import { otherQuestion, questionMaking } from './question-maker.js';
import type { AgentQuestion, QuestionKind, QuestionMaking } from './question-maker.js';

/** A kind of question besides `expand`. */
export type OtherKind = Exclude<QuestionKind, 'expand'>;

/**
 * The questions of a kind besides `expand`: digests of finished goals that have lost something, dependencies between
 * branches, which goals of a document are work, goals in which something looks wrong, the action plan of one goal. Made by what asks a model, so that an agent is asked the same.
 * @throws PlanError USAGE, GOAL_NOT_FOUND, WRONG_STATE, FILE_NOT_FOUND, UNTRUSTED_PROMPTS
 */
export async function otherQuestions(
  context: Context,
  log: PlanLog,
  kind: OtherKind,
  subject: OtherSubject,
): Promise<readonly AgentQuestion[]> {
  const making = await questionMaking(context, log.plan);
  const asked = await collectQuestions(context, log, { kind, subject, making });
  return asked.map(({ goal, question }) => ({
    ...withMark(otherQuestion(log.plan, goal, kind, question), question),
    number: numberOf(log.plan, goal),
  }));
}

/** The answer must name the question, for numbers in it mean goals as they were when it was asked. */
function withMark(asked: AgentQuestion, question: Question<unknown>): AgentQuestion {
  const { properties = {}, required = [], ...rest } = asked.schema;
  const own = typeof properties === 'object' ? properties : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return {
    ...asked,
    question: questionFingerprint(question),
    schema: {
      ...rest,
      properties: { ...own, question: { type: 'string', const: questionFingerprint(question) } },
      required: [...needed, 'question'],
    },
  };
}

interface Asked {
  readonly goal: Goal;
  readonly question: Question<unknown>;
}

interface Asking {
  readonly kind: OtherKind;
  readonly subject: OtherSubject;
  readonly making: QuestionMaking;
}

/** Has each operation ask a model that answers nothing, and takes what it was asked. */
export async function collectQuestions(
  context: Context,
  log: PlanLog,
  asking: Asking,
): Promise<readonly Asked[]> {
  switch (asking.kind) {
    case 'digest':
      return digestQuestions(log, asking);
    case 'dependencies':
      return dependencyQuestions(context, log, asking);
    case 'link':
      return linkQuestions(log, asking);
    case 'triage':
      return triageQuestions(log, asking);
    case 'check':
      return checkQuestions(context, log, asking);
    case 'action_plan':
      return featureQuestions(context, log, asking);
  }
}

async function digestQuestions(log: PlanLog, { subject, making }: Asking): Promise<readonly Asked[]> {
  const { losingGoals } = await import('../../work/digest-goal.js');
  const { createDigestWork } = await import('../../work/digest-work.js');
  const ids =
    subject.goal === undefined ? await losingGoals(log) : [findGoalInPlan(log.plan, subject.goal).id];
  const found: Asked[] = [];
  for (const id of ids) {
    const model = collectingModel(making);
    await createDigestWork(log, { connect: model.connect, emit: () => undefined }).run([id]);
    const [question] = model.questions;
    const goal = log.plan.goals.get(id);
    if (question !== undefined && goal !== undefined) found.push({ goal, question });
  }
  return found;
}

/** Tokens of a question about pairs; there is one question at a time, for its answer changes the next. */
export const DEPENDENCY_TOKENS = 6000;

async function dependencyQuestions(
  context: Context,
  { plan }: PlanLog,
  { making }: Asking,
): Promise<readonly Asked[]> {
  const { inferDependencies } = await import('../../../planning/model/model-dependencies.js');
  const model = collectingModel(making);
  const connection = await model.connect(undefined, () => undefined);
  const maxTokens = Math.min(DEPENDENCY_TOKENS, making.promptTokens);
  await inferDependencies(plan, { ...connection, maxTokens, signal: new AbortController().signal });
  const { notedAnswers } = await import('./noted-answers.js');
  const answered = await notedAnswers(context, plan.header.id);
  const isOpen = (question: Question<unknown>) => !answered.includes(questionFingerprint(question));
  return model.questions.filter(isOpen).map((question) => ({ goal: rootOf(plan), question }));
}

async function linkQuestions(log: PlanLog, { making }: Asking): Promise<readonly Asked[]> {
  const { plan } = log;
  const { isLinkable } = await import('../../../planning/link/link-due.js');
  if (!isLinkable(plan)) return [];
  const { askForLinks } = await import('../../../planning/link/ask-for-links.js');
  const model = collectingModel(making);
  const { signal } = new AbortController();
  await askForLinks(plan, {
    ...(await model.connect(undefined, () => undefined)),
    events: await log.events(),
    keep: async () => undefined,
    signal,
    stop: signal,
  });
  return model.questions.map((question) => ({ goal: rootOf(plan), question }));
}

/** One question at a time, for its answer changes the numbers of the next. */
async function triageQuestions(log: PlanLog, { making }: Asking): Promise<readonly Asked[]> {
  const { triageQuestion } = await import('../../../planning/triage/triage-question.js');
  const asked = triageQuestion(log.plan, settledGoals(await log.events()), making);
  if (asked === null) return [];
  const { check: _none, ...question } = asked.question;
  return [{ goal: rootOf(log.plan), question }];
}

async function checkQuestions(
  context: Context,
  log: PlanLog,
  { subject, making }: Asking,
): Promise<readonly Asked[]> {
  const { flaggedGoals } = await import('../../reading/plan-findings.js');
  const { notedAnswers } = await import('./noted-answers.js');
  const only = subject.goal === undefined ? undefined : findGoalInPlan(log.plan, subject.goal).id;
  const answered = new Set(await notedAnswers(context, log.plan.header.id));
  const found: Asked[] = [];
  for (const each of flaggedGoals(log.plan, await log.events())) {
    if (only !== undefined && each.goal.id !== only) continue;
    const question = await checkQuestion(log.plan, each, making);
    if (question !== undefined && !answered.has(questionFingerprint(question)))
      found.push({ goal: each.goal, question });
  }
  return found;
}

/** Returns the question about one goal in whose words something looks wrong. */
export async function checkQuestion(
  plan: Plan,
  flagged: FlaggedGoal,
  making: QuestionMaking,
): Promise<Question<unknown> | undefined> {
  const { askAboutFindings } = await import('../../../planning/check/ask-about-findings.js');
  const model = collectingModel(making);
  const connection = await model.connect(undefined, () => undefined);
  await askAboutFindings(plan, [flagged], { ...connection, signal: new AbortController().signal });
  return model.questions[0];
}

async function featureQuestions(
  context: Context,
  log: PlanLog,
  { kind, subject, making }: Asking,
): Promise<readonly Asked[]> {
  const source = await questionsOf(context, kind);
  const model = collectingModel(making);
  const goal = await source.ask(context, log, subject, model.connect);
  const [question] = model.questions;
  return question === undefined ? [] : [{ goal, question }];
}

/** What a feature knows of a kind of question. @throws PlanError USAGE where none does */
export async function questionsOf(context: Context, kind: OtherKind): Promise<QuestionSource<Context>> {
  const load = context.features.find(({ questions = {} }) => kind in questions)?.questions?.[kind];
  if (load !== undefined) return load();
  throw new PlanError('USAGE', `nothing here asks questions of the kind ${kind}`);
}
