import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, onTestFinished } from 'vitest';

/** A new empty folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

/** A new empty folder that is gone when every test of the file is over; for set-ups that tests share. */
export function sharedFolder(): string {
  const folder = newFolder();
  afterAll(() => remove(folder));
  return folder;
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'frctl-test-'));
}

function remove(folder: string): void {
  // A program that a test has ended may still write its last file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });
}
