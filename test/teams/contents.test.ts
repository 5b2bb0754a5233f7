import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runContentsOfFiles } from '../../src/features/teams/runs/file-run-contents.js';
import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { temporaryFolder } from '../support/folders.js';
import { preparedWith } from '../support/runs.js';

let number = 0;
const stamp = () => {
  number += 1;
  return { id: `event${number}`, at: new Date().toISOString(), by: 'me' };
};
const RUN = 'run-0000abcd';

test('lines are put at the end of the log of a run only where nobody has written since it was read', async () => {
  const folder = temporaryFolder();
  const runs = createFileRunStore(folder, stamp);
  const log = await runs.create(preparedWith({ expires_at: '2999-01-01T00:00:00Z' }));
  const contents = runContentsOfFiles(folder);
  const before = await contents.runs.read(RUN);
  await log.append([{ type: 'abort_requested' }]);
  const now = await contents.runs.read(RUN);
  const [, line = ''] = now?.lines ?? [];
  const text = () => readFileSync(join(folder, 'runs', `${RUN}.events.jsonl`), 'utf8');
  const held = text();
  const more = { lines: [line], inArchive: false };
  expect(await contents.runs.write(RUN, more, before?.lines.length ?? null)).toBe(false);
  expect(text()).toBe(held);
  expect(await contents.runs.write(RUN, more, 2)).toBe(true);
  expect(text()).toBe(`${held}\n${line}\n`);
});
