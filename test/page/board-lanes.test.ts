import { expect, test } from 'vitest';

import { planDelta } from '../../src/features/page/watching/plan-delta.js';
import type { ShownGoal } from '../../src/features/page/watching/plan-delta.js';
import { goalStatesAt, planModelWithLine } from '../../src/features/page/web/plan-model.js';
import { ANY, cardsOfLanes } from '../../src/features/page/web/views/board-lanes.js';
import { goal, planOf } from '../support/plans.js';

const EACH = 1000;

test('a card holds no more of what it waits for than it shows, by its own or by way of the goal above', () => {
  const names = (kind: string) => Array.from({ length: EACH }, (_, index) => `${kind}${index}`);
  const [first, then] = [names('a'), names('b')];
  const dependencies = first.map((id) => goal(id).id);
  const below = (parent: string, status: 'atomic' | 'complete' = 'atomic') => ({
    parent_id: goal(parent).id,
    status,
  });
  const plan = planOf([
    goal('root', { child_ids: [...first, 'group', 'own'].map((id) => goal(id).id) }),
    ...first.map((id) => goal(id, below('root', id === 'a0' ? 'complete' : 'atomic'))),
    goal('group', { ...below('root'), child_ids: then.map((id) => goal(id).id), dependencies }),
    ...then.map((id) => goal(id, below('group'))),
    goal('own', { ...below('root'), dependencies }),
  ]);
  const { header } = planDelta(null, plan);
  const goals = [...plan.goals.values()] as readonly ShownGoal[];
  const model = planModelWithLine(null, { type: 'whole', seq: 1, header, goals, gone: [], log: [] });
  if (model === null) throw new TypeError('no model');
  const waiting = cardsOfLanes(model, goalStatesAt(model, 0), ANY).get('waiting') ?? [];
  expect(waiting).toHaveLength(EACH + 1);
  for (const { after } of waiting) expect(after).toEqual(['2', '3', '4', '5', '6', '7']);
  // The parts of a group have the list of the group.
  expect(new Set(waiting.map(({ after }) => after)).size).toBe(2);
});
