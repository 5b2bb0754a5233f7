import { describe, expect, test } from 'vitest';

import { expand, id, newWorkplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';
import { runPlan } from './support/strace.js';

describe.skipIf(process.platform === 'win32')('a limit on open files', () => {
  test.each([
    ['status'],
    ['log'],
    ['validate'],
    ['doctor'],
    ['list'],
    ['claim', id('a')],
    ['complete', id('b'), '--summary', 'Did it'],
  ])('%s ends as documented at any limit, and says that it is the limit', async (...args) => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const refused: string[] = [];
    // Below that node itself does not start.
    for (let limit = 18; limit < 30; limit += scale(1, 6)) {
      const limited = ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh'];
      const { status, signal, stderr, out } = await runPlan({ ...place, under: limited }, args);
      if (signal !== null || /^(node|Error|\s*at )|Aborted|uv_/m.test(stderr)) continue;
      expect([limit, stderr.includes('went wrong inside')]).toEqual([limit, false]);
      if (status === 7) refused.push(stderr);
      else expect([[0, 1, 4], out]).toEqual([expect.arrayContaining([status]) as number[], out]);
    }
    for (const told of refused) expect(told).toContain('too many files are open');
  });
});
