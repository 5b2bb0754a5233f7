import { isSameJson } from '../../../kernel/json/same-json.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { planFromFile } from '../../../plan/make-plan.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { missingResults } from '../../../plan/readiness/missing-results.js';
import type { Goal } from '../../../plan/schema.js';
import { repairPlanFile } from '../../../plan/snapshot/repair.js';
import { depthFirst, numbering } from '../../../plan/tree.js';
import { planFileOf } from '../imports/other-tool-plan.js';
import type { OtherToolPlan } from '../imports/other-tool-plan.js';
import { withLostLinks } from '../imports/repair-links.js';
import { detailAndResult } from '../result-section.js';
import { urgencyIn } from './original-fields.js';

/** A goal with what a comparison has to know of its plan. */
interface Told {
  readonly goal: Goal;
  /** Its priority, or that of the nearest goal above. */
  readonly urgency: number;
  /** What goals are called in both plans. */
  readonly nameOf: (id: string) => string;
  readonly missing: readonly string[];
  /** Whether what came of it is read apart from its detail, as it comes back once its parts are done. */
  readonly isApart: boolean;
}

const same = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** What a goal says, by what a warning calls it. A goal that has failed is to come back as failed, whatever holds it. */
const PARTS: Readonly<Record<string, (told: Told) => unknown>> = {
  descriptions: ({ goal }) => goal.description,
  details: ({ goal, isApart }) => same((isApart ? detailAndResult(goal).detail : goal.detail) ?? ''),
  criteria: ({ goal }) => (goal.acceptance ?? []).map(same).toSorted(),
  dependencies: ({ goal, nameOf }) => goal.dependencies.map(nameOf).toSorted(),
  reasons: ({ goal }) => goal.reasoning ?? '',
  sizes: ({ goal }) => goal.size,
  'places in documents': ({ goal }) => goal.source,
  'that it is done': ({ goal }) => goal.status === 'complete',
  'that it is to be divided': ({ goal }) => goal.status === 'pending',
  failures: ({ goal }) => goal.status === 'failed' || goal.failure !== undefined,
  'summaries of what was done': ({ goal, isApart }) =>
    same((isApart ? detailAndResult(goal).result : goal.digest?.summary) ?? ''),
  'decisions and artifacts': ({ goal: { digest } }) => [
    ...(digest?.key_decisions ?? []),
    ...(digest?.artifacts ?? []),
  ],
  'action plans': ({ goal }) => goal.action_plans ?? [],
  claims: ({ goal }) => goal.claim !== undefined,
  tags: ({ goal }) => [...new Set(goal.tags)].toSorted(),
  priorities: ({ urgency }) => urgency,
  holds: ({ goal }) => goal.on_hold?.reason,
  'ends of holds': ({ goal }) => new Date(goal.on_hold?.until ?? 0).getTime(),
  decisions: ({ goal, nameOf }) =>
    (goal.decisions ?? []).map(({ what, choice, confirmed, decided_by: by }) => [
      what,
      choice,
      confirmed === true,
      by === undefined || choice !== null ? '' : nameOf(by),
    ]),
  'results that no goal makes': ({ missing }) => missing.toSorted(),
  touches: ({ goal }) => goal.touches ?? [],
  checks: ({ goal }) => goal.checks,
  links: ({ goal }) => (goal.links ?? []).map(({ type, to }) => `${type} ${to}`).toSorted(),
};

/**
 * Returns what of a plan does not come back from what was written of it, in words: it is read as an import would read it, and
 * compared goal by goal.
 * @param read what the reader of the tool makes of the export
 * @param hasRoot whether the goal of the whole plan is a task of its own there
 */
export function lostParts(plan: Plan, read: OtherToolPlan | null, hasRoot: boolean): readonly string[] {
  const back = read === null ? null : planRead(read);
  if (back === null) return [`the plan (${quantityOf(plan.goals.size, 'goal')})`];
  const [only, ...others] = rootOf(back).child_ids;
  const isBelow = read?.top === undefined && hasRoot && only !== undefined && others.length === 0;
  const found = new Map<string, Goal[]>();
  const add = (name: string, goal: Goal) => {
    const goals = found.get(name) ?? [];
    found.set(name, goals);
    goals.push(goal);
  };
  const pairs = pairsOf(plan, back, isBelow ? goalOf(back, only) : rootOf(back), (goal) =>
    add('sub-goals', goal),
  );
  const names = new Map(Array.from(pairs, ([goal, other]) => [other.id, goal.id]));
  const before = tellerOf(plan, (id) => id);
  const after = tellerOf(back, (id) => names.get(id) ?? '');
  for (const [goal, other] of pairs) {
    const isApart = goal.said_done === true;
    const [was, is] = [
      { ...before(goal), isApart },
      { ...after(other), isApart },
    ];
    const isFailed = goal.status === 'failed';
    for (const [name, part] of Object.entries(PARTS))
      if (!(isFailed && name === 'holds') && !isSameJson(part(was), part(is))) add(name, goal);
  }
  const numberOf = numbering(plan);
  return Array.from(
    found,
    ([name, goals]) => `${name} (${quantityOf(goals.length, 'goal')}${named(goals.map(numberOf))})`,
  );
}

const MOST_NAMED = 5;

function named(numbers: readonly string[]): string {
  const more = numbers.length > MOST_NAMED ? ', …' : '';
  return `: ${numbers
    .slice(0, MOST_NAMED)
    .map((number) => number || 'root')
    .join(', ')}${more}`;
}

function planRead(read: OtherToolPlan): Plan | null {
  let count = 0;
  const newGoalId = () => `read-${(count += 1)}`;
  const { file } = planFileOf(read, { planId: 'read', newGoalId, at: new Date(0).toISOString() });
  const mended = repairPlanFile(file);
  return mended === null ? null : planFromFile(withLostLinks(file, mended, read.tool));
}

/** Returns what tells of each goal of a plan what is compared. */
function tellerOf(plan: Plan, nameOf: Told['nameOf']): (goal: Goal) => Omit<Told, 'isApart'> {
  const missing = new Map<string, string[]>();
  for (const { what, used_by } of missingResults(plan))
    for (const id of used_by) missing.set(id, [...(missing.get(id) ?? []), what]);
  const urgencyOf = urgencyIn(plan);
  return (goal) => ({
    goal,
    nameOf,
    missing: missing.get(goal.id) ?? [],
    urgency: urgencyOf(goal),
  });
}

const words = (all: readonly Goal[]) => all.map(({ description }) => oneLine(description).trim());

/** Each goal with the one that was read of it: that of the same words among as many siblings, else that of the same place. */
function pairsOf(
  plan: Plan,
  back: Plan,
  top: Goal,
  isOtherwise: (goal: Goal) => void,
): ReadonlyMap<Goal, Goal> {
  const pairs = new Map([[rootOf(plan), top]]);
  for (const { goal } of depthFirst(plan)) {
    const other = pairs.get(goal);
    if (other === undefined) continue;
    const children = goal.child_ids.map((id) => goalOf(plan, id));
    const left = other.child_ids.map((id) => goalOf(back, id));
    const [was, is] = [words(children), words(left)];
    const isMoved = isSameJson(was.toSorted(), is.toSorted()) && !isSameJson(was, is);
    if (was.length !== is.length || isMoved) isOtherwise(goal);
    for (const child of children) {
      const at = left.findIndex(({ description }) => description === child.description);
      const [found] = left.splice(Math.max(at, 0), 1);
      if (found !== undefined) pairs.set(child, found);
    }
  }
  return pairs;
}
