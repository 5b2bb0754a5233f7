import { basename, dirname, join, resolve } from 'node:path';

import { fileKindNow } from '../../host/files/file-kind.js';
import { realFolder } from '../../host/files/folders.js';
import { isBelow } from '../../host/files/is-below.js';
import { pathWithin } from '../../host/files/path-within.js';
import { PlanError } from '../../kernel/errors.js';
import type { Context } from './context.js';

/**
 * The path of a file that a command reads and changes where it is. A link in its place is not followed, because a
 * repository can bring one that leads to a file of the user; and the files of a store are changed by plans alone.
 * @throws PlanError INVALID_INPUT
 */
export function fileToChange(context: Context, name: string): string {
  const path = resolve(context.environment.workingFolder, name);
  const real = join(realFolder(dirname(path)), basename(path));
  const kind = fileKindNow(real);
  if (kind === 'link' || kind === 'other')
    throw new PlanError('INVALID_INPUT', `${name} is ${kind === 'link' ? 'a link' : 'no file'}`, {
      hint: { commandLine: kind === 'link' ? 'Name the file that it leads to.' : 'Name a text file.' },
      details: { path: real },
    });
  refuseInStore(context, name, real);
  return real;
}

/**
 * The path of a file that a command writes its output to, links followed: none of a store, whose files are changed by plans
 * alone.
 * @throws PlanError INVALID_INPUT
 */
export function fileToWrite(context: Context, name: string): string {
  const path = resolve(context.environment.workingFolder, name);
  refuseInStore(context, name, realFolder(path));
  return path;
}

/** @throws PlanError INVALID_INPUT */
function refuseInStore(context: Context, name: string, real: string): void {
  const store = context.storeFolder();
  if (store === null || !isBelow(real, realFolder(store))) return;
  throw new PlanError('INVALID_INPUT', `${name} is in ${store}, where plans are kept`, {
    hint: ['Name a file elsewhere.'],
    details: { path: real },
  });
}

/**
 * The path of a file that a command reads and changes at a place of its own choice, such as a hidden folder: nobody named it, so
 * that no folder on the way may be a link either, with which a repository could lead out of itself.
 * @throws PlanError INVALID_INPUT
 */
export function ownFileToChange(context: Context, place: string): string {
  const path = fileToChange(context, place);
  if (path === join(realFolder(context.environment.workingFolder), place)) return path;
  throw new PlanError('INVALID_INPUT', `${place} leads to ${path}: a folder of it is a link`, {
    hint: ['If the link is intended, name what it leads to; otherwise remove it.'],
    details: { path },
  });
}

/**
 * The path of a file of the project that somebody else names, an agent for instance: it must lie in the folder where the
 * process was started, links followed.
 * @throws PlanError FILE_NOT_FOUND, REFUSED for one outside, INVALID_INPUT for a folder, and for a pipe or a device, which
 *   could be waited for without end
 */
export async function fileOfProject(
  { environment }: Pick<Context, 'environment'>,
  name: string,
): Promise<string> {
  const path = await pathWithin(name, environment.workingFolder, [environment.workingFolder]);
  if (fileKindNow(path) === 'file') return path;
  throw new PlanError('INVALID_INPUT', `${name} is no plain file`, {
    hint: ['Name a text file; a folder, a pipe or a device is not read.'],
    details: { path },
  });
}

/** The file that is named for the output of a command; undefined for standard output, which `-` is as elsewhere. */
export function fileOfOutput(name: string | undefined): string | undefined {
  return name === '-' ? undefined : name;
}
