import { expect, test } from 'vitest';

import { agree, carryOut, newPlace, prepare } from '../support/approving.js';

test('of several that begin a run at once one carries it out, and no other is told that the log is old', async () => {
  const { workspace, as } = await newPlace();
  const { run, code } = await prepare(workspace);
  await agree(workspace, code);
  const ends = await Promise.allSettled(Array.from({ length: 8 }, async () => carryOut(as({}), run)));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  expect(refused.filter((reason) => reason.includes('older copy'))).toEqual([]);
});
