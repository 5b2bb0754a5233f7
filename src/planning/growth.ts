import { isWaiting } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Settings } from '../plan/schema.js';
import { quantityOf } from '../kernel/text/quantity-of.js';

/** The ends of a range, and what lies between. */
export interface Range {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

export type Scenario = keyof Range;

/** What a question about many goals at once is expected to take. */
export interface QuestionEstimate {
  readonly calls: Range;
  readonly input_tokens: Range;
  readonly output_tokens: Range;
}

/** How a plan goes on growing, in one scenario. */
export interface Growth {
  /** Sub-goals of a goal that is divided. */
  readonly children: number;
  /** Share of the goals of a level that are divided further. */
  readonly divided: (depth: number) => number;
}

/** How plans of this kind have grown before. */
export interface OtherPlans {
  readonly plans: number;
  /** Goals that were divided, in each plan, smallest first. */
  readonly divided: readonly number[];
  /** Sub-goals of a divided goal, on average. */
  readonly children: number;
}

/** Goals of a level that must have been judged before its share counts. */
const ENOUGH_JUDGED = 4;
const ENOUGH_DIVIDED = 2;
/** 80 % of cases lie within so many standard deviations. */
const Z = 1.28;
/** Without any history: the share of the first level that is divided further, and how it falls from level to level. */
const FIRST_LEVEL: Range = { low: 0.3, likely: 0.6, high: 1 };
const FALL: Range = { low: 0.25, likely: 0.5, high: 0.75 };
const CHILDREN: Range = { low: 3, likely: 5, high: 7 };

/** What a plan's own goals, or else other plans, or else nothing but experience, say of how it goes on. */
export function growthOf(
  plan: Plan,
  { max_children }: Settings,
  others: OtherPlans | null,
): { readonly scenarios: Readonly<Record<Scenario, Growth>>; readonly assumptions: readonly string[] } {
  const levels = judgedLevels(plan);
  const children = childrenOf(plan, max_children, others);
  const known = [...levels].filter(([, { judged }]) => judged >= ENOUGH_JUDGED).map(([depth]) => depth);
  const divided = (scenario: Scenario) => (depth: number) => shareAt(depth, levels, scenario);
  const growth = (scenario: Scenario): Growth => ({
    children: Math.min(max_children, children.range[scenario]),
    divided: divided(scenario),
  });
  return {
    scenarios: { low: growth('low'), likely: growth('likely'), high: growth('high') },
    assumptions: [
      `a divided goal gets ${shown(children.range)} sub-goals (${children.from})`,
      known.length === 0
        ? `${percent(FIRST_LEVEL)} of the first level are divided further, and from level to level ${percent(FALL)} of the share before (no history)`
        : `how many goals are divided further is taken from this plan for level ${known.sort((a, b) => a - b).join(', ')}; below, ${percent(FALL)} of the share before`,
    ],
  };
}

interface Level {
  readonly judged: number;
  readonly divided: number;
}

function judgedLevels(plan: Plan): ReadonlyMap<number, Level> {
  const levels = new Map<number, Level>();
  for (const goal of plan.goals.values()) {
    // What a document says is no judgement of a model's.
    if (goal.status === 'pending' || goal.source !== undefined || goal.depth === 0) continue;
    const { judged, divided } = levels.get(goal.depth) ?? { judged: 0, divided: 0 };
    const inner = goal.child_ids.length > 0 || isWaiting(goal) ? 1 : 0;
    levels.set(goal.depth, { judged: judged + 1, divided: divided + inner });
  }
  return levels;
}

function shareAt(depth: number, levels: ReadonlyMap<number, Level>, scenario: Scenario): number {
  if (depth <= 0) return 1;
  const level = levels.get(depth);
  if (level !== undefined && level.judged >= ENOUGH_JUDGED) return wilson(level)[scenario];
  if (depth === 1) return FIRST_LEVEL[scenario];
  return shareAt(depth - 1, levels, scenario) * FALL[scenario];
}

/** The share with the ends of its Wilson interval. */
function wilson({ judged, divided }: Level): Range {
  const share = divided / judged;
  const scale = 1 + (Z * Z) / judged;
  const middle = (share + (Z * Z) / (2 * judged)) / scale;
  const reach = (Z / scale) * Math.sqrt((share * (1 - share)) / judged + (Z * Z) / (4 * judged * judged));
  return { low: Math.max(0, middle - reach), likely: share, high: Math.min(1, middle + reach) };
}

function childrenOf(
  plan: Plan,
  most: number,
  others: OtherPlans | null,
): { readonly range: Range; readonly from: string } {
  const counts = [...plan.goals.values()]
    .filter(({ child_ids, source }) => child_ids.length > 0 && source === undefined)
    .map(({ child_ids }) => child_ids.length)
    .sort((a, b) => a - b);
  if (counts.length >= ENOUGH_DIVIDED) {
    const likely = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const at = (share: number): number => counts[Math.floor(share * (counts.length - 1))] ?? likely;
    const range = { low: Math.min(at(0.25), likely), likely, high: Math.max(at(0.75), likely) };
    return { range, from: `as ${quantityOf(counts.length, 'goal')} of this plan` };
  }
  if (others !== null) {
    const { children, plans } = others;
    return {
      range: { low: children * 0.75, likely: children, high: Math.min(most, children * 1.25) },
      from: `as in ${plans} other plans of this store`,
    };
  }
  return { range: { ...CHILDREN, high: Math.max(CHILDREN.likely, Math.min(most, 10)) }, from: 'no history' };
}

function shown({ low, high }: Range): string {
  return low === high ? tenths(low) : `${tenths(low)} to ${tenths(high)}`;
}

function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function percent({ low, high }: Range): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}
