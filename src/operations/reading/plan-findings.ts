import * as z from 'zod';

import {
  checkDependencies,
  DEPENDENCY_CODES,
  findingInWords,
} from '../../plan/dependencies/check-dependencies.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { numbering } from '../../plan/tree.js';
import { judgePlan } from '../../planning/check/check-plan.js';
import type { FlaggedGoal } from '../../planning/check/ask-about-findings.js';
import { JUDGEMENT_CODES } from '../../planning/check/finding.js';
import { linkedOfPlan } from './report-links.js';

/** All that `plan check` may find. */
export const CODES = [...JUDGEMENT_CODES, ...DEPENDENCY_CODES] as const;

/** What looks wrong in a plan, as reports have it. */
export const findingSchema = z
  .object({
    code: z.enum(CODES),
    goal: z.string().describe('The goal that it is about.'),
    number: z.string().describe('Its number; empty for the root.'),
    goals: z.array(z.string()).readonly().describe('The other goals that are meant.'),
    message: z.string().describe('The finding in words.'),
    hint: z.string().describe('What may be done about it.'),
  })
  .readonly();

export type ReportedFinding = z.output<typeof findingSchema>;
type Finding = Omit<ReportedFinding, 'number'>;

/** Finds all that looks wrong in a plan. @param events the plan's history, which has choices that were replaced */
export function findingsOfPlan(plan: Plan, events: readonly PlanEvent[]): readonly ReportedFinding[] {
  const numberIn = numbering(plan);
  return [...judgePlan(plan, events), ...missing(plan), ...ofDependencies(plan)].flatMap((finding) => {
    const goal = plan.goals.get(finding.goal);
    return goal === undefined ? [] : [{ ...finding, number: numberIn(goal) }];
  });
}

/** What better words of the goal itself may mend. */
const IN_WORDS: ReadonlySet<string> = new Set([
  'DUPLICATE_LEAF',
  'VAGUE_LEAF',
  'NO_CHECK',
  'CIRCULAR_CHECK',
  'JOINED_RESULTS',
  'LOST_CHECK',
  'STALE_DECISION',
]);

/** Returns the open goals in whose words something looks wrong, each with what. */
export function flaggedGoals(plan: Plan, events: readonly PlanEvent[]): readonly FlaggedGoal[] {
  const flagged = new Map<string, string[]>();
  for (const { code, goal, goals, message } of findingsOfPlan(plan, events)) {
    if (!IN_WORDS.has(code)) continue;
    // What most goals lack is one finding about all of them.
    const about = code === 'NO_CHECK' && goals.length > 0 ? goals : [goal];
    const words = about === goals ? 'nothing says when it is done' : message;
    for (const id of about) flagged.set(id, [...(flagged.get(id) ?? []), `${code}: ${words}`]);
  }
  return [...flagged].flatMap(([id, findings]) => {
    const goal = plan.goals.get(id);
    return goal === undefined || goal.status === 'complete' ? [] : [{ goal, findings }];
  });
}

const MEANT_BY_LINKS: ReadonlySet<string> = new Set(['REDUNDANT', 'ON_LATER']);

function missing(plan: Plan): readonly Finding[] {
  return (linkedOfPlan(plan)?.missing ?? []).flatMap(({ code, what, used_by, command }) => {
    const [first, ...others] = used_by;
    if (first === undefined) return [];
    const users = used_by.map(({ number }) => number).join(', ');
    return {
      code,
      goal: first.goal,
      goals: others.map(({ goal }) => goal),
      message: `no goal makes ${what}, which ${users} ${others.length === 0 ? 'uses' : 'use'}`,
      hint: `${command} adds one; the goals that use it are to depend on it`,
    };
  });
}

/**
 * Returns what looks wrong in the dependencies. The link pass names each result that a leaf uses, also one that comes first anyway or is
 * made by a later number: in a plan that it has been through both say something, and are left to `plan dependencies check`.
 */
function ofDependencies(plan: Plan): readonly Finding[] {
  const isLinked = linkedOfPlan(plan) !== undefined;
  const found = checkDependencies(plan).filter(({ code }) => !isLinked || !MEANT_BY_LINKS.has(code));
  return found.map((finding) => ({
    code: finding.code,
    goal: finding.goal,
    goals: [
      ...new Set([...(finding.depends_on === null ? [] : [finding.depends_on]), ...finding.path]),
    ].filter((id) => id !== finding.goal),
    message: findingInWords(plan, finding),
    hint:
      finding.code === 'REDUNDANT'
        ? 'plan dependencies check --apply takes it away'
        : 'plan depend GOAL --not-on GOAL takes a wait away',
  }));
}
