import * as z from 'zod';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';
import type { PayloadOf } from '../../../plan/events.js';
import { NO_USAGE } from '../../../plan/plan.js';
import type { Digest } from '../../../plan/schema.js';
import { questionFingerprint } from '../../../planning/questions/question-fingerprint.js';
import { settledGoals } from '../../../planning/triage/triage-due.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { RunContext } from '../../operation.js';
import type { OtherSubject } from '../../shared/hooks.js';
import { timeNow } from '../../shared/environment.js';
import { answeringModel } from './agent-model.js';
import { shownNeeds } from '../run/link-findings.js';
import type { Judged, StoredActionPlan, StoredDigest, StoredLinks } from './judged-answer.js';
import { malformedAnswer, refusedAnswer } from './judged-answer.js';
import { noteAnswers } from './noted-answers.js';
import { collectQuestions, DEPENDENCY_TOKENS, questionsOf } from './other-questions.js';
import type { OtherKind } from './other-questions.js';
import { questionMaking } from './question-maker.js';
import type { QuestionMaking } from './question-maker.js';

/** What every answer of another kind than `expand` has besides the reply itself. */
const markedSchema = z.looseObject({ goal: z.string(), question: z.string().optional() });

/** One about a whole plan need not name the goal; one about its leaves need not say that nothing is missing. */
const wholeSchema = markedSchema.extend({ goal: z.string().default(''), missing: z.unknown().default([]) });

/** Answers of the kind `check` are stored together. */
type StoredKind = Exclude<OtherKind, 'check'>;

interface Answering {
  readonly kind: StoredKind;
  readonly subject: OtherSubject;
  readonly making: QuestionMaking;
  readonly by: string;
  readonly reply: unknown;
}

/**
 * Stores an answer of another kind than `expand` and `check`, by what stores a model's reply. An answer to a question that the plan
 * would not ask any more is refused.
 */
export async function storeOtherAnswer(
  context: RunContext,
  log: PlanLog,
  { kind, subject, by, answer }: Omit<Answering, 'making' | 'reply'> & { readonly answer: unknown },
): Promise<Judged> {
  const parsed = (kind === 'link' || kind === 'triage' ? wholeSchema : markedSchema).safeParse(
    answer,
    IN_OUR_WORDS,
  );
  if (!parsed.success) return malformedAnswer(answer, parsed.error);
  const { goal, question, kind: _kind, ...given } = parsed.data;
  const reply = kind === 'action_plan' ? (await questionsOf(context, kind)).reply(given) : given;
  const making = await questionMaking(context, log.plan);
  const about = { ...subject, goal };
  const asked = await collectQuestions(context, log, { kind, subject: about, making });
  const [only] = asked;
  const named = question ?? (kind === 'link' ? await unnamedQuestion(context, log, making) : undefined);
  const found = asked.find((each) => questionFingerprint(each.question) === named);
  if (question === undefined && found === undefined && only !== undefined)
    return refusedAnswer(
      goal,
      'malformed',
      `$.question is missing: give "question":"${questionFingerprint(only.question)}" if you answer the question as it is now`,
    );
  if (found === undefined)
    return refusedAnswer(goal, 'late', 'the plan has changed since this was asked; ask again');
  const judged = await stored(context, log, { kind, subject: about, making, by, reply }, found.goal.id);
  // One that finds nothing changes nothing, and would be asked for ever.
  if (kind === 'dependencies' && 'stored' in judged)
    await noteAnswers(context, log.plan.header.id, [questionFingerprint(found.question)]);
  return judged;
}

/** The question which leaves need each other as it came up; undefined where it is not left to ask. */
async function unnamedQuestion(
  context: RunContext,
  log: PlanLog,
  making: QuestionMaking,
): Promise<string | undefined> {
  const { planWhenLinkingWasLeft } = await import('./store-links.js');
  const plan = await planWhenLinkingWasLeft(log);
  if (plan === null) return undefined;
  const [asked] = await collectQuestions(context, { ...log, plan }, { kind: 'link', subject: {}, making });
  return asked === undefined ? undefined : questionFingerprint(asked.question);
}

async function stored(
  context: RunContext,
  log: PlanLog,
  answering: Answering,
  goal: string,
): Promise<Judged> {
  const model = answeringModel(answering.reply, answering.making);
  const outcome = await STORED[answering.kind](context, log, answering, { goal, connect: model.connect });
  const digest = typeof outcome === 'object' && outcome !== null && 'digest' in outcome ? outcome : undefined;
  if (model.faults.length > 0)
    return refusedAnswer(goal, 'malformed', [...model.faults, ...whatStands(digest)].join('; '));
  if (typeof outcome === 'string') return refusedAnswer(goal, 'refused', outcome);
  if (outcome === null) return { stored: goal };
  if ('added' in outcome) return { stored: goal, links: { ...outcome, goal } };
  return 'digest' in outcome ? { stored: goal, digest: outcome } : { stored: goal, actionPlan: outcome };
}

/** The longest summary that a refusal quotes, in columns. */
const LONGEST_SUMMARY = 300;

/** The digest that is stored in place of an answer. */
function whatStands(stored: StoredDigest | undefined): readonly string[] {
  if (stored === undefined) return [];
  const whose = stored.made_by === 'extraction' ? 'sentences of what was submitted' : 'the digest of before';
  return [`stored instead: ${whose}, “${truncate(oneLine(stored.digest.summary), LONGEST_SUMMARY)}”`];
}

/** Stores what was answered. The outcome is what is wrong with it, what came of it, or null. */
type Store = (
  context: RunContext,
  log: PlanLog,
  answering: Answering,
  about: { readonly goal: string; readonly connect: ReturnType<typeof answeringModel>['connect'] },
) => Promise<StoredActionPlan | StoredDigest | Omit<StoredLinks, 'goal'> | string | null>;

const storeDigest: Store = async (_context, log, { reply }, { goal, connect }) => {
  const { createDigestWork } = await import('../../work/digest-work.js');
  const [made] = await createDigestWork(log, { connect, emit: () => undefined }).run([goal]);
  if (made === undefined || made.digest === null) return null;
  const madeBy = made.madeBy === 'model' ? 'answer' : (made.madeBy ?? 'before');
  return { goal, digest: made.digest, made_by: madeBy, reason: whyOther(made.digest, madeBy, reply) };
};

const listsSchema = z.looseObject({ key_decisions: z.array(z.string()), artifacts: z.array(z.string()) });

/** Why a stored digest is not what was sent. */
function whyOther(
  { key_decisions, artifacts }: Digest,
  madeBy: StoredDigest['made_by'],
  reply: unknown,
): string | null {
  if (madeBy !== 'answer') return 'another keeps more of what was submitted';
  const sent = listsSchema.safeParse(reply).data;
  const given = new Set([...(sent?.key_decisions ?? []), ...(sent?.artifacts ?? [])]);
  const added = [...key_decisions, ...artifacts].filter((text) => !given.has(text));
  if (added.length === 0) return null;
  const named = added.map((text) => `“${truncate(oneLine(text), LONGEST_ADDED)}”`).join(', ');
  return `added what was submitted and not told: ${named}`;
}

const LONGEST_ADDED = 80;

const storeDependencies: Store = async (_context, log, { making }, { connect }) => {
  const { inferDependencies } = await import('../../../planning/model/model-dependencies.js');
  const connection = await connect(undefined, () => undefined);
  const maxTokens = Math.min(DEPENDENCY_TOKENS, making.promptTokens);
  const { proposed } = await inferDependencies(log.plan, {
    ...connection,
    maxTokens,
    signal: new AbortController().signal,
  });
  const changes = proposed
    .filter(({ refused }) => refused === null)
    .map(({ goal, on, reason }): PayloadOf<'dependencies_changed'>['changes'][number] => ({
      goal,
      add: [on],
      remove: [],
      because: reason,
    }));
  const before = log.plan;
  await log.append([
    {
      type: 'usage_added',
      because: 'an agent said which goals need each other',
      usage: { ...NO_USAGE, cost_usd: null },
    },
    ...(changes.length === 0 ? [] : [{ type: 'dependencies_changed' as const, changes }]),
  ]);
  return {
    added: shownNeeds(
      before,
      changes.flatMap(({ goal, add }) => add.map((on) => ({ goal, on }))),
    ),
  };
};

const storeAsFeature: Store = async (context, log, { kind, subject }, { goal, connect }) =>
  (await questionsOf(context, kind)).store(context, log, { goal, tools: subject.tools }, connect);

const storeLinkAnswer: Store = async (_context, log, { by }, { connect }) => {
  const { storeLinks } = await import('./store-links.js');
  return storeLinks(log, await connect(undefined, () => undefined), by);
};

const storeTriageAnswer: Store = async (context, log, { by, making }, { connect }) => {
  const { triageQuestion } = await import('../../../planning/triage/triage-question.js');
  const settled = settledGoals(await log.events());
  const question = triageQuestion(log.plan, settled, making);
  if (question === null) return null;
  const { model } = await connect(undefined, () => undefined);
  const answer = await model.ask(question.question, new AbortController().signal);
  if (answer.kind !== 'reply') return null;
  const { triageEvents } = await import('../run/triage-events.js');
  const answered = { question, reply: answer.value, usage: answer.usage, settled };
  await log.append(triageEvents(log.plan, answered, timeNow(context.environment)).events, by);
  return null;
};

const STORED: Readonly<Record<StoredKind, Store>> = {
  digest: storeDigest,
  dependencies: storeDependencies,
  link: storeLinkAnswer,
  triage: storeTriageAnswer,
  action_plan: storeAsFeature,
};
