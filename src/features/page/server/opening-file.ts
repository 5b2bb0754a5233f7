import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';

import { lastWritten } from '../../../host/files/file-identity.js';
import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { realFolder } from '../../../host/files/folders.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { createFile } from '../../../host/files/replace-file.js';
import { storageError } from '../../../host/files/storage-error.js';
import { PlanError } from '../../../kernel/errors.js';
import type { Environment } from '../../../operations/shared/environment.js';

const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const OTHERS = 0o077;
const NAME = /^open-[0-9a-f]{16}\.html$/;

/** A file that has a browser open an address. */
export interface OpeningFile {
  readonly path: string;
  /** Removes it; what cannot be removed stays. */
  remove(): Promise<void>;
}

/**
 * Writes a file that has a browser open an address which is nobody else's affair: others on the machine can read command
 * lines, and not this file, nor see that it is there. Those that a server left behind that was killed are removed.
 * @param oldMs from which age on, in milliseconds
 * @throws PlanError STORAGE_FAILED, REFUSED where the folder is not the user's own
 */
export async function writeOpeningFile(
  environment: Pick<Environment, 'variables' | 'homeFolder' | 'now'>,
  url: string,
  oldMs: number,
): Promise<OpeningFile> {
  const folder = join(realFolder(baseFolder(environment)), 'frctl', 'serve');
  const path = join(folder, `open-${randomBytes(8).toString('hex')}.html`);
  try {
    await makeFolder(folder, OWN_FOLDER);
    makePrivate(folder);
    const isOld = (name: string) => environment.now() - lastWritten(join(folder, name)) > oldMs;
    for (const name of (await folderEntryNames(folder)).filter((each) => NAME.test(each) && isOld(each)))
      await remove(join(folder, name));
    await createFile(path, redirectTo(url), { permissions: { mode: OWN_FILE } });
  } catch (cause) {
    throw storageError('write', path, cause);
  }
  return { path, remove: () => remove(path) };
}

/** The user's folder for what lives as long as he is logged in; where there is none, that for what is kept between runs. */
function baseFolder({ variables, homeFolder }: Pick<Environment, 'variables' | 'homeFolder'>): string {
  const runtime = variables.XDG_RUNTIME_DIR ?? '';
  if (isAbsolute(runtime) && isPrivate(runtime)) return runtime;
  const state = variables.XDG_STATE_HOME ?? '';
  return isAbsolute(state) ? state : join(homeFolder, '.local', 'state');
}

/** Whether a path is a folder of this user that nobody else can look into. */
function isPrivate(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const own = process.getuid?.() ?? found?.uid;
  return found?.isDirectory() === true && found.uid === own && (found.mode & OTHERS) === 0;
}

/** @throws PlanError REFUSED */
function makePrivate(folder: string): void {
  // There are no such permissions.
  if (process.platform === 'win32') return;
  if (!isPrivate(folder)) chmodSync(folder, OWN_FOLDER);
  if (isPrivate(folder)) return;
  throw new PlanError('REFUSED', `${folder} is not a folder that only you can use`, {
    hint: { commandLine: 'Remove it; a new one is made when needed.' },
    details: { path: folder },
  });
}

async function remove(path: string): Promise<void> {
  await deleteFile(path).catch(() => false);
}

function redirectTo(url: string): string {
  const { host, port } = new URL(url);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="default-src 'none'">`,
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0; url=${url}">`,
    '<title>plan serve</title>',
    `<p>The page opens at http://${host}/. If the browser cannot find it, open the address that <code>plan serve</code> printed, with 127.0.0.1:${port} instead of ${host}.</p>`,
    '</html>',
    '',
  ].join('\n');
}
