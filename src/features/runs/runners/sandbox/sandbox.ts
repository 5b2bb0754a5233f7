import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { isBelow } from '../../../../host/files/is-below.js';
import { findHelper } from '../../../../host/processes/find-helper.js';
import type { HelperSearch } from '../../../../host/processes/find-helper.js';
import type { SandboxKind } from '../../../actions/tools/bindings.js';
import type { WorkspaceGuard } from './guard.js';

const ORDER: readonly SandboxKind[] = ['none', 'workspace', 'read-only'];

/** The narrower of two sandboxes. */
export function narrower(a: SandboxKind, b: SandboxKind): SandboxKind {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/** What a sandboxed command can reach. Paths are real ones. */
export interface Confinement {
  /** The absolute path of bubblewrap. */
  readonly program: string;
  readonly kind: Exclude<SandboxKind, 'none'>;
  readonly root: string;
  /** Places of the workspace that stay as they are, with what is mounted so that none is moved away. */
  readonly guard: Pick<WorkspaceGuard, 'pinned' | 'readOnly'>;
  /** Folders that cannot be read, wherever they are. */
  readonly hidden: readonly string[];
  /** Further folders that can be read. */
  readonly read: readonly string[];
  readonly network: boolean;
  /** The home of the command, which it may write; `/tmp` when left out. */
  readonly home?: string | undefined;
  /** Further folders and files that it may write: where they are, and where the command sees them. */
  readonly write?: readonly (readonly [path: string, seen: string])[] | undefined;
  /** Where it runs. */
  readonly folder: string;
  /** What the command gets for its environment. */
  readonly variables: Readonly<Record<string, string>>;
}

const known = new WeakMap<object, Map<string, Promise<string | null>>>();

/**
 * Finds bubblewrap by the user's PATH, and tries whether it may make namespaces; once for each environment and folder.
 * @param folder the workspace: no program of it is taken
 * @returns its absolute path; null where there is none that works
 */
export function findSandbox(variables: HelperSearch['variables'], folder: string): Promise<string | null> {
  const ofVariables = known.get(variables) ?? new Map<string, Promise<string | null>>();
  known.set(variables, ofVariables);
  const found = ofVariables.get(folder) ?? tryOut(findHelper('bwrap', { variables, folder }));
  ofVariables.set(folder, found);
  return found;
}

async function tryOut(program: string | null): Promise<string | null> {
  if (program === null) return null;
  const probe = ['--ro-bind', '/', '/', '--unshare-all', '--die-with-parent', '/bin/true'];
  try {
    await promisify(execFile)(program, probe, { env: {}, timeout: 10_000 });
    return program;
  } catch {
    return null;
  }
}

/** The system's own folders and files; what is not there is left out. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'fonts',
  'group',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki',
  'resolv.conf',
  'ssl',
  'timezone',
].map((name) => join('/etc', name));

/** A command line that bubblewrap runs, and what it reads on descriptor 3. */
export interface SandboxedCommand {
  readonly argv: readonly string[];
  readonly options: string;
}

/**
 * A command line that runs another one under bubblewrap: the system read-only, the workspace, and nothing else of the
 * machine; no network unless it is asked for; no right of root's; all of it ends with whoever started it. Its variables
 * stand among the options, which nobody else sees: bubblewrap itself runs with none of them.
 */
export function sandboxed(
  argv: readonly string[],
  { program, kind, root, guard, hidden, read, network, folder, variables, home, write = [] }: Confinement,
): SandboxedCommand {
  const isSeen = (path: string) =>
    existsSync(path) && [root, ...read].some((one) => path === one || isBelow(path, one));
  const options = [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--die-with-parent',
    '--new-session',
    // Who runs as root could take mounts away.
    '--cap-drop',
    'ALL',
    ...SYSTEM.flatMap(systemFolder),
    ...SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    ...read.flatMap((path) => ['--ro-bind', path, path]),
    kind === 'workspace' ? '--bind' : '--ro-bind',
    root,
    root,
    ...guard.pinned.flatMap((path) => ['--bind', path, path]),
    ...guard.readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...(home === undefined ? [] : ['--bind', home, home]),
    ...write.flatMap(([path, seen]) => ['--bind', path, seen]),
    ...hidden.filter(isSeen).flatMap((path) => ['--tmpfs', path]),
    ...Object.entries({ ...variables, HOME: home ?? '/tmp' }).flatMap(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
    '--chdir',
    folder,
  ];
  return {
    argv: [program, '--args', '3', '--', ...argv],
    options: options.map((word) => `${word}\0`).join(''),
  };
}

/** On most systems /bin is a link to usr/bin, and stays one. */
function systemFolder(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
