import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { firstOf } from '../../../kernel/text/first-of.js';
import { findChanged, findDropped, isLeftOut } from './find-changed.js';
import type { Worked } from './find-changed.js';
import type { Git } from './git.js';
import { foldedPath, isSecretFile, secretsIn } from './forbidden.js';
import type { ChangedFile } from './forbidden.js';

const MOST_FILES = 2000;
const MOST_BYTES = 50 * 1024 * 1024;
/** How a merge of two commits marks what it could not put together. */
const CONFLICT_MARKER = /^[<>]{7,1000} [0-9a-f]{40,64}\r?$/m;

/** What each part of a conflict begins with, whoever has left it. */
const PARTS = ['<<<<<<< ', '=======', '>>>>>>> '];

/** What an agent changed, as one commit; null where there is nothing to commit. */
export interface Gathered {
  readonly commit: string | null;
  readonly files: readonly ChangedFile[];
  /** Why it cannot be landed; null where it can. */
  readonly problem: string | null;
  /** What cannot land, and is not in the commit either. */
  readonly left: readonly string[];
}

export interface GatherOptions extends Worked {
  readonly message: string;
  /** Who commits: the user. */
  readonly identity: readonly string[];
}

/**
 * Makes one commit of what differs from where the agent began. Its own repository and commits count for nothing. What cannot
 * be landed is committed too, as far as it can be, so that it is kept; what looks like a secret is not.
 * @param git frctl's own git on the tree
 */
export async function gather(git: Git, options: GatherOptions): Promise<Gathered> {
  const { tree, from, message, identity } = options;
  const found = await lstat(tree).catch(() => null);
  if (found?.isDirectory() !== true)
    return { commit: null, files: [], left: [], problem: 'the agent removed the folder that it worked in' };
  await git(['read-tree', from]);
  const changed = await findChanged(git, options);
  const { length } = changed.paths;
  const tooMany = length > MOST_FILES ? `${length} files changed; at most ${MOST_FILES} are landed` : null;
  const paths = smallestFirst([...changed.paths, ...changed.inner]);
  const looked = await lookAt(git, tree, from, paths);
  // Git refuses to look at what is behind a link; it is gone for the repository.
  const update = async (how: readonly string[], some: readonly string[]) =>
    some.length > 0 &&
    git(['update-index', '-z', ...how, '--stdin'], some.map((path) => `${path}\0`).join(''));
  await update(['--force-remove'], [...looked.gone]);
  await update(
    ['--add', '--replace'],
    paths.filter((path) => !looked.gone.has(path) && !looked.left.has(path)),
  );
  const written = (await git(['write-tree'])).trim();
  const listed = await git(['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, written]);
  const problem = changed.problem ?? tooMany ?? looked.problem;
  const left = [...changed.left, ...looked.left];
  if (listed === '') {
    const dropped = problem === null ? await findDropped(git, options, changed.leftOut) : [];
    return { commit: null, files: [], left, problem: problem ?? nothingChanged(dropped) };
  }
  const made = await git([...identity, 'commit-tree', written, '-p', from, '-F', '-'], message);
  return { commit: made.trim(), files: await changedFiles(git, listed, looked), left, problem };
}

/** Returns why a try failed, with what of it is kept nowhere. */
export function withLeft(problem: string, left: readonly string[]): string {
  return left.length === 0 ? problem : `${problem}; not kept: ${firstOf(left)}`;
}

function nothingChanged(dropped: readonly string[]): string {
  const but = dropped.length === 0 ? '' : ` but what git ignores or nobody may land: ${firstOf(dropped)}`;
  return `the agent changed nothing${but}`;
}

/** Returns the topmost folder that a path leads through. */
const placeOf = (path: string) => path.slice(0, path.indexOf('/') + 1);

/** Puts files of a crowd, such as installed packages, last, so that nothing else has to give way to them. */
function smallestFirst(paths: readonly string[]): readonly string[] {
  if (paths.length <= MOST_FILES) return paths;
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(placeOf(path), (counts.get(placeOf(path)) ?? 0) + 1);
  const countOf = (path: string) => counts.get(placeOf(path)) ?? 0;
  return paths.toSorted((one, other) => countOf(one) - countOf(other));
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

/** What is found in changed files. */
interface Looked {
  readonly leading: Leading;
  readonly gone: ReadonlySet<string>;
  readonly empty: ReadonlySet<string>;
  /** What is not committed. */
  readonly left: ReadonlySet<string>;
  readonly problem: string | null;
}

async function lookAt(git: Git, tree: string, from: string, paths: readonly string[]): Promise<Looked> {
  const leading = new Map<string, ChangedFile['leads']>();
  const [links, gone] = [new Set<string>(), new Set<string>()];
  const [empty, left] = [new Set<string>(), new Set<string>()];
  for (const path of paths)
    if ((await lstat(join(tree, path)).catch(() => null))?.isSymbolicLink() === true) links.add(path);
  const secrets: string[] = [];
  let problem: string | null = null;
  let size = 0;
  const leave = (path: string, why: string) => {
    left.add(path);
    problem ??= why;
  };
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
    if (!found.isFile()) {
      leave(path, `${path} is neither a file nor a link`);
      continue;
    }
    if (size + found.size > MOST_BYTES) {
      leave(path, `more than ${MOST_BYTES / 1024 / 1024} MB changed`);
      continue;
    }
    const text = await readFile(file, 'latin1').catch(() => null);
    if (text === null) {
      leave(path, `${path} cannot be read`);
      continue;
    }
    size += found.size;
    if (text.trim() === '') empty.add(path);
    if (CONFLICT_MARKER.test(text) || (await bringsConflict(git, from, path, text)))
      problem ??= `${path} holds conflict markers that nobody has resolved`;
    if (await bringsSecret(git, from, path, text)) secrets.push(path);
  }
  for (const path of secrets) left.add(path);
  if (secrets.length > 0) problem ??= `what looks like a secret is in ${firstOf(secrets)}`;
  return { leading, gone, empty, left, problem };
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

/** Returns the files of which git lists how they changed. */
async function changedFiles(
  git: Git,
  listed: string,
  { leading, empty }: Pick<Looked, 'leading' | 'empty'>,
): Promise<readonly ChangedFile[]> {
  const parts = listed.split('\0');
  const files: (ChangedFile & { readonly status: string })[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [status = '', path = ''] = parts.slice(index, index + 2);
    const isDeleted = status === 'D' || status === 'T' || (status === 'M' && empty.has(path));
    files.push({ path, status, isDeleted, leads: leading.get(path) ?? null });
  }
  const added = files.flatMap(({ path, status }) => (status === 'A' ? [path] : []));
  const twins = await twinsOf(git, added);
  return files.map(({ path, isDeleted, leads }) => ({
    path,
    isDeleted,
    leads,
    twin: twins.get(path) ?? null,
  }));
}

/** Finds for files that are new in the index another one that some disk takes for the same. */
async function twinsOf(git: Git, added: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const twins = new Map<string, string>();
  if (added.length === 0) return twins;
  const names = new Map(added.map((path) => [foldedPath(path), path]));
  for (const path of (await git(['ls-files', '-z'])).split('\0')) {
    const name = names.get(foldedPath(path));
    if (name !== undefined && name !== path) twins.set(name, path);
  }
  return twins;
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
