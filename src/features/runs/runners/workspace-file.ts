import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { errorCode } from '../../../host/files/storage-error.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { RefusedCall } from './outcomes.js';
import type { RunnerEnvironment } from './runner-environment.js';

/** A file of the workspace, as a path in which no folder is a link. */
export interface WorkspaceFile {
  /** The real path of its folder, joined with its name; what the name leads to is not followed. */
  readonly path: string;
  /** Relative to the workspace, with `/`. */
  readonly name: string;
}

/**
 * Where a name leads, below the root of a tool within the workspace. Folders on the way may be links as long as they
 * stay within; the file itself is never reached through one.
 * @param root the tool's, relative to the workspace
 * @throws RefusedCall for a name that is absolute, leads out, or lies in `.git`, `.plans` or a folder that is forbidden
 */
export async function workspaceFile(
  name: string,
  root: string | undefined,
  environment: RunnerEnvironment,
): Promise<WorkspaceFile> {
  refuseName(name);
  const base = await realOf(resolve(environment.root, root ?? '.'));
  refuseOutside(base, environment.root, name);
  const wanted = resolve(base, name);
  refuseOutside(wanted, base, name);
  const path = wanted === base ? base : join(await realOf(dirname(wanted)), basename(wanted));
  // The root of a tool is the file's own folder when that is a link within it.
  refuseOutside(path, base, name);
  return { path, name: allowedName(path, environment) };
}

/**
 * Refuses a name that is refused whatever files and links there are.
 * @param root the tool's, relative to the workspace
 * @throws RefusedCall as {@link workspaceFile} does
 */
export function refuseFileName(name: string, root: string | undefined, environment: RunnerEnvironment): void {
  refuseName(name);
  const base = resolve(environment.root, root ?? '.');
  const wanted = resolve(base, name);
  refuseOutside(wanted, base, name);
  allowedName(wanted, environment);
}

/** A path relative to the workspace, with `/`. @throws RefusedCall for one that is not for tools */
function allowedName(path: string, { root, forbidden }: RunnerEnvironment): string {
  const shown = relative(root, path).split(sep).join('/');
  if (
    shown.split('/').some((part) => /^\.(?:git|plans)$/i.test(part)) ||
    forbidden.some((one) => path === one || isBelow(path, one))
  )
    throw new RefusedCall(
      'POLICY_DENIED',
      `${shown} is not for tools: neither .git, nor .plans, nor your own config`,
    );
  return shown;
}

function refuseName(name: string): void {
  if (name === '' || name.includes('\0'))
    throw new RefusedCall('VALIDATION_ERROR', 'this is not the name of a file');
  if (/^(?:[/\\]|[A-Za-z]:)/.test(name) || name.split(/[/\\]/).includes('..'))
    throw new RefusedCall(
      'VALIDATION_ERROR',
      `${JSON.stringify(truncate(name, 200))} leads out of the tool’s folder`,
    );
}

function refuseOutside(path: string, root: string, name: string): void {
  if (path === root || isBelow(path, root)) return;
  throw new RefusedCall(
    'VALIDATION_ERROR',
    `${JSON.stringify(truncate(name, 200))} leads out of the workspace`,
  );
}

/** The real path of a folder, as far as it exists; what is missing below that has no links yet. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT' || dirname(path) === path) throw unusable(cause);
    // A link that leads nowhere is there, and would be followed by whoever makes the folder.
    if ((await lstat(path).catch(() => null)) !== null)
      throw new RefusedCall('VALIDATION_ERROR', `${basename(path)} is a link that leads nowhere`);
    return join(await realOf(dirname(path)), basename(path));
  }
}

function unusable(cause: unknown): RefusedCall {
  return new RefusedCall('VALIDATION_ERROR', `the folder cannot be used: ${errorCode(cause) ?? 'unknown'}`);
}
