import { resolve } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { Settings } from '../../plan/schema.js';
import { realFolder } from '../../host/files/folders.js';
import { isBelow } from '../../host/files/is-below.js';
import { readStoredText, readTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';
import type { OwnSettings } from '../settings/own-settings.js';

/** A recording of a hundred thousand questions. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads the recording that a plan is replayed from. One that the user names may be anywhere, also a pipe. One that only the
 * plan names is a plain file below the folder that the user is in, or that holds the store, and reached without a link.
 * @param named by the user, just now
 * @throws PlanError INVALID_INPUT, REFUSED for a place outside, FILE_NOT_FOUND, STORAGE_FAILED
 */
export async function readRecording(
  context: Context,
  named: string | undefined,
  { before, own }: { readonly before: Settings | undefined; readonly own: OwnSettings },
): Promise<{ readonly file: string; readonly text: string }> {
  const { workingFolder } = context.environment;
  const kept: unknown = before?.replay;
  const file = named ?? (typeof kept === 'string' ? kept : null);
  if (file === null)
    throw new PlanError('INVALID_INPUT', 'this plan was replayed; --replay FILE names the recording');
  if (named !== undefined || file === own.replay)
    return { file, text: await readTextFile(resolve(workingFolder, file), MOST_BYTES) };
  const path = resolve(realFolder(workingFolder), file);
  const project = context.projectFolder();
  const places = [realFolder(workingFolder), ...(project === null ? [] : [project])];
  if (!places.some((place) => isBelow(path, place))) throw outside(file);
  return { file, text: await readStoredText(path, MOST_BYTES) };
}

function outside(file: string): PlanError {
  return new PlanError(
    'REFUSED',
    `the plan names a recording outside of its project: ${JSON.stringify(truncate(file, 200))}`,
    {
      hint: { commandLine: 'If it is yours, name it yourself: plan resume --replay FILE' },
      details: { replay: truncate(file, 1000) },
    },
  );
}
