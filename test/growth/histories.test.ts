import { expect, test } from 'vitest';

import { beginHistory, extendHistory, nextClock, skipUnknownEvent } from '../../src/plan/history.js';
import { beginPlanReading, readInEvent } from '../../src/features/teams/postgres/plan-reading.js';
import type { PlanEvent } from '../../src/plan/events.js';
import { scale } from '../faults/support/scale.js';
import { tooMuchGrowth } from '../support/patterns/growth.js';

/** How many events the shorter log has. */
const EVENTS = scale({ from: 500, to: 32_000 }, { from: 500, to: 8000 });

const placeOf = (index: number) => ({ replica: `r${index}`, clock: index + 1 });
const eventOf = (index: number): PlanEvent => ({
  id: `e${index}`,
  at: '2026-01-01T00:00:00Z',
  by: 'x',
  ...placeOf(index),
  type: 'plan_paused',
  because: 'user',
});

test.each([
  [
    'events',
    (count: number) => {
      let history = beginHistory();
      for (let index = 0; index < count; index += 1) ({ history } = extendHistory(history, eventOf(index)));
      return nextClock(history);
    },
  ],
  [
    'events of a newer version',
    (count: number) => {
      let history = beginHistory();
      for (let index = 0; index < count; index += 1) history = skipUnknownEvent(history, placeOf(index));
      return nextClock(history);
    },
  ],
  [
    'events in a database',
    (count: number) => {
      let reading = beginPlanReading();
      for (let index = 0; index < count; index += 1)
        reading = readInEvent(reading, eventOf(index), { seq: index, length: 100 });
      return reading.seq + 2;
    },
  ],
])('a log of as many replicas as %s is read in a time that grows with it alone', (_what, read) => {
  expect(read(1000)).toBe(1001);
  expect(tooMuchGrowth(read, EVENTS)).toBeUndefined();
});
