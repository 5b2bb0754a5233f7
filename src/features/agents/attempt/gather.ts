import { isUtf8 } from 'node:buffer';
import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import type { Git } from './git.js';
import { foldedPath, isSecretFile, secretsIn } from './forbidden.js';
import type { ChangedFile } from './forbidden.js';

const MOST_FILES = 2000;
const MOST_BYTES = 50 * 1024 * 1024;
const SHOWN = 5;
/** How a merge of two commits marks what it could not put together. */
const CONFLICT_MARKER = /^[<>]{7,1000} [0-9a-f]{40,64}\r?$/m;

/** What each part of a conflict begins with, whoever has left it. */
const PARTS = ['<<<<<<< ', '=======', '>>>>>>> '];

/** What an agent changed, as one commit; or why the try fails. */
export type Gathered =
  { readonly commit: string; readonly files: readonly ChangedFile[] } | { readonly problem: string };

export interface GatherOptions {
  readonly tree: string;
  readonly from: string;
  readonly message: string;
  /** Who commits: the user. */
  readonly identity: readonly string[];
}

/**
 * Makes one commit of what differs from where the agent began. Its own repository and commits count for nothing.
 * @param git frctl's own git on the tree
 */
export async function gather(git: Git, { tree, from, message, identity }: GatherOptions): Promise<Gathered> {
  const found = await lstat(tree).catch(() => null);
  if (found?.isDirectory() !== true) return { problem: 'the agent removed the folder that it worked in' };
  await git(['read-tree', from]);
  const [listed, staged] = await Promise.all([
    git.bytes(['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard']),
    git(['ls-files', '-z', '--stage']),
  ]);
  const modules = submodulesIn(staged);
  const names = [...new Set(listed.toString('latin1').split('\0'))].map((name) =>
    Buffer.from(name, 'latin1'),
  );
  const paths = names
    .map((name) => name.toString('utf8'))
    .filter((path) => path !== '' && !isLeftOut(path) && !modules.has(path));
  const unnamed = names.find((name) => !isUtf8(name) && !isLeftOut(name.toString('utf8')));
  if (unnamed !== undefined)
    return {
      problem: `the name of ${unnamed.toString('utf8')} is no UTF-8, and such files cannot be landed`,
    };
  const nested = paths.find((path) => path.endsWith('/'));
  if (nested !== undefined)
    return { problem: `${nested} is a repository of its own, which cannot be landed` };
  if (paths.length > MOST_FILES)
    return { problem: `${paths.length} files changed; at most ${MOST_FILES} are landed` };
  const looked = await lookAt(git, tree, from, paths);
  if ('problem' in looked) return looked;
  // Git refuses to look at what is behind a link; it is gone for the repository.
  const update = async (how: readonly string[], some: readonly string[]) =>
    some.length > 0 &&
    git(['update-index', '-z', ...how, '--stdin'], some.map((path) => `${path}\0`).join(''));
  await update(['--force-remove'], [...looked.gone]);
  await update(
    ['--add', '--replace'],
    paths.filter((path) => !looked.gone.has(path)),
  );
  const written = (await git(['write-tree'])).trim();
  const [made, changed] = await Promise.all([
    git([...identity, 'commit-tree', written, '-p', from, '-F', '-'], message),
    git(['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, written]),
  ]);
  if (changed === '') return { problem: 'the agent changed nothing' };
  return { commit: made.trim(), files: changedFiles(changed, looked) };
}

/** The store of plans changes by commands alone; what is one of these on some disk is in no commit. */
function isLeftOut(path: string): boolean {
  return foldedPath(path)
    .split('/')
    .some((part) => part === '.plans' || part === '.git');
}

/** Where other repositories are linked in: their folders are empty here, and stay as they are. */
function submodulesIn(staged: string): ReadonlySet<string> {
  const lines = staged.split('\0').filter((line) => line.startsWith('160000 '));
  return new Set(lines.map((line) => line.slice(line.indexOf('\t') + 1)));
}

/** Whether a path leads through one of these links. */
function isBehind(links: ReadonlySet<string>, path: string): boolean {
  if (links.size === 0) return false;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (links.has(path.slice(0, at))) return true;
  return false;
}

/** Where changed links lead that must not, by their paths. */
type Leading = ReadonlyMap<string, ChangedFile['leads']>;

async function lookAt(
  git: Git,
  tree: string,
  from: string,
  paths: readonly string[],
): Promise<
  | { readonly leading: Leading; readonly gone: ReadonlySet<string>; readonly empty: ReadonlySet<string> }
  | { readonly problem: string }
> {
  const leading = new Map<string, ChangedFile['leads']>();
  const [links, gone, empty] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const path of paths)
    if ((await lstat(join(tree, path)).catch(() => null))?.isSymbolicLink() === true) links.add(path);
  const secrets: string[] = [];
  let size = 0;
  for (const path of paths) {
    const file = join(tree, path);
    const found = await lstat(file).catch(() => null);
    if (found === null || isBehind(links, path)) {
      gone.add(path);
      continue;
    }
    if (found.isSymbolicLink()) {
      leading.set(path, await placeOfLink(file, tree));
      continue;
    }
    if (!found.isFile()) return { problem: `${path} is neither a file nor a link` };
    size += found.size;
    if (size > MOST_BYTES) return { problem: `more than ${MOST_BYTES / 1024 / 1024} MB changed` };
    const text = await readFile(file, 'latin1').catch(() => null);
    if (text === null) return { problem: `${path} cannot be read` };
    if (text.trim() === '') empty.add(path);
    if (CONFLICT_MARKER.test(text) || (await bringsConflict(git, from, path, text)))
      return { problem: `${path} holds conflict markers that nobody has resolved` };
    if (await bringsSecret(git, from, path, text)) secrets.push(path);
  }
  if (secrets.length === 0) return { leading, gone, empty };
  return { problem: `what looks like a secret is in ${secrets.slice(0, SHOWN).join(', ')}` };
}

/** Whether a text has more of the three parts of a conflict than it had, which documents and tests may have. */
async function bringsConflict(git: Git, from: string, path: string, text: string): Promise<boolean> {
  const found = conflictsIn(text);
  if (found === 0) return false;
  const before = await git.bytes(['cat-file', 'blob', `${from}:${path}`]).catch(() => null);
  return found > (before === null ? 0 : conflictsIn(before.toString('latin1')));
}

function conflictsIn(text: string): number {
  let parts = 0;
  for (const line of text.split('\n')) {
    const next = PARTS[parts % PARTS.length] ?? '';
    if (line.startsWith(next) && (next.endsWith(' ') || line.trimEnd() === next)) parts += 1;
  }
  return Math.floor(parts / PARTS.length);
}

async function bringsSecret(git: Git, from: string, path: string, text: string): Promise<boolean> {
  const found = secretsIn(text);
  if (found.length === 0 && !isSecretFile(path)) return false;
  const before = await git.tried(['cat-file', 'blob', `${from}:${path}`]);
  return before === null || found.some((secret) => !before.includes(secret));
}

function changedFiles(
  listed: string,
  { leading, empty }: { readonly leading: Leading; readonly empty: ReadonlySet<string> },
): readonly ChangedFile[] {
  const parts = listed.split('\0');
  const files: ChangedFile[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [status = '', path = ''] = parts.slice(index, index + 2);
    const isDeleted = status === 'D' || status === 'T' || (status === 'M' && empty.has(path));
    files.push({ path, isDeleted, leads: leading.get(path) ?? null });
  }
  return files;
}

/** Returns where a link leads that must not; null for one that stays within. Other links on its way are followed. */
async function placeOfLink(file: string, tree: string): Promise<ChangedFile['leads']> {
  const target = await readlink(file);
  const [to, top] = await Promise.all([realOf(`${dirname(file)}/${target}`), realpath(tree)]);
  if (isAbsolute(target) || !isBelow(to, top)) return 'out of the repository';
  // What is a link itself in the clone may be something else where the work lands.
  return isLeftOut(target) || isLeftOut(relative(top, to)) ? 'into .git or .plans' : null;
}

/** Returns the real path of what there is of a path, with the rest as it is; `..` means what it does for the system. */
async function realOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realOf(dirname(path)), basename(path));
}
