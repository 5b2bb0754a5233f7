import { expect, test } from 'vitest';

import { agree, carryOut, newPlace, prepare } from '../support/approving.js';

test('of several that begin a run at once one carries it out, and no other is told that the log is old', async () => {
  const { workspace, as } = await newPlace();
  const { run, code } = await prepare(workspace);
  await agree(workspace, code);
  const ends = await Promise.allSettled(Array.from({ length: 8 }, async () => carryOut(as({}), run)));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const end of ends)
    if (end.status === 'rejected') expect(String(end.reason)).not.toContain('older copy');
});
