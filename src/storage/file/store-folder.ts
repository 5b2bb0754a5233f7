import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { isFolder } from '../../host/files/folders.js';
import { readPlainBytesNow } from '../../host/files/plain-file.js';
import { planIdOfFile, STORE_FILES, STORE_FOLDER } from './store-paths.js';

/** What somebody may put into a folder before it becomes a store. */
const BEFOREHAND: ReadonlySet<string> = new Set([
  ...Object.keys(STORE_FILES),
  'config.json',
  'methods',
  'policy.json',
  'policy.yaml',
  'prompts',
  'tools.json',
  'tools.yaml',
]);

/**
 * Refuses a folder of other files as a store: a store has names that others have too, such as `index.json`, and fills its
 * folder. One that is not there yet is none of them.
 * @throws PlanError INVALID_INPUT
 */
export function refuseOtherFolder(folder: string): void {
  if (!isFolder(folder) || mayBeStore(folder)) return;
  throw new PlanError('INVALID_INPUT', `${folder} is not a store, and holds other files`, {
    hint: {
      commandLine:
        '--dir and FRCTL_DIR name a store; a new one is made in an empty folder, or one that is not there yet, such as .plans.',
    },
    details: { path: folder },
  });
}

/** Whether a folder is called `.plans`, holds what a store holds, or nothing but what is put there beforehand. */
function mayBeStore(folder: string): boolean {
  if (basename(folder) === STORE_FOLDER) return true;
  const names = namesIn(folder);
  return (
    names === null ||
    names.every((name) => BEFOREHAND.has(name)) ||
    names.some((name) => name === '.replica' || planIdOfFile(name) !== null) ||
    hasOwnAttributes(folder)
  );
}

/** The names in a folder; null where it cannot be read, which is told when something in it is. */
function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}

/** Whether git is told in a folder how logs of plans are merged, as in a clone of a store. */
function hasOwnAttributes(folder: string): boolean {
  try {
    const bytes = readPlainBytesNow(join(folder, '.gitattributes'), MOST_BYTES);
    return bytes.toString('utf8').includes('*.events.jsonl');
  } catch {
    return false;
  }
}

const MOST_BYTES = 64 * 1024;
