import { stat } from 'node:fs/promises';

import type { Permissions } from '../../../../host/files/replace-file.js';

/** Of a file that is for nobody but the user. */
export const OWN_FILE: Permissions = { mode: 0o600 };

const READ_AND_WRITE = 0o6;
const GROUP = { mayWrite: 0o020, shift: 3 };
const OTHERS = { mayWrite: 0o002, shift: 0 };

/**
 * Of what runs write: it is for the user, and for those who may write in the folder of the store, with whom it is shared.
 * Steps may have read what nobody else may read.
 */
export async function permissionsOfRuns(store: string): Promise<Permissions> {
  const folder = await stat(store).catch(() => null);
  if (folder === null) return OWN_FILE;
  const shared = [GROUP, OTHERS].filter(({ mayWrite }) => (folder.mode & mayWrite) !== 0);
  const mode = shared.reduce((bits, { shift }) => bits | (READ_AND_WRITE << shift), OWN_FILE.mode);
  return shared.includes(GROUP) ? { mode, gid: folder.gid } : { mode };
}
