import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { encodeEvent } from '../../src/storage/log/event-line.js';
import { claim, complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';

const EVENTS = 10_000;
const IO = '/proc/self/io';

/** The bytes that this process has read. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(IO, 'utf8'))?.[1]);
}

test.skipIf(!existsSync(IO))(
  'a change reads what was written since the plan file, not the history before it (where Linux counts that)',
  async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c']));
    const history = Array.from({ length: EVENTS }, (_, index) => ({
      ...(index % 2 === 0
        ? claim('a', 'token')
        : { type: 'claim_released' as const, goal: id('a'), token: 'token' }),
      id: `old${index}`,
      at: '2026-01-02T00:00:00Z',
      by: 'test',
      replica: 'rz',
      clock: index + 10,
    }));
    appendFileSync(place.eventLog, history.map(encodeEvent).join(''));
    await place.change({ type: 'goal_reopened', goal: id('b') });
    const workspace = openWorkspace({ dir: place.store });
    const changes = [
      () => workspace.edit(id('a'), { description: 'Do it better', plan: PLAN }),
      () => workspace.add({ description: 'Do more', plan: PLAN }),
      () => workspace.claim(id('b'), { plan: PLAN }),
      () => workspace.complete(id('b'), { summary: 'Did it', plan: PLAN }),
    ];
    // The first ones load what they need.
    await workspace.edit(id('a'), { description: 'Do it', plan: PLAN });
    await workspace.remove(
      (await workspace.add({ description: 'Do it', plan: PLAN })).changes[1]?.goal ?? '',
    );
    await workspace.claim(id('c'), { by: 'me', plan: PLAN });
    await workspace.complete(id('c'), { by: 'me', summary: 'Did it', plan: PLAN });
    const { size } = statSync(place.eventLog);
    for (const change of changes) {
      const before = bytesRead();
      await change();
      expect(bytesRead() - before).toBeLessThan(size / 4);
    }
  },
);

test('undoing holds no more of a history than it takes back', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b', 'c']));
  const detail = 'long '.repeat(4000);
  const history = Array.from({ length: 2750 }, (_, index) =>
    encodeEvent({
      type: 'goal_edited',
      goal: id('a'),
      fields: { detail: `${detail}${index}` },
      id: `old${index}`,
      at: '2026-01-02T00:00:00Z',
      by: 'test',
      replica: 'rz',
      clock: index + 10,
    }),
  );
  appendFileSync(place.eventLog, history.join(''));
  await place.change(complete('b'));
  expect(statSync(place.eventLog).size).toBeGreaterThan(55_000_000);
  const small = { NODE_OPTIONS: '--max-old-space-size=44' };
  expect(await place.run(['undo', PLAN, '--any'], small)).toMatchObject({ status: 0, error: '' });
  expect((await place.open()).plan.goals.get(id('b'))?.status).toBe('atomic');
  expect(await place.run(['undo', PLAN, '--any'], small)).toMatchObject({ status: 0 });
  expect((await place.open()).plan.goals.get(id('a'))?.detail).toBe(`${detail}2748`);
});
