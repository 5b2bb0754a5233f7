import { expect, test } from 'vitest';

import { goalOf } from '../../src/plan/plan.js';
import { beforeAsking } from '../../src/planning/before-asking.js';
import { frontierBreadthFirst, goalsOfFrontier } from '../../src/planning/frontier.js';
import { goal, planOf } from '../support/plans.js';
import { SETTINGS } from '../support/prompt-plans.js';

const ids = ['a', 'b'];
const plan = planOf([
  goal('root', { child_ids: ids.map((id) => goal(id).id), status: 'decomposing' }),
  ...ids.map((id) => goal(id, { parent_id: goal('root').id, depth: 1, status: 'pending' })),
]);

test('a goal for which there is no room is atomic whatever is before it, and waits only where others decide', () => {
  const places = [...goalsOfFrontier(plan)].toSorted(frontierBreadthFirst);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error('two goals wait');
  const asked = goalOf(plan, last.goalId);
  const verdict = (room: number) =>
    beforeAsking(asked, last, {
      plan,
      settings: { ...SETTINGS, max_children: 4, max_depth: 20, max_goals: plan.counts.total + room },
      growing: [first],
      precedence: frontierBreadthFirst,
    }).kind;
  expect([0, 1, 2, 4, 1_000_000].map(verdict)).toEqual(['atomic', 'atomic', 'wait', 'wait', 'ask']);
});
