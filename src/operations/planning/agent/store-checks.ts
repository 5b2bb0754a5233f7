import * as z from 'zod';

import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';
import { findGoal } from '../../../plan/tree.js';
import { askAboutFindings } from '../../../planning/check/ask-about-findings.js';
import type { CheckedGoal } from '../../../planning/check/ask-about-findings.js';
import { questionFingerprint } from '../../../planning/questions/question-fingerprint.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { appendEdits } from '../../editing/append-edits.js';
import type { RunContext } from '../../operation.js';
import { flaggedGoals } from '../../reading/plan-findings.js';
import { answeringModel } from './agent-model.js';
import { noteAnswers } from './noted-answers.js';
import { malformedAnswer, refusedAnswer } from './judged-answer.js';
import type { Judged } from './judged-answer.js';
import { checkQuestion } from './other-questions.js';
import { questionMaking } from './question-maker.js';

const answerSchema = z.looseObject({ goal: z.string(), question: z.string().optional() });

/** An answer that stands, and the fingerprint of its question. */
interface Standing {
  readonly question: string;
  readonly checked: CheckedGoal;
}

/**
 * Stores answers about goals in whose words something looks wrong, by whoever gave them, as one change. Each is held to the
 * plan as it is before the first of them, and what was answered is not asked again.
 */
export async function storeCheckAnswers(
  context: RunContext,
  log: PlanLog,
  answers: readonly unknown[],
  by: string,
): Promise<readonly Judged[]> {
  const judge = await answerJudge(context, log);
  const standing = new Map<string, Standing>();
  const judged: (Judged | string)[] = [];
  for (const answer of answers) {
    const verdict = await judge(answer);
    if ('refused' in verdict) judged.push(verdict);
    else if (standing.has(verdict.checked.goal))
      judged.push(refusedAnswer(verdict.checked.goal, 'late', 'another answer to this came first'));
    else {
      standing.set(verdict.checked.goal, verdict);
      judged.push(verdict.checked.goal);
    }
  }
  const all = [...standing.values()];
  const refused = await appendEdits(
    log,
    all.map(({ checked }) => checked),
    by,
  );
  const kept = all.filter(({ checked }) => !refused.has(checked.goal));
  await noteAnswers(
    context,
    log.plan.header.id,
    kept.map(({ question }) => question),
  );
  return judged.map((each) => {
    if (typeof each !== 'string') return each;
    const why = refused.get(each);
    return why === undefined ? { stored: each } : refusedAnswer(each, 'refused', why);
  });
}

async function answerJudge(
  context: RunContext,
  log: PlanLog,
): Promise<(answer: unknown) => Promise<Standing | Extract<Judged, { refused: unknown }>>> {
  const { plan } = log;
  const making = await questionMaking(context, plan);
  const flagged = new Map(flaggedGoals(plan, await log.events()).map((each) => [each.goal.id, each]));
  return async (answer) => {
    const parsed = answerSchema.safeParse(answer, IN_OUR_WORDS);
    if (!parsed.success) return malformedAnswer(answer, parsed.error);
    const { goal: name, question: named, kind: _kind, ...reply } = parsed.data;
    const goal = findGoal(plan, name);
    if (goal === null) return refusedAnswer(name, 'no_goal', 'the plan has no such goal; ask again');
    const about = flagged.get(goal.id);
    const asked = about === undefined ? undefined : await checkQuestion(plan, about, making);
    if (about === undefined || asked === undefined)
      return refusedAnswer(goal.id, 'late', 'the plan has changed since this was asked; ask again');
    const question = questionFingerprint(asked);
    if (named === undefined)
      return refusedAnswer(
        goal.id,
        'malformed',
        `$.question is missing: give "question":"${question}" if you answer the question as it is now`,
      );
    if (named !== question)
      return refusedAnswer(goal.id, 'late', 'the plan has changed since this was asked; ask again');
    const model = answeringModel(reply, making);
    const connection = await model.connect(undefined, () => undefined);
    const { signal } = new AbortController();
    const { answers } = await askAboutFindings(plan, [about], { ...connection, signal });
    const [checked] = answers;
    if (checked === undefined) return refusedAnswer(goal.id, 'malformed', model.faults.join('; '));
    return { question, checked };
  };
}
