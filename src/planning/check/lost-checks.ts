import type { Goal } from '../../plan/schema.js';
import { goalOf } from '../../plan/plan.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

/** A check of fewer words says too little to be looked for. */
const FEWEST_STEMS = 3;
/** Of a check such a share is to be found in one goal below, or such a share in all of them together. */
const IN_ONE = 0.5;
const IN_ALL = 0.67;
/** Goals below one that are looked at; where there are more, nothing is said. */
const MOST_BELOW = 300;

/** Finds checks of divided goals that no goal below repeats, so that nobody makes them. */
export function lostChecks(checked: CheckedPlan): readonly JudgementFinding[] {
  if (!checked.isEnglish) return [];
  return checked.open
    .filter(({ child_ids, acceptance = [] }) => child_ids.length > 0 && acceptance.length > 0)
    .flatMap((goal) => {
      const below = goalsBelow(checked, goal);
      if (below === null) return [];
      const texts = below.map((each) => stemsOfGoal(checked, each));
      return (goal.acceptance ?? [])
        .filter((check) => isLost(checked.stemsOf(check), texts))
        .map((check) => ({
          code: 'LOST_CHECK' as const,
          goal: goal.id,
          goals: [],
          message: `no goal below ${checked.named(goal)} has its check “${check}”`,
          hint: 'Give it to the goal below that makes it true: plan edit GOAL --acceptance "…"',
        }));
    });
}

function isLost(check: ReadonlySet<string>, texts: readonly ReadonlySet<string>[]): boolean {
  if (check.size < FEWEST_STEMS) return false;
  const shareIn = (has: (stem: string) => boolean) => [...check].filter(has).length / check.size;
  if (texts.some((text) => shareIn((stem) => text.has(stem)) >= IN_ONE)) return false;
  return shareIn((stem) => texts.some((text) => text.has(stem))) < IN_ALL;
}

/** The goals below one; null where there are too many, or some still wait to be divided and may yet have the check. */
function goalsBelow({ plan }: CheckedPlan, top: Goal): readonly Goal[] | null {
  const found: Goal[] = [];
  const stack = [...top.child_ids];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const goal = goalOf(plan, id);
    if (found.push(goal) > MOST_BELOW || goal.status === 'pending') return null;
    for (const child of goal.child_ids) stack.push(child);
  }
  return found;
}

function stemsOfGoal({ stemsOf }: CheckedPlan, goal: Goal): ReadonlySet<string> {
  const { description, detail = '', acceptance = [] } = goal;
  return new Set([description, detail, ...acceptance].flatMap((text) => [...stemsOf(text)]));
}
