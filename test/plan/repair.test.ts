import { expect, test } from 'vitest';

import { beadsPlan } from '../../src/features/interop/imports/beads-plan.js';
import { gitHubPlan } from '../../src/features/interop/imports/github-plan.js';
import { planFileOf } from '../../src/features/interop/imports/other-tool-plan.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import type { PlanFile } from '../../src/plan/schema.js';
import { repairPlanFile } from '../../src/plan/snapshot/repair.js';
import { tooMuchGrowth } from '../support/patterns/growth.js';

type Ends = readonly [string, string];

/** A file of tasks named by numbers from 0, each with its parent, and who waits for whom. */
function fileOf(count: number, parentOf: (at: number) => number | null, waits: readonly Ends[]): PlanFile {
  const blocks = new Map<string, string[]>();
  for (const [goal, on] of waits) blocks.set(goal, [...(blocks.get(goal) ?? []), on]);
  const lines = Array.from({ length: count }, (_, at) => {
    const parent = parentOf(at);
    const dependencies = [
      ...(parent === null ? [] : [{ depends_on_id: String(parent), type: 'parent-child' }]),
      ...(blocks.get(String(at)) ?? []).map((on) => ({ depends_on_id: on, type: 'blocks' })),
    ];
    return JSON.stringify({ id: String(at), title: `task ${at}`, dependencies });
  });
  return fileOfPlan(beadsPlan(lines.join('\n')));
}

function fileOfPlan(plan: ReturnType<typeof beadsPlan>): PlanFile {
  if (plan === null) throw new Error('no plan');
  let made = 0;
  const newGoalId = () => `0398a958-g${made++}`;
  return planFileOf(plan, { planId: '0398a958', newGoalId, at: '2026-01-01T00:00:00.000Z' }).file;
}

/** Who waits for whom in a repaired file. */
function waitsAfter(file: PlanFile): readonly Ends[] {
  const repaired = repairPlanFile(file);
  if (repaired === null) throw new Error('not repaired');
  expect(checkInvariants(repaired)).toEqual([]);
  return Object.values(repaired.goals)
    .flatMap(({ id, dependencies }) => dependencies.map((on): Ends => [numberOf(id), numberOf(on)]))
    .toSorted(byName);
}

const numberOf = (id: string) => id.replace(/^.*-g/, '');
const byName = (one: readonly unknown[], other: readonly unknown[]) =>
  String(one).localeCompare(String(other));
const onTheRoot = () => null;

test('a circle is opened at one place, and what is not on it is left as it was', () => {
  const around: readonly Ends[] = [
    ['0', '1'],
    ['1', '2'],
    ['2', '0'],
  ];
  const beside: readonly Ends[] = [
    ['2', '3'],
    ['4', '0'],
  ];
  // The last of the list comes first; its other dependency, which is the last that it has, stays.
  expect(waitsAfter(fileOf(5, onTheRoot, [...around, ...beside]))).toEqual([
    ['0', '1'],
    ['1', '2'],
    ['2', '3'],
    ['4', '0'],
  ]);
});

test('a circle by way of parts is opened, and dependencies on relatives go', () => {
  const parents = [null, 0, 1, null, 3];
  const waits: readonly Ends[] = [
    ['2', '0'],
    ['0', '2'],
    ['2', '3'],
    ['4', '0'],
  ];
  expect(waitsAfter(fileOf(5, (at) => parents[at] ?? null, waits))).toHaveLength(1);
});

test('goals that all wait for each other keep every dependency that leads one way', () => {
  const all = Array.from({ length: 40 }, (_, at) => String(at));
  const waits = all.flatMap((goal) => all.map((on): Ends => [goal, on]));
  expect(waitsAfter(fileOf(40, onTheRoot, waits))).toHaveLength((40 * 39) / 2);
});

test('parents in a circle are opened at the first, and all else stays below its parent', () => {
  const file = fileOf(4, onTheRoot, []);
  const goalOf = (at: number) => Object.values(file.goals).find(({ id }) => id === `0398a958-g${at}`);
  const parents = [1, 2, 0, 2];
  const goals = Object.values(file.goals).map((goal) => {
    const parent = goal.parent_id === null ? undefined : parents[Number(numberOf(goal.id))];
    return parent === undefined ? goal : { ...goal, parent_id: goalOf(parent)?.id ?? null };
  });
  const repaired = repairPlanFile({
    ...file,
    goals: Object.fromEntries(goals.map((goal) => [goal.id, goal])),
  });
  const after = Object.values(repaired?.goals ?? {}).map(({ id, parent_id }) => [numberOf(id), parent_id]);
  expect(after.toSorted(byName)).toEqual([
    ['0', file.root_goal_id],
    ['0398a958-root', null],
    ['1', '0398a958-g2'],
    ['2', '0398a958-g0'],
    ['3', '0398a958-g2'],
  ]);
});

/** Files whose links cannot all stand, of any length. */
const TANGLED: Readonly<Record<string, (count: number) => PlanFile>> = {
  'a chain of parts that wait for those above and below': (count) =>
    fileOf(
      count,
      (at) => (at === 0 ? null : at - 1),
      Array.from({ length: count }, (_, at): Ends => [String(at), String((at * 13) % count)]),
    ),
  'pairs that wait for each other': (count) =>
    fileOf(
      count,
      onTheRoot,
      Array.from({ length: count }, (_, at): Ends => [String(at), String(at ^ 1)]),
    ),
  'a ring with shorter ways around': (count) =>
    fileOf(
      count,
      onTheRoot,
      Array.from({ length: count }, (_, at): readonly Ends[] => [
        [String(at), String((at + 1) % count)],
        [String(at), String((at * 7) % count)],
      ]).flat(),
    ),
  'issues that are parts of each other and wait for others': (count) =>
    fileOfPlan(
      gitHubPlan(
        Array.from({ length: count }, (_, at) => ({
          number: at + 1,
          title: `task ${at}`,
          body: `- [ ] #${((at + 1) % count) + 1}\n- [ ] #${((at * 7) % count) + 1}\n\nBlocked by #${((at * 13) % count) + 1}`,
        })),
      ),
    ),
};

// What grows too much does so each time.
test.each(Object.entries(TANGLED))(
  '%s are read and repaired in no longer than the file grows',
  { retry: 2 },
  (_what, make) => {
    expect(tooMuchGrowth((count) => repairPlanFile(make(count)), { from: 250, to: 1000 })).toBeUndefined();
  },
);
