import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { agree, carryOut, newPlace, prepare, written } from '../support/approving.js';

const SWAPS: Readonly<Record<string, (file: string) => void>> = {
  'a pipe': (file) => {
    rmSync(file);
    execFileSync('mkfifo', [file]);
  },
  'a link to a device': (file) => {
    rmSync(file);
    symlinkSync('/dev/zero', file);
  },
  'a link to a file elsewhere': (file) => {
    rmSync(file);
    symlinkSync('/etc/passwd', file);
  },
  'more than is read': (file) => {
    truncateSync(file, 3e9);
  },
};

test
  .skipIf(process.platform === 'win32')
  .each(
    Object.keys(SWAPS).flatMap((what) => [
      ['.plans/tools.yaml', what] as const,
      ['plan.json', what] as const,
    ]),
  )('a run is refused at once whose %s has become %s since it was approved', async (file, what) => {
  const place = await newPlace();
  const { run, code } = await prepare(place.workspace);
  await agree(place.workspace, code);
  SWAPS[what]?.(join(place.folder, file));
  await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:STORAGE_FAILED|E_TOOL_UNTRUSTED|E_PLAN_HASH_MISMATCH)$/) as string,
  });
  expect(written(place)).toBe(false);
});
