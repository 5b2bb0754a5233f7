import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PENDING } from '../../src/features/runs/model/instance.js';
import type { Instance } from '../../src/features/runs/model/instance.js';
import { instanceMap } from '../../src/features/runs/model/packed-instances.js';
import { createLineSpans } from '../../src/storage/log/line-spans.js';

const time = fc.option(
  fc.oneof(
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
      .map((one) => one.toISOString()),
    fc.constantFrom('2026-03-01T12:00:00Z', '2026-03-01T13:00:00.5+01:00', '1960-01-01T00:00:00.000Z'),
  ),
  { nil: null },
);
const text = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'a b', 'v', '{"a": 1}', 'é\n', '__proto__'));
const instances: fc.Arbitrary<Instance> = fc.record({
  state: fc.constantFrom('pending', 'started', 'succeeded', 'failed', 'skipped', 'unknown'),
  attempt: fc.nat(9),
  failures: fc.nat(9),
  final: fc.boolean(),
  verified: fc.constantFrom(0, 2, Number.MAX_SAFE_INTEGER),
  tool: fc.option(text, { nil: null }),
  effects: fc.constantFrom('none', 'idempotent', 'once', null),
  started_at: time,
  ended_at: time,
  output: fc.option(
    fc.oneof(
      text.map((event) => ({ event })),
      text.map((file) => ({ file })),
      fc.jsonValue({ noUnicodeString: false }).map((value) => ({ value: JSON.parse(JSON.stringify(value)) })),
    ),
    { nil: null },
  ),
  output_of: fc.option(text, { nil: null }),
  error: fc.constantFrom(null, { code: 'TIMEOUT', message: 'it took long', retryable: true }),
  skipped: fc.constantFrom(null, { because: 'dependency', of: 'a', warn: false } as const),
  recovered: fc.boolean(),
  settled: fc.constantFrom(null, 'person'),
  failed_items: fc.nat(3),
  failed_by: fc.option(text, { nil: null }),
  approved: fc.constantFrom(PENDING.approved, { before: ['x'], after: [] }),
});

describe('the instances of a run', () => {
  test('are what they were, however they are held', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b[1]', 'b[2]', '__proto__'), instances)),
        (changes) => {
          let map = instanceMap();
          const plain = new Map<string, Instance>();
          for (const [name, instance] of changes) {
            map = map.with(name, instance);
            plain.set(name, instance);
          }
          expect([...map]).toEqual([...plain]);
          expect(map.size).toBe(plain.size);
          for (const [name, instance] of plain) expect(map.get(name)).toEqual(instance);
          expect(map.get('nothing')).toBeUndefined();
        },
      ),
    );
  });

  test('of more kinds than are kept once are what they were', () => {
    let map = instanceMap();
    const of = (index: number): Instance => ({ ...PENDING, state: 'succeeded', tool: `t${index}` });
    for (let index = 0; index < 1500; index += 1) map = map.with(`s${index}`, of(index));
    for (const index of [0, 999, 1000, 1499]) expect(map.get(`s${index}`)).toEqual(of(index));
  });
});

test('the place of every line is found, also where two ids are of one hash', () => {
  const places = createLineSpans();
  const ids = ['event-1', 'event-95618', 'event-240320', 'event-2', ''];
  for (const [index, id] of ids.entries()) places.set(id, { start: index, end: index + 1 });
  expect(ids.map((id) => places.get(id)?.start)).toEqual([0, 1, 2, 3, 4]);
  expect(places.get('another')).toBeUndefined();
});
