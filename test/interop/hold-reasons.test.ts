import { expect, test } from 'vitest';

import { toBeads } from '../../src/features/interop/exports/beads.js';
import { toTaskMaster } from '../../src/features/interop/exports/taskmaster.js';
import { beadsPlan } from '../../src/features/interop/imports/beads-plan.js';
import { planFileOf } from '../../src/features/interop/imports/other-tool-plan.js';
import { taskMasterPlan } from '../../src/features/interop/imports/task-master-plan.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { goal, planOf } from '../support/plans.js';

const held = (reason: string) => ({ on_hold: { reason } });
const child = { parent_id: goal('root').id, depth: 1, status: 'atomic' } as const;
const ids = ['a', 'b', 'c', 'd'];
const plan = planOf([
  goal('root', { child_ids: ids.map((id) => goal(id).id), status: 'decomposing' }),
  goal('a', { ...child, ...held('Bo has the key'), child_ids: [goal('e').id], status: 'decomposing' }),
  goal('b', { ...child, ...held('blocked') }),
  goal('c', { ...child, ...held('Deferred by the board') }),
  goal('d', child),
  goal('e', { ...child, parent_id: goal('a').id, depth: 2, ...held('no ladder') }),
]);
const TOOLS = {
  beads: [toBeads, (text: string) => beadsPlan(text)],
  taskmaster: [toTaskMaster, (text: string) => taskMasterPlan(JSON.parse(text))],
} as const;

test.each(Object.entries(TOOLS))(
  '%s: why a goal is on hold comes back in its own words, and the file again as it was',
  (_, [write, read]) => {
    let made = 0;
    const text = write(plan);
    const back = read(text);
    if (back === null) throw new Error('unread');
    const { file } = planFileOf(back, {
      planId: '0123abcd',
      newGoalId: () => `0123abcd-${(made += 1)}`,
      at: '2031-01-01T00:00:00.000Z',
    });
    const reasons = Object.values(file.goals).flatMap(({ description, on_hold }) =>
      on_hold === undefined ? [] : [[description, on_hold.reason]],
    );
    expect(Object.fromEntries(reasons)).toEqual({
      'Goal a': 'Bo has the key',
      'Goal b': 'blocked',
      'Goal c': 'Deferred by the board',
      'Goal e': 'no ladder',
    });
    const { goals, ...header } = file;
    const again = read(write(makePlan(header, Object.values(goals))));
    expect(again?.goals.map(({ onHold }) => onHold)).toEqual(back.goals.map(({ onHold }) => onHold));
  },
);

test('a file of a stranger holds nothing by such words alone', () => {
  const issue = { id: 'x-1', title: 'Dig', status: 'open', x_frctl: { on_hold: 'never' } };
  expect(beadsPlan(JSON.stringify(issue))?.goals[0]).not.toHaveProperty('onHold');
});
