import { isUtf8 } from 'node:buffer';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { firstOf } from '../../../kernel/text/first-of.js';
import { foldedPath } from './forbidden.js';
import type { Git } from './git.js';

/** Where an agent worked. */
export interface Worked {
  readonly tree: string;
  readonly from: string;
  /** Ignored files that it was given. */
  readonly copy: readonly string[];
}

/** What differs in a tree from where the agent began. */
interface Changed {
  readonly paths: readonly string[];
  /** What of it is in no commit of its own, and is kept all the same: files in other repositories. */
  readonly inner: readonly string[];
  /** What cannot be kept either. */
  readonly left: readonly string[];
  /** What belongs to git or to the store of plans. */
  readonly leftOut: readonly string[];
  /** Why it cannot be landed; null where it can. */
  readonly problem: string | null;
}

const UNTRACKED = ['ls-files', '-z', '--others', '--exclude-standard'];

/**
 * Finds what differs in a tree from the commit that the index is read from.
 * @param git frctl's own git on the tree
 */
export async function findChanged(git: Git, worked: Worked): Promise<Changed> {
  const [listed, staged] = await Promise.all([
    git.bytes([...UNTRACKED, '--modified', '--deleted']),
    git(['ls-files', '-z', '--stage']),
  ]);
  const modules = submodulesIn(staged);
  const { named, unnamed } = namesIn(listed);
  const changed = named.filter((path) => !modules.has(path));
  const paths = changed.filter((path) => !isLeftOut(path) && !path.endsWith('/'));
  const nested = changed.filter((path) => !isLeftOut(path) && path.endsWith('/'));
  const { filled, replaced } = await filledModules(modules, worked);
  const within = await filesWithin(git, worked, [...nested, ...filled]);
  const left = [...unnamed, ...within.unnamed];
  return {
    paths: [...paths, ...replaced],
    inner: within.files,
    left,
    leftOut: changed.filter(isLeftOut),
    problem: problemOf({ unnamed, nested, filled, replaced, inner: within.files }),
  };
}

function problemOf({
  unnamed: [unnamed],
  nested: [nested],
  filled: [filled],
  replaced: [replaced],
  inner,
}: Readonly<Record<'unnamed' | 'nested' | 'filled' | 'replaced' | 'inner', readonly string[]>>):
  string | null {
  if (unnamed !== undefined) return `the name of ${unnamed} is no UTF-8, and such files cannot be landed`;
  if (nested !== undefined) return `${nested} is a repository of its own, which cannot be landed`;
  if (replaced !== undefined) return `${replaced} is a submodule, and nothing can be landed in its place`;
  if (filled === undefined) return null;
  const files = inner.filter((path) => path.startsWith(filled));
  const what = files.length === 0 ? '' : ` (${firstOf(files)})`;
  return `${filled} is a submodule, and what is in its folder cannot be landed${what}: leave it empty`;
}

/** Returns what an agent has changed beside what can land: ignored files, and those of git or the store of plans. */
export async function findDropped(
  git: Git,
  { tree, copy }: Worked,
  leftOut: readonly string[],
): Promise<readonly string[]> {
  const ignored = await git.bytes([...UNTRACKED, '--ignored', '--directory']);
  const isGiven = (path: string) => copy.some((name) => isWithin(join(tree, path), join(tree, name)));
  return [...leftOut, ...namesIn(ignored).named.filter((path) => !isGiven(path))];
}

/** The store of plans changes by commands alone; what is one of these on some disk is in no commit. */
export function isLeftOut(path: string): boolean {
  return foldedPath(path)
    .split('/')
    .some((part) => part === '.plans' || part === '.git');
}

/** The names that git lists, and those that are no UTF-8. */
function namesIn(listed: Buffer): { readonly named: readonly string[]; readonly unnamed: readonly string[] } {
  const [named, unnamed] = [new Set<string>(), new Set<string>()];
  for (const part of listed.toString('latin1').split('\0')) {
    const bytes = Buffer.from(part, 'latin1');
    const name = bytes.toString('utf8');
    if (isUtf8(bytes)) named.add(name);
    else if (!isLeftOut(name)) unnamed.add(name);
  }
  named.delete('');
  return { named: [...named], unnamed: [...unnamed] };
}

/** Where other repositories are linked in: their folders are empty here, and stay as they are. */
function submodulesIn(staged: string): ReadonlySet<string> {
  const lines = staged.split('\0').filter((line) => line.startsWith('160000 '));
  return new Set(lines.map((line) => line.slice(line.indexOf('\t') + 1)));
}

/** Finds the folders of submodules that something is in, but for those that the agent got full, and what stands in the place of one. */
async function filledModules(
  modules: ReadonlySet<string>,
  { tree, copy }: Worked,
): Promise<{ readonly filled: readonly string[]; readonly replaced: readonly string[] }> {
  const [filled, replaced]: [string[], string[]] = [[], []];
  const top = modules.size === 0 ? tree : await realpath(tree);
  for (const path of modules) {
    const folder = join(top, path);
    const found = await lstat(folder).catch(() => null);
    const isGiven = copy.some((name) => {
      const given = join(top, name);
      return isWithin(folder, given) || isWithin(given, folder);
    });
    if (found === null || isGiven) continue;
    if (!found.isDirectory()) replaced.push(path);
    // Behind a link that an agent has made is something else.
    else if ((await realpath(folder)) === folder && (await readdir(folder)).length > 0)
      filled.push(`${path}/`);
  }
  return { filled, replaced };
}

const isWithin = (path: string, folder: string) => path === folder || isBelow(path, folder);

/** Lists files in folders that git takes for other repositories; what these ignore is left out. */
async function filesWithin(
  git: Git,
  { tree, from }: Worked,
  folders: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly unnamed: readonly string[] }> {
  if (folders.length === 0) return { files: [], unnamed: [] };
  const [files, unnamed]: [string[], string[]] = [[], []];
  // Names in them are not those of the files above.
  await git(['read-tree', '--empty']);
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const found = namesIn(await git.bytes([`--work-tree=${join(tree, folder)}`, ...UNTRACKED]));
    for (const name of found.unnamed) unnamed.push(folder + name);
    for (const name of found.named)
      if (!isLeftOut(name)) (name.endsWith('/') ? open : files).push(folder + name);
  }
  await git(['read-tree', from]);
  return { files, unnamed };
}
