import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { promisify } from 'node:util';

import type { SandboxKind } from '../../actions/tools/bindings.js';

const ORDER: readonly SandboxKind[] = ['none', 'workspace', 'read-only'];

/** The narrower of two sandboxes. */
export function narrower(a: SandboxKind, b: SandboxKind): SandboxKind {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/** What a sandboxed command can reach. */
export interface Confinement {
  readonly kind: Exclude<SandboxKind, 'none'>;
  readonly root: string;
  /** Folders of the workspace that cannot be written in any sandbox. */
  readonly guarded: readonly string[];
  /** Folders of the workspace that cannot be read either. */
  readonly hidden: readonly string[];
  /** Further folders that can be read. */
  readonly read: readonly string[];
  readonly network: boolean;
  /** Where it runs. */
  readonly folder: string;
}

const known = new WeakMap<object, Promise<boolean>>();

/** Whether bubblewrap is there and may make namespaces. It is tried once for each environment. */
export function hasSandbox(variables: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const found = known.get(variables) ?? tryOut(variables);
  known.set(variables, found);
  return found;
}

async function tryOut(variables: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const probe = ['--ro-bind', '/', '/', '--unshare-all', '--die-with-parent', '/bin/true'];
  try {
    await promisify(execFile)('bwrap', probe, { env: { PATH: variables.PATH ?? '' }, timeout: 10_000 });
    return true;
  } catch {
    return false;
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

/**
 * A command line that runs another one under bubblewrap: the system read-only, the workspace, and nothing else of the
 * machine; no network unless it is asked for; all of it ends with whoever started it.
 */
export function sandboxed(
  argv: readonly string[],
  { kind, root, guarded, hidden, read, network, folder }: Confinement,
): readonly string[] {
  return [
    'bwrap',
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--die-with-parent',
    '--new-session',
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
    ...within(root, guarded).flatMap((path) => ['--ro-bind', path, path]),
    ...within(root, hidden).flatMap((path) => ['--tmpfs', path]),
    '--setenv',
    'HOME',
    '/tmp',
    '--chdir',
    folder,
    '--',
    ...argv,
  ];
}

function within(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => isBelow(path, root) && existsSync(path));
}

/** On most systems /bin is a link to usr/bin, and stays one. */
function systemFolder(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
