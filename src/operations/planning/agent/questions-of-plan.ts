import { goalOf } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import type { ExpansionRequest } from '../../../planning/expander.js';
import { openQuestions } from '../../../planning/questions/open-questions.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Context } from '../../shared/context.js';
import { timeNow } from '../../shared/environment.js';
import { formerDivision, restoredDivision } from './former-division.js';
import { openHandOuts } from './hand-outs.js';
import type { Asker, HandOuts } from './hand-outs.js';
import { otherQuestions } from './other-questions.js';
import { expandQuestions, questionMaking, saidOnce } from './question-maker.js';
import type { AgentQuestion } from './question-maker.js';

/** The next questions for somebody, and how many there are in all. */
export interface NextQuestions {
  readonly questions: readonly AgentQuestion[];
  /** Questions that wait, those included. */
  readonly left: number;
  /** Of these, such as two other agents have just now. */
  readonly held: number;
}

/** The notes of who has which question of a plan. */
export function handOutsOf(context: Context, log: PlanLog): HandOuts {
  return openHandOuts(context.environment, context.store().location, log.plan.header.id);
}

/** Hands out the next questions of kind `expand`. @throws PlanError UNTRUSTED_PROMPTS, INVALID_PROMPT */
export async function nextQuestions(context: Context, log: PlanLog, asker: Asker): Promise<NextQuestions> {
  const { plan } = log;
  const making = await questionMaking(context, plan);
  const { questions: open } = openQuestions(plan, making.settings);
  if (open.length === 0 && plan.header.link_left === true) return lastQuestion(context, log, asker);
  if (asker.count === 0 || open.length === 0) return { questions: [], left: open.length, held: 0 };
  const ids = open.map(({ goal }) => goal.id);
  const { goals, held } = await handOutsOf(context, log).handOut(ids, asker);
  const byId = new Map(open.map((each) => [each.goal.id, each]));
  const chosen = goals.flatMap((id) => byId.get(id) ?? []);
  const asked = await Promise.all(
    chosen.map(async (each) => ({ ...each, before: await askedBefore(context, log, each.goal) })),
  );
  const questions = saidOnce(await expandQuestions(plan, asked, making));
  return { questions, left: open.length, held };
}

/** The question that is left when every goal is planned: which leaves need each other. */
async function lastQuestion(context: Context, log: PlanLog, { count }: Asker): Promise<NextQuestions> {
  const questions = await otherQuestions(context, log, 'link', {});
  return { questions: questions.slice(0, count), left: questions.length, held: 0 };
}

/** What a goal had before that is to be divided anew, and why that goes; null for one that is planned for the first time. */
async function askedBefore(
  context: Context,
  log: PlanLog,
  goal: Goal,
): Promise<Pick<ExpansionRequest, 'plan' | 'goal' | 'revision'> | null> {
  const former = await formerDivision(context, log, goal.id);
  if (former === null) return null;
  const revision = { failures: former.failures, staying: [] };
  const who = { by: '', at: timeNow(context.environment) };
  const restored = restoredDivision(log.plan, former, who);
  if (restored === null) return { plan: log.plan, goal, revision };
  return { plan: restored.plan, goal: goalOf(restored.plan, goal.id), revision };
}
