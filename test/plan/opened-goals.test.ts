import { expect, test } from 'vitest';

import { goalTurn, openedGoals } from '../../src/plan/opened-goals.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

test('the goals that an event opens are those that wait to be expanded, a level below its own', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b'], ['x', 'y']));
  const log = await place.open();
  const { plan } = log;
  const expanded = (await log.events()).find(({ type }) => type === 'goal_expanded');
  if (expanded === undefined) throw new Error('nothing was expanded');
  expect(openedGoals(expanded, plan)).toEqual([
    { goal: id('x'), depth: 1 },
    { goal: id('y'), depth: 1 },
  ]);
  expect(openedGoals({ ...expanded, type: 'goal_reopened', goal: id('x') }, plan)).toEqual([
    { goal: id('x'), depth: 1 },
  ]);
  expect(goalTurn(plan, 3)).toBe(3);
});
