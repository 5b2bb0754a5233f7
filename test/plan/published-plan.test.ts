import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { planFromFile } from '../../src/plan/make-plan.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/plan-file.js';
import { publishedPlan } from '../../src/plan/published-plan.js';
import { planFileSchema } from '../../src/plan/schema.js';
import { goal, PLAN_ID, planOf, treePlan } from '../support/plans.js';

const id = (suffix: string) => `${PLAN_ID}-${suffix}`;
const LOG = { bytes: 10, event: 'e', clocks: { r: 1 } };
const tree = () =>
  planOf([
    goal('root', { status: 'decomposing', child_ids: [id('a'), id('b')] }),
    goal('a', { parent_id: id('root'), depth: 1, status: 'decomposing', child_ids: [id('c')] }),
    goal('b', { parent_id: id('root'), depth: 1, dependencies: [id('a')] }),
    goal('c', { parent_id: id('a'), depth: 2 }),
  ]);
type Json = { [name: string]: Json } & { goals: Record<string, Record<string, unknown>> };
const published = (): Json => JSON.parse(stringifyPlanFile(toPlanFile(tree(), LOG))) as Json;

describe('a published plan', () => {
  test('is what the schema makes of the same file, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue()),
        (descriptions, branching, unknown) => {
          const { header, goals } = treePlan(descriptions, branching);
          const plan = planOf(
            [...goals.values()].map((each) => ({ ...unknown, ...each })),
            { ...unknown, ...header },
          );
          const json: unknown = JSON.parse(stringifyPlanFile(toPlanFile(plan, LOG)));
          const read = publishedPlan(json);
          const parsed = planFileSchema.parse(json);
          expect(read?.log).toEqual(LOG);
          expect(read?.header).toEqual(planFromFile(parsed).header);
          expect(Object.fromEntries(read?.goals ?? [])).toEqual(parsed.goals);
        },
      ),
    );
  });

  test.each<[string, (file: Json) => void]>([
    [
      'a child that does not exist',
      ({ goals }) => void Object.assign(goals[id('b')] ?? {}, { child_ids: [id('x')] }),
    ],
    [
      'a child that names another parent',
      ({ goals }) => void Object.assign(goals[id('b')] ?? {}, { child_ids: [id('c')] }),
    ],
    [
      'a child that is listed twice',
      ({ goals }) => void Object.assign(goals[id('a')] ?? {}, { child_ids: [id('c'), id('c')] }),
    ],
    ['a goal that nobody lists', ({ goals }) => void Object.assign(goals[id('a')] ?? {}, { child_ids: [] })],
    [
      'a root among its own children',
      ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { child_ids: [id('root')] }),
    ],
    [
      'a root with a parent',
      ({ goals }) => void Object.assign(goals[id('root')] ?? {}, { parent_id: id('c') }),
    ],
    ['a wrong depth', ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { depth: 1 })],
    ['a goal under another key', ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { id: id('d') })],
    [
      'children that are a text',
      ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { child_ids: 'none' }),
    ],
    [
      'a dependency that is a number',
      ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { dependencies: [7] }),
    ],
    [
      'a description that is none',
      ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { description: null }),
    ],
    ['a goal that is a list', ({ goals }) => void Object.assign(goals, { [id('d')]: [] })],
    [
      'members within each other too deep',
      ({ goals }) => void Object.assign(goals[id('c')] ?? {}, { x: nested(1000) }),
    ],
    ['a header that is nested too deep', (file) => void Object.assign(file, { x: nested(1000) })],
    ['no root', (file) => void Object.assign(file, { root_goal_id: id('x') })],
    ['goals in a list', (file) => void Object.assign(file, { goals: Object.values(file.goals) })],
    ['another format', (file) => void Object.assign(file, { schema_version: '2.0' })],
    ['no place in a log', (file) => void Object.assign(file, { log: undefined })],
    ['clocks that are texts', (file) => void Object.assign(file, { log: { ...LOG, clocks: { r: '1' } } })],
    ['a cost that is a text', (file) => void Object.assign(file, { usage: 'much' })],
    ['a warning without a message', (file) => void Object.assign(file, { warnings: [{ code: 'x' }] })],
  ])('is not taken for one with %s', (_, spoil) => {
    const file = published();
    expect(publishedPlan(file)).not.toBeNull();
    spoil(file);
    expect(publishedPlan(file)).toBeNull();
  });

  test.each([null, 7, 'text', [], {}, { goals: {}, log: LOG }])(
    'is not taken for one that is %j',
    (value) => {
      expect(publishedPlan(value)).toBeNull();
    },
  );

  test('that two goals of which each is the parent of the other hang beside is none', () => {
    const file = published();
    const lost = (name: string, other: string, depth: number) =>
      goal(name, { parent_id: id(other), child_ids: [id(other)], depth, status: 'decomposing' });
    Object.assign(file.goals, { [id('x')]: lost('x', 'y', 1), [id('y')]: lost('y', 'x', 2) });
    expect(publishedPlan(file)).toBeNull();
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}
