import type { Plan } from '../../plan/plan.js';
import type { FindingsTold } from './findings-schema.js';
import type { ReportedFinding } from './plan-findings.js';

/** A plan of more goals is judged by `plan check` alone: looking at it is to stay quick. */
const LARGEST_JUDGED = 300;
const FIRST = 3;

/**
 * Returns in short what looks wrong in a plan as it is, or about one goal of it; undefined where {@link quickFindings} has nothing.
 */
export async function findingsTold(plan: Plan, goal?: string): Promise<FindingsTold | undefined> {
  const found = (await quickFindings(plan)).filter(
    (each) => goal === undefined || each.goal === goal || each.goals.includes(goal),
  );
  if (found.length === 0) return undefined;
  const codes: Record<string, number> = {};
  for (const { code } of found) codes[code] = (codes[code] ?? 0) + 1;
  // What no goal makes is told for itself.
  const first = Object.keys(codes)
    .filter((code) => code !== 'MISSING_RESULT')
    .slice(0, FIRST)
    .flatMap((code) => found.find((each) => each.code === code) ?? []);
  return {
    total: found.length,
    codes,
    first: first.map(({ code, goal: about, number, message }) => ({ code, goal: about, number, message })),
  };
}

/**
 * Returns what looks wrong in a plan without its history, which has the choices that were replaced; nothing while planning goes on, for
 * a plan of more than 300 goals, and for a list of which nobody compared the leaves or said of any goal when it is done.
 */
export async function quickFindings(plan: Plan): Promise<readonly ReportedFinding[]> {
  if (plan.counts.pending > 0 || plan.counts.total > LARGEST_JUDGED) return [];
  const goals = [...plan.goals.values()];
  if (plan.header.linked === undefined && !goals.some(({ acceptance }) => acceptance !== undefined))
    return [];
  const { findingsOfPlan } = await import('./plan-findings.js');
  return findingsOfPlan(plan, []);
}
