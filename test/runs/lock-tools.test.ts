import { expect, test } from 'vitest';

import { lockTools } from '../../src/features/runs/model/lock-tools.js';
import { callWith } from '../support/workplace.js';

/** The tool that takes a lock, of which another run has all. */
function acquiring() {
  const [acquire] = lockTools({
    take: async () => 'run-k3f9x2w8',
    giveBack: async () => undefined,
    holder: async () => ({ other: 'run-k3f9x2w8' }),
  });
  if (acquire === undefined) throw new TypeError('there are such tools');
  return acquire;
}

test.each([['abc'], ['-1'], [-1], [''], ['1e3'], [{}], [[]]])(
  'a patience of %j is refused before anything is waited for',
  async (timeout_ms) => {
    const outcome = await acquiring().call(callWith({ lock_name: 'pane 1', timeout_ms }));
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { code: 'VALIDATION_ERROR' } });
  },
);

test.each([[0], ['0'], ['20'], [20]])('a patience of %j ends', async (timeout_ms) => {
  const outcome = await acquiring().call(callWith({ lock_name: 'pane 1', timeout_ms }));
  expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'LOCKED' } });
});
