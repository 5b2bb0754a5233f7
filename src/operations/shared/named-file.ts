import { basename, dirname, join, relative, resolve } from 'node:path';

import { fileKindNow } from '../../host/files/file-kind.js';
import { realFolder } from '../../host/files/folders.js';
import { isBelow } from '../../host/files/is-below.js';
import { readTextFile } from '../../host/files/text-files.js';
import { pathWithin } from '../../host/files/path-within.js';
import { workingTreeOf } from '../../host/git/git-folder.js';
import { PlanError } from '../../kernel/errors.js';
import { shellWord } from '../../kernel/text/shell-word.js';
import type { Context } from './context.js';

export { isWaitingForPipe } from '../../host/files/read-pipe.js';

/**
 * The path of a file that a command reads and changes where it is. A link in its place is not followed, because a
 * repository can bring one that leads to a file of the user; and the files of a store are changed by plans alone.
 * @throws PlanError INVALID_INPUT; USAGE for `-`
 */
export function fileToChange(context: Context, name: string): string {
  refuseStandardInput(name, 'it is read and written');
  if (name === '')
    throw new PlanError('INVALID_INPUT', 'the name of the file is empty', {
      hint: { commandLine: 'Name a text file.' },
    });
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
  const kept = store === null ? null : realFolder(store);
  if (kept === null || (real !== kept && !isBelow(real, kept))) return;
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
  throw new PlanError('INVALID_INPUT', `${place} leads to ${path}: a folder in it is a link`, {
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
  throw new PlanError('INVALID_INPUT', `${name} is not a plain file`, {
    hint: ['Name a text file; a folder, a pipe or a device is not read.'],
    details: { path },
  });
}

/**
 * The text of a file that a command reads once, as somebody names it; `-` is standard input.
 * @param mostBytes what is longer is refused
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT, STORAGE_FAILED; USAGE where there is no standard input, or it was read
 *   before
 */
export async function readNamedFile(
  { environment, standardInput }: Pick<Context, 'environment' | 'standardInput'>,
  name: string,
  mostBytes?: number,
): Promise<string> {
  if (name !== '-') return readGivenFile(environment, name, mostBytes);
  if (standardInput === undefined) throw new PlanError('USAGE', 'there is no standard input to read');
  const text = await standardInput();
  if (mostBytes !== undefined && Buffer.byteLength(text) > mostBytes)
    throw new PlanError('INVALID_INPUT', `standard input has more than ${mostBytes} bytes`);
  return text.replace(/^\uFEFF/, '');
}

/**
 * The text of a file that a command reads once, as somebody names it. A link that a repository can have brought is followed
 * within its working tree only: what it leads to elsewhere would get into a plan, and to a model, unseen.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT, STORAGE_FAILED
 */
export async function readGivenFile(
  { workingFolder }: Pick<Context['environment'], 'workingFolder'>,
  name: string,
  mostBytes?: number,
): Promise<string> {
  refuseLeadingOut({ workingFolder }, name);
  return readTextFile(resolve(workingFolder, name), mostBytes);
}

/**
 * Refuses the name of a file or folder in the working tree that leads out of it, or to what git keeps there.
 * @throws PlanError INVALID_INPUT
 */
export function refuseLeadingOut(
  { workingFolder }: Pick<Context['environment'], 'workingFolder'>,
  name: string,
): void {
  const tree = workingTreeOf(workingFolder);
  if (tree === null) return;
  const path = resolve(workingFolder, name);
  // The place as it is written, though the folder itself may be reached through links.
  const inFolder = isBelow(path, workingFolder) ? relative(workingFolder, path) : name;
  const place = resolve(realFolder(workingFolder), inFolder);
  const real = realFolder(path);
  const isInside = (one: string) => isBelow(one, tree.top) && !isBelow(one, tree.git);
  if (!isInside(place) || isInside(real)) return;
  throw new PlanError('INVALID_INPUT', `${name} is a link that leads out of the repository, to ${real}`, {
    hint: { commandLine: 'If that is what you want, name the file that it leads to.' },
    details: { path: real },
  });
}

/** How messages call a file that was named. */
export function calledFile(name: string): string {
  return name === '-' ? 'standard input' : name;
}

/** Returns what a command in a hint names a file by that messages call so; FILE for standard input, which is over. */
export function fileWord(called: string): string {
  return called === calledFile('-') ? 'FILE' : shellWord(called);
}

/**
 * Refuses standard input where a file is needed that is there later too, or that is written.
 * @param why what needs it, as a sentence
 * @throws PlanError USAGE
 */
export function refuseStandardInput(name: string | undefined, why: string): void {
  if (name !== '-') return;
  throw new PlanError('USAGE', `- is standard input, and a file is needed here: ${why}`, {
    hint: { commandLine: 'Name a file. One that is called - is named ./-.' },
  });
}

/** The file that is named for the output of a command; undefined for standard output, which `-` is as elsewhere. */
export function fileOfOutput(name: string | undefined): string | undefined {
  return name === '-' ? undefined : name;
}
