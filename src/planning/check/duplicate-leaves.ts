import type { Goal } from '../../plan/schema.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

/** Stems that say that something is made, whatever it is. */
const MAKING = new Set(
  'write creat add build implement set setup make develop prepar produc do defin design'.split(' '),
);
/** Stems of what many parts of a plan have one of each. */
const COMMON = new Set(
  (
    'test unit integr end document doc readm data model schema api ui ux page endpoint code plan report review draft ' +
    'content list text result interfac eror handl config configur environ deploy releas final version user valid ' +
    'featur video leson quiz chapter section figur tabl imag budget team meet email invit setup script tool service ' +
    'servic server client modul compon function class basic main first second part step next new updat run check ' +
    'fix change support requir spec analys research record edit publish overview introduct sumari exampl exercis'
  ).split(' '),
);
const FEWEST = 2;
/** So many goals of the same words are a pattern, and not one result made twice. */
const PATTERN_FROM = 4;

/** Finds leaves of different parts that have the same result. */
export function duplicateLeaves(checked: CheckedPlan): readonly JudgementFinding[] {
  const groups = new Map<string, Goal[]>();
  for (const leaf of leavesWithDone(checked)) {
    const stems = [...checked.stemsOf(leaf.description)].filter((stem) => !MAKING.has(stem));
    if (stems.length < FEWEST || stems.every((stem) => COMMON.has(stem) || /^\d+$/u.test(stem))) continue;
    const key = stems.toSorted().join(' ');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [leaf]);
    else known.push(leaf);
  }
  const repeated = [...groups.values()].filter((group) => new Set(group.map(parentOf)).size > 1);
  const shared = sharedByParents(repeated);
  return repeated.flatMap((group) => {
    if (group.length >= PATTERN_FROM) return [];
    const [first, ...others] = group;
    if (first === undefined || group.every(({ status }) => status === 'complete')) return [];
    const same = others.filter(
      (other) =>
        parentOf(first) !== parentOf(other) &&
        (shared.get(pairOf(first, other)) ?? 0) < 2 &&
        !areParallel(checked, first, other) &&
        !follows(first, other),
    );
    if (same.length === 0) return [];
    const named = same.map(checked.named).join(', ');
    return {
      code: 'DUPLICATE_LEAF' as const,
      goal: first.id,
      goals: same.map(({ id }) => id),
      message: `${checked.named(first)} has the same result as ${named}`,
      hint: `Keep one: plan remove ${checked.numberOf(same[0] ?? first)}, and have what needs it depend on ${checked.numberOf(first)}`,
    };
  });
}

/** What is done already is not to be made again. */
function leavesWithDone({ plan, leaves }: CheckedPlan): readonly Goal[] {
  const done = [...plan.goals.values()].filter(
    ({ status, child_ids }) => status === 'complete' && child_ids.length === 0,
  );
  return [...leaves, ...done];
}

const parentOf = ({ parent_id }: Goal): string => parent_id ?? '';

function pairOf(one: Goal, other: Goal): string {
  return [parentOf(one), parentOf(other)].toSorted().join(' ');
}

/** How many results two parts have in common: parts with several are made to one pattern, as the lessons of a course. */
function sharedByParents(groups: readonly (readonly Goal[])[]): ReadonlyMap<string, number> {
  const shared = new Map<string, number>();
  for (const group of groups) {
    if (group.length >= PATTERN_FROM) continue;
    const pairs = new Set(group.flatMap((one, at) => group.slice(at + 1).map((other) => pairOf(one, other))));
    for (const pair of pairs) shared.set(pair, (shared.get(pair) ?? 0) + 1);
  }
  return shared;
}

/** Whether the parts that two leaves are of are told in mostly the same words, as “Week 1 of the course” and “Week 2 of the course”. */
function areParallel({ plan, stemsOf }: CheckedPlan, one: Goal, other: Goal): boolean {
  const [a = [], b = []] = [one, other].map((goal) =>
    [...stemsOf(plan.goals.get(parentOf(goal))?.description ?? '')].filter(
      (stem) => !MAKING.has(stem) && !/^\d+$/u.test(stem),
    ),
  );
  const common = a.filter((stem) => b.includes(stem)).length;
  return common > 0 && common * 3 >= Math.max(a.length, b.length) * 2;
}

/** Whether one comes right after the other, or says so: then it is done again on purpose. */
function follows(one: Goal, other: Goal): boolean {
  if (one.dependencies.includes(other.id) || other.dependencies.includes(one.id)) return true;
  return [one, other].some(({ description }) => /\b(?:again|once more|repeat)/iu.test(description));
}
