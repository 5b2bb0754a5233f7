import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { planFromFile } from '../../src/plan/make-plan.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { publishedPlan } from '../../src/plan/snapshot/published-plan.js';
import { goalSchema, planFileSchema } from '../../src/plan/schema.js';
import { goal, PLAN_ID, planOf, treePlan } from '../support/plans.js';
import { filled, ODD_VALUES, pathsIn, putAt } from '../support/schema-samples.js';
import { scale } from '../faults/support/scale.js';

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

  test('with any member that the schema has is taken for one only where the schema takes it as well', () => {
    const whole = forgeable();
    expect(publishedPlan(structuredClone(whole))).not.toBeNull();
    const wrong = [...pathsIn(whole)].flatMap((path) =>
      ODD_VALUES.flatMap((put) => {
        const file = structuredClone(whole);
        putAt(file, path, put);
        if (publishedPlan(structuredClone(file)) === null || planFileSchema.safeParse(file).success)
          return [];
        return [[path.join('.'), put]];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('that was forged is taken for one only where the schema takes it as well', () => {
    const whole = forgeable();
    expect(publishedPlan(structuredClone(whole))).not.toBeNull();
    const paths = [...pathsIn(whole)];
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...ODD_VALUES));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...paths), value), { minLength: 1, maxLength: 2 }),
        (forged) => {
          const file = structuredClone(whole);
          for (const [path, put] of forged) putAt(file, path, put);
          if (publishedPlan(file) === null) return;
          const { success, error } = planFileSchema.safeParse(JSON.parse(JSON.stringify(file)));
          expect([success, error?.issues[0]]).toEqual([true, undefined]);
        },
      ),
      { numRuns: scale(3000, 400) },
    );
  });

  test.each<[string, (file: Json) => void]>([
    [
      'a dependency that is not there',
      ({ goals }) => void Object.assign(goals[id('b')] ?? {}, { dependencies: [id('x')] }),
    ],
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

/** A published plan with every member that the schema gives a plan or a goal. */
function forgeable(): Json {
  // Whoever reads the file has looked at its checksum.
  const { goals, crc: _crc, ...file } = published();
  const { goals: _goals, crc: _checksum, ...header } = planFileSchema.shape;
  const whole = filled(z.looseObject(header), { schema_version: '1.0', ...file });
  // The goal without others below it or before it, for those must be there.
  const { child_ids: _children, dependencies: _before, ...members } = goalSchema.shape;
  return Object.assign(whole as Json, {
    goals: { ...goals, [id('c')]: filled(z.looseObject(members), goals[id('c')]) },
  });
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}
