import { expect, test } from 'vitest';

import { leafClosure } from '../../../src/planning/link/leaf-closure.js';
import { linkChanges } from '../../../src/planning/link/link-changes.js';
import { readNeeds } from '../../../src/planning/link/link-needs.js';
import { MOST_LEAVES, numberedLeaves } from '../../../src/planning/link/link-question.js';
import { tolerantLinkReplySchema } from '../../../src/planning/link/link-reply.js';
import type { Plan } from '../../../src/plan/plan.js';
import { accepted, after, child, created, id } from '../../support/applying.js';

const PARTS = 10;
const EACH = MOST_LEAVES / PARTS;

/** As many leaves as one question holds, in parts that wait for each other, and the waits that planning made. */
function largest() {
  const planned = new Set<string>();
  const names = Array.from({ length: PARTS }, (_, part) => `part${part}`);
  const parts = names.map((name, part) => {
    const before = part === 0 ? [] : [id(`part${part - 1}`)];
    for (const on of before) planned.add(`${id(name)} ${on}`);
    return child(name, { atomic: false, dependencies: before });
  });
  const divided = names.map((name, part) => ({
    ...expanded(
      name,
      Array.from({ length: EACH }, (_, leaf) => child(`leaf${part}x${leaf}`)),
    ),
  }));
  const plan = after(created(), expanded('root', parts), ...divided);
  return { plan, planned };
}

function expanded(goal: string, sub_goals: ReturnType<typeof child>[]) {
  return { type: 'goal_expanded' as const, goal: id(goal), atomic: false, reasoning: null, sub_goals };
}

function linked(plan: Plan, planned: ReadonlySet<string>, needs: unknown) {
  const goals = new Map(numberedLeaves(plan).map(({ goal, number }) => [number, goal.id]));
  const reply = tolerantLinkReplySchema.parse({ needs, missing: [] });
  return linkChanges(plan, reply, { goals, planned });
}

const { plan, planned } = largest();
const numbers = numberedLeaves(plan).map(({ number }) => number);
const all = (on: (index: number) => readonly string[]) =>
  numbers.map((goal, index) => ({ goal, on: on(index) }));

test.each([
  ['that each leaf needs each other', all((index) => numbers.filter((_, other) => other !== index))],
  ['that each leaf needs all before it', all((index) => numbers.slice(0, index))],
  ['that each leaf needs all after it', all((index) => numbers.slice(index + 1))],
  ['that all leaves are one chain', all((index) => numbers.slice(Math.max(0, index - 1), index))],
  ['that all leaves are one chain, backwards', all((index) => numbers.slice(index + 1, index + 2))],
  ['that all leaves are one ring', all((index) => [numbers[(index + 1) % numbers.length] ?? ''])],
])(
  'a reply about as many leaves as a question holds says %s: nothing changes, and that is told',
  (_, needs) => {
    const { event, notices } = linked(plan, planned, needs);
    expect(event.changes).toEqual([]);
    expect(notices.join()).toMatch(/nearly every leaf after nearly every other|more than 10 a leaf/);
  },
);

test('whatever a reply says, no leaf waits for itself, and what cannot be believed is told', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 10; round += 1) {
    const some = numbers.filter(() => random(2) === 0);
    const needs = some.map((goal) => ({
      goal,
      on: Array.from({ length: random(4) }, () =>
        random(8) === 0 ? `${random(99)}.${random(99)}` : (numbers[random(numbers.length)] ?? ''),
      ),
    }));
    const made = linked(plan, planned, needs);
    const is = accepted(plan, made.event);
    const { before, indexOf, orderedShare } = leafClosure(is);
    for (const { goal } of numberedLeaves(is)) expect(before(indexOf(goal.id), indexOf(goal.id))).toBe(false);
    // Half of the leaves say nothing, so no wait between whole parts may go.
    expect(made.replaced).toEqual([]);
    // What is not followed is told: here there are always leaves that are not in the plan.
    expect(made.notices).not.toEqual([]);
    // No more of all pairs than an answer is believed that orders them, or than were before.
    expect(orderedShare).toBeLessThanOrEqual(Math.max(0.8, leafClosure(plan).orderedShare));
  }
});

test('a number with a point that may mean two goals means neither, and that is told', () => {
  const goals = new Map(numberedLeaves(plan).map(({ goal, number }) => [number, goal.id]));
  const read = (needs: unknown) => readNeeds(tolerantLinkReplySchema.parse({ needs, missing: [] }), goals);
  expect([goals.has('2.1'), goals.has('2.10'), goals.has('2.2')]).toEqual([true, true, true]);
  const { needs, unknown } = read([{ goal: 3.2, on: [2.1, 2.2] }]);
  expect([...needs]).toEqual([[goals.get('3.2'), new Set([goals.get('2.2')])]]);
  expect(unknown).toBe(1);
  expect([...read([{ goal: '3.2', on: ['2.1'] }]).needs.values()]).toEqual([new Set([goals.get('2.1')])]);
});

test('numbers with words behind them, and several in one text, are read; where it is not plain how many are meant, none is', () => {
  const goals = new Map(numberedLeaves(plan).map(({ goal, number }) => [number, goal.id]));
  const read = (on: unknown) =>
    readNeeds(tolerantLinkReplySchema.parse({ needs: { '[3.2] Dry': on } }), goals);
  const named = (...numbered: readonly string[]) => [
    [goals.get('3.2'), new Set(numbered.map((number) => goals.get(number)))],
  ];
  for (const on of [['2.1 Mow the lawn'], ['2.1: Mow', '[2.1]', '2.1.'], '2.1', ['2.1)']])
    expect([[...read(on).needs], read(on).unknown]).toEqual([named('2.1'), 0]);
  expect([...read('2.1, 2.3; 1.4').needs]).toEqual(named('2.1', '2.3', '1.4'));
  for (const needs of [{ '3.2': null }, [{ goal: '3.2' }]])
    expect([...readNeeds(tolerantLinkReplySchema.parse({ needs }), goals).needs]).toEqual(named());
  for (const on of [['2.1 and 2.3'], ['none'], ['2.1a']])
    expect([[...read(on).needs], read(on).unknown]).toEqual([named(), 1]);
});
