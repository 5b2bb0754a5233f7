import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { goalOf } from '../../../src/plan/plan.js';
import type { PlanEvent } from '../../../src/plan/events.js';
import type { Plan } from '../../../src/plan/plan.js';
import { leafClosure } from '../../../src/planning/link/leaf-closure.js';
import { linkChanges } from '../../../src/planning/link/link-changes.js';
import { linkQuestion, numberedLeaves } from '../../../src/planning/link/link-question.js';
import { tolerantLinkReplySchema } from '../../../src/planning/link/link-reply.js';
import { plannedWaits } from '../../../src/planning/link/planned-waits.js';
import { loadPrompts } from '../../../src/llm/prompts.js';
import { accepted, after, child, created, goalAt, id } from '../../support/applying.js';
import { readFixture } from '../../support/plans.js';
import { idOfNumber, planOfLeaves, readLeaves } from '../../support/listed-plan.js';

const goalsOf = (plan: Plan) => new Map(numberedLeaves(plan).map(({ goal, number }) => [number, goal.id]));

/** A plan of two parts, 1 and 2, the second of which waits for the first as a whole, and the waits that planning made. */
function twoParts() {
  const parts = [child('p', { atomic: false }), child('q', { atomic: false, dependencies: [id('p')] })];
  const plan = after(
    created(),
    { ...expandedEvent('root', parts) },
    { ...expandedEvent('p', [child('a'), child('b', { dependencies: [id('a')] })]) },
    { ...expandedEvent('q', [child('c'), child('d'), child('e')]) },
  );
  return { plan, planned: new Set([`${id('q')} ${id('p')}`, `${id('b')} ${id('a')}`]) };
}

function expandedEvent(goal: string, sub_goals: ReturnType<typeof child>[]) {
  return { type: 'goal_expanded' as const, goal: id(goal), atomic: false, reasoning: null, sub_goals };
}

function linked(
  needs: unknown,
  { plan, planned }: { readonly plan: Plan; readonly planned: ReadonlySet<string> } = twoParts(),
) {
  const reply = tolerantLinkReplySchema.parse({ needs, missing: [] });
  const changes = linkChanges(plan, reply, { goals: goalsOf(plan), planned });
  return { ...changes, plan: accepted(plan, changes.event), before: plan };
}

describe('three plans of an able model, with what another read of their leaves', () => {
  const needsSchema = z.record(z.string(), z.array(z.string()));
  test.each([
    ['g3', 0, 11],
    ['g4', 0, 9],
    ['g5', 6, 12],
  ])('%s: %i true needs are missing afterwards, none is inverted', (name, missing, chain) => {
    const { plan, planned } = planOfLeaves(readLeaves(name));
    const reply = tolerantLinkReplySchema.parse(JSON.parse(readFixture(`quality/${name}.answer.json`)));
    const changes = linkChanges(plan, reply, { goals: goalsOf(plan), planned });
    const { before, indexOf } = leafClosure(accepted(plan, changes.event));
    const truth = needsSchema.parse(JSON.parse(readFixture(`quality/${name}.needs.json`)));
    const pairs = Object.entries(truth).flatMap(([goal, on]) => on.map((other) => [goal, other] as const));
    const waits = ([goal, on]: readonly [string, string]) =>
      before(indexOf(idOfNumber(goal)), indexOf(idOfNumber(on)));
    expect(pairs.filter((pair) => !waits(pair))).toHaveLength(missing);
    expect(pairs.filter(([goal, on]) => waits([on, goal]))).toEqual([]);
    expect(changes.event.chain[1]).toBe(chain);
    expect(changes.event.missing.length).toBeGreaterThan(1);
  });
});

test('a wait between parts becomes the needs of the leaves; the order within a part stays', () => {
  const { plan, event, replaced } = linked({
    '1.1': [],
    '1.2': [],
    '2.1': ['1.2'],
    '2.2': [],
    '2.3': ['2.1'],
  });
  expect(goalAt(plan, 'q').dependencies).toEqual([]);
  expect(goalAt(plan, 'b').dependencies).toEqual([id('a')]);
  expect(goalAt(plan, 'c').dependencies).toEqual([id('b')]);
  expect(replaced).toEqual([{ goal: id('q'), on: id('p') }]);
  expect(event.can_start).toEqual([1, 2]);
});

test('a wait between parts stays where a leaf concerned has no entry', () => {
  const { plan } = linked({ '1.1': [], '2.1': ['1.2'], '2.3': ['2.1'] });
  expect(goalAt(plan, 'q').dependencies).toEqual([id('p')]);
  expect(goalAt(plan, 'c').dependencies).toEqual([id('b')]);
});

test('a wait that a person, a document or an import made stays', () => {
  const { plan } = linked(
    { '1.1': [], '1.2': [], '2.1': ['1.1'], '2.2': [], '2.3': [] },
    { ...twoParts(), planned: new Set() },
  );
  expect(goalAt(plan, 'q').dependencies).toEqual([id('p')]);
});

test('of two needs that exclude each other the one that agrees with the list stays, and the other is named', () => {
  const { plan, dropped } = linked({ '1.1': ['2.1'], '1.2': [], '2.1': ['1.2'], '2.2': [], '2.3': [] });
  expect(goalAt(plan, 'c').dependencies).toEqual([id('b')]);
  expect(goalAt(plan, 'a').dependencies).toEqual([]);
  expect(dropped).toEqual([{ goal: id('a'), on: id('c') }]);
});

test('a leaf that is numbered earlier may wait for one that is numbered later', () => {
  const { plan } = linked({ '1.1': [], '1.2': ['2.2'], '2.1': ['1.2'], '2.2': [], '2.3': [] });
  expect(goalAt(plan, 'b').dependencies).toEqual([id('a'), id('d')]);
});

describe('what a weak model says does not make the plan worse in silence', () => {
  const LEAVES = ['1.1', '1.2', '2.1', '2.2', '2.3'];
  test.each([
    ['nothing', {}],
    ['that nothing needs anything', Object.fromEntries(LEAVES.map((leaf) => [leaf, []]))],
    ['goals that are not there', { '7.1': ['9'], '2.1': ['8.8'] }],
    ['goals that need themselves', Object.fromEntries(LEAVES.map((leaf) => [leaf, [leaf]]))],
    ['parts instead of leaves', { '2': ['1'] }],
  ])('it says %s', (_, needs) => {
    const { event, notices } = linked(needs);
    expect(event.changes).toEqual([]);
    expect(notices).not.toEqual([]);
  });

  test('it says that everything needs everything before it', () => {
    const { plan, planned } = planOfLeaves(readLeaves('g5'));
    const numbers = numberedLeaves(plan).map(({ number }) => number);
    const needs = numbers.map((goal, index) => ({ goal, on: numbers.slice(0, index) }));
    const { event, notices } = linked(needs, { plan, planned });
    expect(event.changes).toEqual([]);
    expect(notices.join()).toContain('more than 10 a leaf');
  });

  test('it finds hardly any need behind the waits between parts, so they stay, and what it found is added', () => {
    const { plan, planned } = planOfLeaves(readLeaves('g3'));
    const needs = numberedLeaves(plan).map(({ number }) => ({
      goal: number,
      on: number === '6' ? ['5.4'] : [],
    }));
    const made = linked(needs, { plan, planned });
    expect(made.replaced).toEqual([]);
    expect(made.event.changes).toEqual([{ goal: idOfNumber('6'), add: [idOfNumber('5.4')], remove: [] }]);
    expect(made.notices.join()).toContain('they stay');
  });
});

test('a finished leaf gets no need, and counts as no leaf concerned', () => {
  const { plan, planned } = twoParts();
  const begun = after(
    plan,
    { type: 'goal_completed', goal: id('a') },
    { type: 'goal_completed', goal: id('b') },
  );
  const done = after(begun, { type: 'goal_completed', goal: id('c') });
  const made = linked({ '1.1': ['2.2'], '2.1': ['1.1'], '2.2': ['1.2'], '2.3': [] }, { plan: done, planned });
  expect(made.event.changes.map(({ goal }) => goal)).toEqual([id('q'), id('d')]);
});

test('what planning made is told from what others made by the events', () => {
  const usage = { calls: 1, input_tokens: 1, output_tokens: 1, cost_usd: 0 };
  const stamp = (index: number) => ({
    id: `e${index}`,
    at: '2026-01-01T00:00:00Z',
    by: 'x',
    replica: 'r',
    clock: index,
  });
  const source = { file: 'a.md', start_line: 1, end_line: 2 };
  const events = [
    { ...expandedEvent('root', [child('a'), child('b', { dependencies: [id('a')] })]), usage },
    { ...expandedEvent('b', [child('c'), child('d', { dependencies: [id('c')], source })]), usage },
    expandedEvent('a', [child('e'), child('f', { dependencies: [id('e')] })]),
  ];
  const stamped = events.map((event, index) => ({ ...stamp(index + 1), ...event }));
  expect([...plannedWaits(stamped)]).toEqual([`${id('b')} ${id('a')}`]);
  const byHand: PlanEvent = {
    ...stamp(9),
    type: 'dependencies_changed',
    changes: [{ goal: id('b'), add: [id('a')], remove: [] }],
  };
  expect([...plannedWaits([...stamped, byHand])]).toEqual([]);
});

test('the question has a line a leaf, in the order of the tree, and what was decided', async () => {
  const { plan } = planOfLeaves(readLeaves('g3'));
  const decided = after(
    plan,
    { type: 'decision_made', goal: id('root'), what: 'host', choice: '<b>' },
    { type: 'decision_made', goal: id('root'), what: 'tone', choice: 'plain '.repeat(1000) },
  );
  const asked = numberedLeaves(decided);
  const { question, goals } = linkQuestion(decided, asked, { prompts: await loadPrompts(), project: '' });
  expect(question.user).toContain('1 [-] List every public URL, media file, comment and feed');
  expect(question.user).toMatch(
    /^3\.1 \[Part 3\] Export posts.* \| done when: The export file holds 400 posts$/m,
  );
  expect(question.user).toMatch(/<decisions>\nhost: &lt;b&gt;\ntone: plain plain .{200,300}\n<\/decisions>/);
  expect(question.user.match(/<goal>/g)).toHaveLength(1);
  expect(goals.size).toBe(21);
  expect(goalOf(decided, goals.get('3.1') ?? '').description).toContain('Export posts');
});
