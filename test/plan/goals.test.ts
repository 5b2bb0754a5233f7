import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { fixedGoals } from '../../src/plan/goals.js';
import { persistentGoals } from '../../src/plan/persistent-goals.js';
import type { Goal } from '../../src/plan/schema.js';
import { goal } from '../support/plans.js';

const SUFFIXES = ['a', 'b', 'c', 'd', 'e', 'f'];
const IDS = SUFFIXES.map((suffix) => goal(suffix).id);
const start = () => new Map(['a', 'b', 'c'].map((suffix) => [goal(suffix).id, goal(suffix)] as const));
const change = fc
  .tuple(fc.constantFrom(...SUFFIXES), fc.option(fc.string({ minLength: 1 })))
  .map(([suffix, description]) => ({
    id: goal(suffix).id,
    goal: description === null ? null : goal(suffix, { description }),
  }));

test.each([
  ['persistent', persistentGoals],
  ['fixed', fixedGoals],
])('%s goals change as a map does, and what they were stays', (_, make) => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100 }), (changes) => {
      const model = start();
      let goals = make(start());
      const states = [{ goals, entries: [...model] }];
      for (const { id, goal: changed } of changes) {
        if (changed === null) model.delete(id);
        else model.set(id, changed);
        goals = changed === null ? goals.remove(id) : goals.set(id, changed);
        states.push({ goals, entries: [...model] });
      }
      for (const state of states) {
        const byId = new Map<string, Goal>(state.entries);
        expect(new Map(state.goals)).toEqual(byId);
        expect([...state.goals.keys()].toSorted()).toEqual([...byId.keys()].toSorted());
        expect(new Set(state.goals.values())).toEqual(new Set(byId.values()));
        expect(state.goals.size).toBe(byId.size);
        for (const id of IDS) {
          expect(state.goals.get(id)).toEqual(byId.get(id));
          expect(state.goals.has(id)).toBe(byId.has(id));
        }
      }
    }),
  );
});
