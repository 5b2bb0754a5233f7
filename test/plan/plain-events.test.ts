import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { NOT_PLAIN, readPlain } from '../../src/kernel/json/plain-shape.js';
import type { PlainShape } from '../../src/kernel/json/plain-shape.js';
import { plainShapeOf } from '../../src/kernel/json/plain-shape-of.js';
import { eventSchema } from '../../src/plan/events.js';
import type { PlanEvent } from '../../src/plan/events.js';
import { begin, deeds, write } from '../support/random-deeds.js';
import { scale } from '../faults/support/scale.js';

const SHAPES: ReadonlyMap<string, { readonly schema: z.ZodType; readonly shape: PlainShape }> = new Map(
  eventSchema.options.flatMap((schema) => {
    const shape = plainShapeOf(schema);
    return shape === null ? [] : [[schema.shape.type.value, { schema, shape }] as const];
  }),
);

/** What the schema reads, as JSON, so that the order of members counts; null where it refuses. */
function bySchema(type: string, value: unknown): string | null {
  const { data } = SHAPES.get(type)?.schema.safeParse(value) ?? {};
  return data === undefined ? null : JSON.stringify(data);
}

function byShape(type: string, value: unknown): string | null {
  const found = SHAPES.get(type);
  const read = found === undefined ? NOT_PLAIN : readPlain(value, found.shape);
  return read === NOT_PLAIN ? null : JSON.stringify(read);
}

/** The events of a random history, as a log has them. */
const logged: fc.Arbitrary<readonly PlanEvent[]> = deeds(24).map((todo) =>
  JSON.parse(JSON.stringify(write(begin(), todo, 'replica-a').events)),
);

test('events that a worker meets are read without their schemas', () => {
  expect([...SHAPES.keys()]).toEqual(
    expect.arrayContaining([
      'goal_claimed',
      'claim_renewed',
      'claim_released',
      'goal_completed',
      'goal_digested',
      'goal_edited',
      'goal_failed',
      'goal_reopened',
      'goal_expanded',
      'dependencies_changed',
    ]),
  );
});

test('a plain event is read as its schema reads it, to the order of its members', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(logged, (events) => {
      for (const event of events) {
        if (!SHAPES.has(event.type)) continue;
        const mixed = Object.fromEntries(Object.entries({ ...event, later: { a: [1] } }).toReversed());
        for (const value of [event, mixed]) {
          expect(byShape(event.type, value)).toBe(bySchema(event.type, value));
          seen.add(event.type);
        }
      }
    }),
  );
  expect(seen.size).toBeGreaterThan(15);
});

/** Every place in a value, as the names that lead there. */
function places(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => places(member, [...at, name]))];
}

/** The value with another in one place, or without what was there. */
function changedAt(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  const copy = new Map(Object.entries(value as object));
  const member = changedAt(copy.get(name), rest, other);
  if (member === undefined) copy.delete(name);
  else copy.set(name, member);
  if (Array.isArray(value)) return [...copy.values()];
  return JSON.parse(
    `{${[...copy].map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join()}}`,
  );
}

const stranger = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    'x'.repeat(65),
    '0398a958-root',
    '2026-02-30T10:00:00Z',
    '2026-01-01T10:00:00Z',
    'a\nb',
  ),
  fc.constantFrom(-1, 0, 0.5, 1, 2 ** 53, 1e300, null, true, false, [], {}, [null], [''], ['', '']),
  fc.constantFrom(undefined, JSON.parse('{"__proto__":{"goal":"0398a958-root"}}')),
);

test('what a schema would refuse or read otherwise is never plain', () => {
  let accepted = 0;
  fc.assert(
    fc.property(logged, fc.nat(), fc.nat(), stranger, (events, which, where, other) => {
      const event = events[which % Math.max(1, events.length)];
      if (event === undefined || !SHAPES.has(event.type)) return;
      const all = places(event);
      const value = changedAt(event, all[where % all.length] ?? [], other);
      const plain = byShape(event.type, value);
      if (plain === null) return;
      accepted += 1;
      expect(plain).toBe(bySchema(event.type, value));
    }),
    { numRuns: scale(2000, 600) },
  );
  expect(accepted).toBeGreaterThan(50);
});

test.each([
  ['a check of its own', z.string().refine((text) => text !== 'a')],
  ['a text that is changed', z.string().trim()],
  ['another value', z.string().transform((text) => text.length)],
  ['a default', z.looseObject({ a: z.string().default('b') })],
  ['members that are left out', z.object({ a: z.string() })],
  ['members that are refused', z.strictObject({ a: z.string() })],
  ['a choice of shapes', z.union([z.string(), z.number()])],
  ['a pattern with flags', z.string().regex(/a/i)],
  ['a number of a step', z.number().multipleOf(2)],
  ['a list with a check', z.array(z.string()).refine((list) => list.length !== 2)],
  ['an object with a check', z.looseObject({ a: z.string() }).refine(() => false)],
  [
    'an optional with a check',
    z.looseObject({
      a: z
        .string()
        .optional()
        .refine(() => false),
    }),
  ],
])('a schema with %s has no plain shape', (_what, schema) => {
  expect(plainShapeOf(schema)).toBeNull();
});
