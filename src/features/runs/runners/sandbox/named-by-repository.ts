import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { gitFolderOf } from '../../../../host/git/git-folder.js';
import { runGit } from '../../../../host/git/run-git.js';
import { isProgramName } from '../programs/held-file.js';

/** What a repository names that runs with it: files and folders that are there, and names of what is not. */
export interface NamedByRepository {
  readonly there: readonly string[];
  readonly absent: readonly string[];
}

/** A setting of git: its key in small letters, its value, and the file that it is in, where it is in one. */
interface Setting {
  readonly origin: string | null;
  readonly key: string;
  readonly value: string;
}

/** The longest configuration or hook that is looked into, in bytes. */
const MOST_TEXT = 256 * 1024;
/** What git prints of all configurations, and how long that may take: one may include a pipe. */
const MOST_PRINTED = 4 * 1024 * 1024;
const LONGEST_MS = 5000;
/** Settings whose whole value is a path. */
const INCLUDES = /^include(?:if\..*)?\.path$/;
const PATHS = new RegExp(`^core\\.hookspath$|${INCLUDES.source}`);

/**
 * Finds what the repository of a working tree names that runs with it: by its own configuration, what that includes, and
 * that of the user, and by its hooks.
 * @param variables those of the user, with his home
 */
export async function namedByRepository(
  top: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<NamedByRepository> {
  const git = gitFolderOf(top);
  if (git === null) return { there: [], absent: [] };
  const common = await readFile(join(git, 'commondir'), 'utf8').catch(() => '.');
  const shared = resolve(git, common.trim());
  const told = await settingsOf(top, variables);
  const read = await Promise.all(
    [join(shared, 'config'), join(git, 'config.worktree')].map(async (path) =>
      settingsIn(path, await textOf(path)),
    ),
  );
  const settings = [...told.settings, ...read.flat()];
  const home = variables.HOME ?? '/';
  const paths = mergedPaths(
    settings.flatMap((setting) => {
      const { key, origin } = setting;
      // What a configuration includes lies beside it.
      const bases = INCLUDES.test(key) && origin !== null ? [dirname(origin)] : [top, git, shared];
      return pathsOf(setting, home).flatMap((one) =>
        bases.map((base) => ({ ...one, path: resolve(base, one.path) })),
      );
    }),
  );
  const looked = await Promise.all(
    paths.map(async (one) => ({ ...one, found: await stat(one.path).catch(() => null) })),
  );
  const there = looked.filter(({ found, isPath }) => found !== null && (found.isFile() || isPath));
  const hooks = [
    join(shared, 'hooks'),
    ...there.filter(({ found }) => found?.isDirectory()).map(({ path }) => path),
  ];
  return {
    there: [
      git,
      shared,
      ...told.files,
      ...there.map(({ path }) => path),
      ...(await Promise.all(hooks.map((folder) => namedByHooks(folder, top)))).flat(),
    ],
    absent: looked.filter(({ found, isAwaited }) => found === null && isAwaited).map(({ path }) => path),
  };
}

/** Asks git for all that is set for a working tree, and in which files. Nothing where git does not answer. */
async function settingsOf(
  top: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly settings: readonly Setting[]; readonly files: readonly string[] }> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const options = { top, variables, signal, mostBytes: MOST_PRINTED };
  const printed = await runGit(['config', '--list', '--show-origin', '--includes', '-z'], options).catch(
    () => null,
  );
  const parts = printed?.toString('utf8').split('\0') ?? [];
  const files = new Set<string>();
  const settings = parts.flatMap((part, index) => {
    if (index % 2 === 0) return [];
    const from = parts[index - 1] ?? '';
    const origin = from.startsWith('file:') ? resolve(top, from.slice('file:'.length)) : null;
    if (origin !== null) files.add(origin);
    const end = part.indexOf('\n');
    if (end === -1) return [];
    return [{ origin, key: part.slice(0, end).toLowerCase(), value: part.slice(end + 1) }];
  });
  return { settings, files: [...files] };
}

/** The settings in the text of a configuration, line by line; for where git does not tell them. */
function settingsIn(origin: string, text: string): readonly Setting[] {
  return text.split('\n').flatMap((line) => {
    const equals = line.indexOf('=');
    if (equals === -1) return [];
    const key = line.slice(0, equals).trim().toLowerCase();
    const value = line.slice(equals + 1).trim();
    return [{ origin, key: key === 'hookspath' ? 'core.hookspath' : key, value }];
  });
}

/** What may be a path. */
interface NamedPath {
  readonly path: string;
  /** Whether it is one whatever is there: a folder counts too. */
  readonly isPath: boolean;
  /** Whether it must not be made where it is not there. */
  readonly isAwaited: boolean;
}

/** Each path once, with what any setting says of it. */
function mergedPaths(named: readonly NamedPath[]): readonly NamedPath[] {
  const merged = new Map<string, NamedPath>();
  for (const one of named) {
    const { isPath = false, isAwaited = false } = merged.get(one.path) ?? {};
    merged.set(one.path, { ...one, isPath: isPath || one.isPath, isAwaited: isAwaited || one.isAwaited });
  }
  return [...merged.values()];
}

/** What may be a path in a value; what has a slash, or is a script by its name, is awaited where it is not there. */
function pathsOf({ key, value }: Setting, home: string): readonly NamedPath[] {
  const words = value.split(/[\s"'`!;|&()<>=]/).filter((word) => word !== '');
  const isPath = PATHS.test(key);
  const whole = isPath && value !== '' ? [{ path: inHome(value, home), isPath, isAwaited: true }] : [];
  const rest = words.map((word) => ({
    path: inHome(word, home),
    isPath,
    isAwaited: !/^(?:refs\/|\+)|:/.test(word) && (word.includes('/') || isProgramName(word)),
  }));
  return [...whole, ...rest];
}

function inHome(path: string, home: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}

/** What links among hooks lead to, and the programs of the working tree that hooks name. */
async function namedByHooks(folder: string, top: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const named = await Promise.all(
    names.map(async (name) => {
      const hook = join(folder, name);
      if ((await lstat(hook).catch(() => null))?.isSymbolicLink() === true) return [hook];
      if (!(await isHook(hook))) return [];
      const words = (await textOf(hook)).split(/[\s"'`!;|&()<>=]/);
      const paths = [...new Set(words)].filter((word) => word !== '').map((word) => resolve(top, word));
      return Promise.all(paths.map(async (path) => ((await isProgram(path)) ? [path] : []))).then((all) =>
        all.flat(),
      );
    }),
  );
  return named.flat();
}

/** Whether git runs it. */
async function isHook(path: string): Promise<boolean> {
  if (path.endsWith('.sample')) return false;
  return (((await stat(path).catch(() => null))?.mode ?? 0) & 0o111) !== 0;
}

async function isProgram(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && (isProgramName(path) || (found.mode & 0o111) !== 0);
}

async function textOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true || found.size > MOST_TEXT) return '';
  return readFile(path, 'utf8').catch(() => '');
}
