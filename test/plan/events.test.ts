import { expect, test } from 'vitest';

import { EVENT_TYPES, eventSchema } from '../../src/plan/events.js';
import type { EventPayload } from '../../src/plan/events.js';
import { goalsOfRefusal, wordRefusal } from '../../src/plan/refusals.js';
import type { Refusal } from '../../src/plan/refusals.js';

test('whatever type of event can be written can be read, for both come from one table', () => {
  const read = eventSchema.options.map(({ shape }) => shape.type.value);
  expect(read.toSorted()).toEqual(EVENT_TYPES.toSorted());
  expect(new Set(read).size).toBe(read.length);
  // @ts-expect-error An event that is not in the table has no type that could be written.
  const missing: EventPayload = { type: 'goal_vanished', goal: '0398a958-root' };
  expect(eventSchema.safeParse(missing).success).toBe(false);
});

test('a refusal is worded with whatever names its goals are given, and lists them', () => {
  const cycle: Refusal = { code: 'cycle', goals: ['a', 'b', 'a'] };
  expect(wordRefusal(cycle)).toBe('goals would wait for each other: a → b → a');
  expect(wordRefusal(cycle, (id) => `“${id.toUpperCase()}”`)).toBe(
    'goals would wait for each other: “A” → “B” → “A”',
  );
  expect(goalsOfRefusal(cycle)).toEqual(['a', 'b']);
  expect(goalsOfRefusal({ code: 'waiting', goal: 'c', waiting_for: ['a', 'b'] })).toEqual(['c', 'a', 'b']);
  expect(goalsOfRefusal({ code: 'no_plan' })).toEqual([]);
});
