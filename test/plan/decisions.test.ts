import { expect, test } from 'vitest';

import { decisionsInForce } from '../../src/plan/decisions.js';
import type { EventPayload } from '../../src/plan/events.js';
import { rootOf } from '../../src/plan/plan.js';
import { sanitizeExpansion } from '../../src/planning/sanitize/sanitize-expansion.js';
import { countedFromOne } from '../../src/planning/sanitize/counted-from-one.js';
import { withoutFillerGoals } from '../../src/planning/sanitize/filler.js';
import type { Expansion } from '../../src/plan/expansion.js';
import { after, child, created, goalAt, id } from '../support/applying.js';

const sub = (description: string) => ({ description, reasoning: 'r', atomic: true, depends_on: [] });

test('a decision holds for everything below its goal, and the nearest about a matter counts', () => {
  const plan = after(
    created(),

    { type: 'decision_made', goal: id('root'), what: 'Database', choice: 'PostgreSQL' },
    { type: 'decision_made', goal: id('root'), what: 'language', choice: 'English' },
    expanded('root', ['a', 'b']),
    { type: 'decision_made', goal: id('a'), what: ' DATABASE ', choice: 'SQLite' },
  );
  const choicesOf = (goal: string) =>
    decisionsInForce(plan, goalAt(plan, goal)).map(({ decision }) => decision.choice);
  expect(choicesOf('b')).toEqual(['PostgreSQL', 'English']);
  expect(choicesOf('a')).toEqual(['English', 'SQLite']);
});

test('planning replaces what planning decided, and nothing that somebody decided', () => {
  const decisions = [
    { what: 'database', choice: 'MySQL' },
    { what: 'hosting', choice: 'a server of our own' },
  ];
  const plan = after(
    created(),

    { type: 'decision_made', goal: id('root'), what: 'database', choice: 'PostgreSQL' },
    { ...expanded('root', ['a']), decisions },
  );
  expect(rootOf(plan).decisions).toEqual([
    { what: 'database', choice: 'PostgreSQL', confirmed: true },
    { what: 'hosting', choice: 'a server of our own' },
  ]);
});

test('whoever makes a choice is found again when sub-goals are counted from 0, dropped or left out', () => {
  const reply: Expansion = {
    reasoning: 'r',
    atomic: false,
    decisions: [
      { what: 'hosting', choice: null, decided_by: 1 },
      { what: 'tone', choice: 'plain', decided_by: 0 },
      { what: 'filler', choice: null, decided_by: 0 },
      { what: '', choice: 'nothing', decided_by: null },
      { what: 'HOSTING', choice: 'twice', decided_by: null },
    ],
    sub_goals: [
      sub('Plan the work'),
      { ...sub('Choose the hosting'), depends_on: [0] },
      { ...sub('Move the site'), depends_on: [1] },
    ],
  };
  const plan = created();
  const { expansion } = withoutFillerGoals(countedFromOne(reply), ['Move the blog']);
  expect(sanitizeExpansion(expansion, plan, rootOf(plan), 10).decisions).toEqual([
    { what: 'hosting', choice: null, decidedBy: 0 },
    { what: 'tone', choice: 'plain', decidedBy: null },
    { what: 'filler', choice: null, decidedBy: null },
  ]);
});

test('of a reply seven decisions are kept, each on one line, and it is said that there were more', () => {
  const decisions = Array.from({ length: 9 }, (_, index) => ({
    what: `matter\n${index}`,
    choice: 'x'.repeat(2000),
    decided_by: null,
  }));
  const plan = created();
  const reply = { reasoning: 'r', atomic: false, decisions, sub_goals: [sub('A'), sub('B')] };
  const made = sanitizeExpansion(reply, plan, rootOf(plan), 10);
  expect(made.decisions).toHaveLength(7);
  expect(made.decisions[0]?.what).toBe('matter 0');
  expect(made.decisions.map(({ choice }) => choice)).toEqual(
    decisions.slice(0, 7).map(({ choice }) => choice),
  );
  expect(made.warnings.map(({ code }) => code)).toEqual(['too_many_decisions']);
});

function expanded(goal: string, names: readonly string[]): Extract<EventPayload, { type: 'goal_expanded' }> {
  const sub_goals = names.map((name) => child(name));
  return { type: 'goal_expanded', goal: id(goal), atomic: false, reasoning: null, sub_goals };
}
