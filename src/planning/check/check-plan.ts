import { contentStems } from '../../kernel/text/content-stems.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import { inQuotes } from '../../plan/goal-in-words.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { depthFirst } from '../../plan/tree.js';
import { missingClosingCheck } from './closing-check.js';
import { duplicateLeaves } from './duplicate-leaves.js';
import { MOST_TEXT } from './finding.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';
import { joinedResults } from './joined-results.js';
import { lostChecks } from './lost-checks.js';
import { goalsHolding, staleDecisions } from './stale-decisions.js';
import type { ReplacedChoice } from './stale-decisions.js';
import { vagueLeaves } from './vague-leaves.js';
import { circularChecks, uncheckedLeaves } from './weak-checks.js';
import { wideWaits } from './wide-waits.js';

const ENGLISH = /\b(?:the|and|of|with|for|to|from|a|an)\b/iu;
/** Such a share of the goals that are looked at has an English word that every English text has. */
const ENGLISH_SHARE = 0.3;
const LONGEST_MESSAGE = 400;

/**
 * Finds what looks wrong in a plan, without a model: of each kind depth-first. A finding is for somebody to judge.
 * @param events the plan's history, which has choices that were replaced
 */
export function judgePlan(plan: Plan, events: readonly PlanEvent[]): readonly JudgementFinding[] {
  const checked = checkedPlan(plan);
  const found = [
    ...duplicateLeaves(checked),
    ...vagueLeaves(checked),
    ...uncheckedLeaves(checked),
    ...circularChecks(checked),
    ...joinedResults(checked),
    ...lostChecks(checked),
    ...staleDecisions(checked, events),
    ...wideWaits(checked),
    ...missingClosingCheck(checked),
  ];
  return found.map(inBounds);
}

/** Finds the goals that hold a choice which was just replaced. */
export function judgeChoice(plan: Plan, replaced: ReplacedChoice): readonly JudgementFinding[] {
  return goalsHolding(checkedPlan(plan), replaced).map(inBounds);
}

function inBounds(finding: JudgementFinding): JudgementFinding {
  return { ...finding, message: truncate(oneLine(finding.message), LONGEST_MESSAGE) };
}

function checkedPlan(plan: Plan): CheckedPlan {
  const all = [...depthFirst(plan)];
  const numbers = new Map(all.map(({ goal, number }) => [goal.id, number === '' ? 'root' : number]));
  const open = all.map(({ goal }) => goal).filter(({ status }) => status !== 'complete');
  const known = new Map<string, ReadonlySet<string>>();
  const numberOf: CheckedPlan['numberOf'] = ({ id }) => numbers.get(id) ?? id;
  const leaves = open.filter(
    ({ child_ids, status, failure }) =>
      child_ids.length === 0 && (status === 'atomic' || failure?.phase === 'work'),
  );
  const english = open.filter(({ description }) => ENGLISH.test(description.slice(0, MOST_TEXT))).length;
  return {
    plan,
    open,
    leaves,
    numberOf,
    named: (goal) => `${numberOf(goal)} ${inQuotes(goal.description.slice(0, MOST_TEXT))}`,
    stemsOf(text) {
      const stems = known.get(text) ?? new Set(contentStems(text.slice(0, 4 * MOST_TEXT)));
      known.set(text, stems);
      return stems;
    },
    isEnglish: english >= open.length * ENGLISH_SHARE,
  };
}
