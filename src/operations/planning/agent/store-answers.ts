import * as z from 'zod';

import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';
import type { EventPayload, PlanEvent } from '../../../plan/events.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import { goalOf, isWaiting, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, Settings, Warning } from '../../../plan/schema.js';
import { wordRefusal } from '../../../plan/refusals.js';
import { findGoal } from '../../../plan/tree.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import {
  answeredExpansion,
  answeredReplanning,
  expansionAnswerSchema,
} from '../../../planning/questions/expansion-answer.js';
import type { ExpansionAnswer } from '../../../planning/questions/expansion-answer.js';
import { asksForLinks, isLinkable, isLinkDue } from '../../../planning/link/link-due.js';
import { openQuestions } from '../../../planning/questions/open-questions.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { RunContext } from '../../operation.js';
import { movedOutOf } from '../../editing/replanning/moved-out.js';
import { newGoalIds } from '../../shared/new-goal-ids.js';
import { simulate } from '../../../plan/simulate.js';
import { timeNow } from '../../shared/environment.js';
import { refuseWhilePlanned } from '../run/planned-now.js';
import { formerDivision, restoredDivision } from './former-division.js';
import type { FormerDivision } from './former-division.js';
import { malformedAnswer, refusedAnswer } from './judged-answer.js';
import type { Judged, StoredActionPlan, StoredDigest, StoredLinks, RefusedAnswer } from './judged-answer.js';
import { storeOtherAnswer } from './other-answers.js';
import { agentSettings, QUESTION_KINDS } from './question-maker.js';
import type { QuestionKind } from './question-maker.js';
import { handOutsOf } from './questions-of-plan.js';

/** What became of answers. */
export interface StoredAnswers {
  readonly stored: readonly string[];
  readonly refused: readonly RefusedAnswer[];
  readonly warnings: readonly Warning[];
  /** The action plans that were stored, with the goal of each. */
  readonly actionPlans: readonly StoredActionPlan[];
  /** The digests that are there after answers of that kind. */
  readonly digests: readonly StoredDigest[];
  /** What answers about which goals need each other changed. */
  readonly links: readonly StoredLinks[];
}

interface Answering {
  /** Of answers that do not name their kind. */
  readonly kind: QuestionKind;
  readonly tools?: string | undefined;
  readonly by: string;
}

/** The kind of question that an answer says it is to; undefined where it says none. */
export function kindOfAnswer(answer: unknown): QuestionKind | undefined {
  const named = z.looseObject({ kind: z.enum(QUESTION_KINDS) }).safeParse(answer).data?.kind;
  if (named !== undefined) return named;
  if (z.looseObject({ told: z.unknown() }).safeParse(answer).success) return 'triage';
  return z.looseObject({ needs: z.unknown() }).safeParse(answer).success ? 'link' : undefined;
}

/**
 * Stores answers in order, each held to the plan as it is by then; those that divide goals come first. Whoever answers on
 * this machine does so one after the other, so that together they keep the limit of goals.
 * @throws PlanError PLANNER_BUSY while a process plans the plan; STORAGE_FAILED
 */
export async function storeAnswers(
  context: RunContext,
  log: PlanLog,
  answers: readonly unknown[],
  answering: Answering,
): Promise<StoredAnswers> {
  if (answers.length === 0)
    return { stored: [], refused: [], warnings: [], actionPlans: [], digests: [], links: [] };
  await refuseWhilePlanned(context, log.plan);
  return handOutsOf(context, log).alone(async () => {
    await log.refresh();
    const kindOf = (answer: unknown) => kindOfAnswer(answer) ?? answering.kind;
    const expansions = answers.filter((answer) => kindOf(answer) === 'expand');
    const divided =
      expansions.length === 0
        ? { stored: [], refused: [], warnings: [] }
        : await storeExpansions(context, log, expansions, answering.by);
    const checks = answers.filter((answer) => kindOf(answer) === 'check');
    const judged: Judged[] =
      checks.length === 0
        ? []
        : [
            ...(await (
              await import('./store-checks.js')
            ).storeCheckAnswers(context, log, checks, answering.by)),
          ];
    for (const answer of answers) {
      const kind = kindOf(answer);
      if (kind === 'expand' || kind === 'check') continue;
      judged.push(
        await storeOtherAnswer(context, log, {
          kind,
          subject: { tools: answering.tools },
          by: answering.by,
          answer,
        }),
      );
    }
    await log.publish('when_due');
    const others = sorted(judged);
    return {
      stored: [...divided.stored, ...others.stored],
      refused: [...divided.refused, ...others.refused],
      warnings: divided.warnings,
      actionPlans: others.actionPlans,
      digests: others.digests,
      links: others.links,
    };
  });
}

/** Judges every answer against the plan as those before it leave it, then writes all that stand together. */
async function storeExpansions(
  context: RunContext,
  log: PlanLog,
  answers: readonly unknown[],
  by: string,
): Promise<Omit<StoredAnswers, 'actionPlans' | 'digests' | 'links'>> {
  const settings = await agentSettings(context, log.plan);
  const at = timeNow(context.environment);
  const newGoalId = newGoalIds(context.environment, log.plan.header.id, (id) => log.plan.goals.has(id));
  const judged: (Judged | { readonly index: number })[] = [];
  const events: EventPayload[] = [];
  let plan = log.plan;
  /** Whether a goal is divided that was never before: what is divided anew leaves no question about the leaves. */
  let isFirst = false;
  for (const answer of answers) {
    const verdict = await judge(plan, answer, {
      settings,
      newGoalId,
      async before(goal) {
        const former = await formerDivision(context, log, goal.id);
        return { former, moved: former === null ? [] : await movedOutOf(log, goal) };
      },
    });
    if (!('event' in verdict)) {
      judged.push(verdict);
      continue;
    }
    const { event, named, former, moved } = verdict;
    const kept =
      former === null
        ? null
        : await keptFrom(plan, former, named, { goal: event.goal, settings, newGoalId, moved, by, at });
    const simulated = kept ?? simulate(plan, event, { by, at });
    if (simulated.refused !== null || simulated.plan === null) {
      const why =
        simulated.refused === null
          ? 'there is no plan'
          : wordRefusal(simulated.refused, (id) => namedGoal(log.plan, id));
      judged.push(refusedAnswer(event.goal, 'refused', why));
      continue;
    }
    ({ plan } = simulated);
    for (const one of kept?.events ?? [event]) events.push(one);
    isFirst ||= former === null;
    judged.push({ index: events.length - 1 });
  }
  for (const event of openQuestions(plan, settings).taken) {
    plan = simulate(plan, event, { by, at }).plan ?? plan;
    events.push(event);
  }
  // With every goal planned one question is left, which waits until it is answered.
  const isComparable = events.length > 0 && asksForLinks(settings) && isLinkable(plan);
  const isDue = isComparable && (isFirst || isLinkDue(await log.events()));
  if (isDue) events.push({ type: 'plan_paused', because: 'agent', left: 'link' });
  const outcomes = events.length === 0 ? [] : await log.append(events, by);
  const final = judged.map((each): Judged => {
    if (!('index' in each)) return each;
    const outcome = outcomes[each.index];
    const goal = outcome !== undefined && isAnswer(outcome.event) ? outcome.event.goal : '';
    if (outcome === undefined || outcome.refused === null) return { stored: goal };
    return late(outcome.before, outcome.before.goals.get(goal), goal);
  });
  const warnings = outcomes.flatMap(({ event, refused }) =>
    refused === null && isAnswer(event) ? (event.warnings ?? []) : [],
  );
  const { stored, refused } = sorted(final);
  return { stored, refused, warnings: isComparable && !isDue ? [...warnings, NOT_COMPARED] : warnings };
}

const NOT_COMPARED: Warning = {
  code: 'not_linked',
  goal_id: null,
  message: 'the new goals were not compared with the others; `plan dependencies link` does that',
};

function isAnswer(
  event: PlanEvent,
): event is Extract<PlanEvent, { type: 'goal_expanded' | 'goal_replanned' }> {
  return event.type === 'goal_expanded' || event.type === 'goal_replanned';
}

/**
 * An answer about a goal that was divided before, as events that give it its former sub-goals back and keep those that the
 * answer repeats; null where it repeats none, or they cannot be given back.
 */
async function keptFrom(
  plan: Plan,
  former: FormerDivision,
  answer: ExpansionAnswer,
  making: {
    readonly goal: string;
    readonly settings: Settings;
    readonly newGoalId: () => string;
    readonly moved: readonly Goal[];
    readonly by: string;
    readonly at: string;
  },
): Promise<{ readonly events: readonly EventPayload[]; readonly plan: Plan; readonly refused: null } | null> {
  const restored = restoredDivision(plan, former, making);
  if (restored === null) return null;
  const goal = goalOf(restored.plan, making.goal);
  const because = former.because === undefined ? {} : { because: former.because };
  const replanned = await answeredReplanning(restored.plan, goal, answer, { ...making, ...because });
  if (replanned === null) return null;
  const simulated = simulate(restored.plan, replanned, making);
  if (simulated.refused !== null || simulated.plan === null) return null;
  return { events: [restored.payload, replanned], plan: simulated.plan, refused: null };
}

/** What a goal had before, and what was moved out of it. */
interface Before {
  readonly former: FormerDivision | null;
  readonly moved: readonly Goal[];
}

async function judge(
  plan: Plan,
  answer: unknown,
  {
    before,
    ...making
  }: {
    readonly settings: Settings;
    readonly newGoalId: () => string;
    readonly before: (goal: Goal) => Promise<Before>;
  },
): Promise<
  | Judged
  | (Before & {
      readonly event: Extract<EventPayload, { type: 'goal_expanded' }>;
      readonly named: ExpansionAnswer;
    })
> {
  const parsed = expansionAnswerSchema.safeParse(answer, IN_OUR_WORDS);
  if (!parsed.success) return malformedAnswer(answer, parsed.error);
  const named: ExpansionAnswer = parsed.data;
  const goal = named.goal === '' ? rootOf(plan) : findGoal(plan, named.goal);
  if (goal === null)
    return refusedAnswer(named.goal, 'no_goal', `plan ${plan.header.id} has no such goal; ask again`);
  if (!isWaiting(goal)) return late(plan, goal, goal.id);
  const open = openQuestions(plan, making.settings).questions.find((each) => each.goal.id === goal.id);
  const had = await before(goal);
  const { moved } = had;
  const maxChildren = open?.maxChildren ?? 0;
  const answered = answeredExpansion(plan, goal, named, { ...making, moved, maxChildren });
  if ('event' in answered) return { ...answered, ...had, named };
  return refusedAnswer(goal.id, 'malformed', answered.faults.join('; '));
}

const MOST_SHOWN = 7;
const LONGEST_SHOWN = 80;

/** The refusal of an answer that came too late, with what is there. */
function late(plan: Plan, goal: Goal | undefined, id: string): { readonly refused: RefusedAnswer } {
  if (goal === undefined) return refusedAnswer(id, 'no_goal', 'the goal was removed meanwhile');
  const children = goal.child_ids
    .slice(0, MOST_SHOWN)
    .flatMap((child) => plan.goals.get(child)?.description ?? [])
    .map((text) => `“${truncate(oneLine(text), LONGEST_SHOWN)}”`);
  const stands =
    goal.child_ids.length > 0
      ? `it is divided into ${goal.child_ids.length}: ${children.join(', ')}`
      : goal.status === 'atomic'
        ? 'it was found atomic'
        : `it is ${goal.status}`;
  return refusedAnswer(id, 'late', `another answer came first; ${stands}`);
}

function sorted(judged: readonly Judged[]): Omit<StoredAnswers, 'warnings'> {
  return {
    stored: judged.flatMap((each) => ('stored' in each ? [each.stored] : [])),
    refused: judged.flatMap((each) => ('refused' in each ? [each.refused] : [])),
    actionPlans: judged.flatMap((each) =>
      'stored' in each && each.actionPlan !== undefined ? [each.actionPlan] : [],
    ),
    digests: judged.flatMap((each) => ('stored' in each && each.digest !== undefined ? [each.digest] : [])),
    links: judged.flatMap((each) => ('stored' in each && each.links !== undefined ? [each.links] : [])),
  };
}
