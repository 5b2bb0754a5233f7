import type { Stats } from 'node:fs';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';

import { isBelow } from '../../../../host/files/is-below.js';
import { gitFolderOf } from '../../../../host/git/git-folder.js';
import { runGit } from '../../../../host/git/run-git.js';
import { isProgramName } from '../programs/held-file.js';
import { partsOfWord } from '../programs/parts-of-word.js';

/** What a repository names that runs with it: files and folders that are there, and names of what is not. */
export interface NamedByRepository {
  readonly there: readonly string[];
  readonly absent: readonly AwaitedPlace[];
}

/** Where nothing is, and no file must be made; no folder either where it is the path of one. */
export interface AwaitedPlace {
  readonly path: string;
  readonly isPath: boolean;
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
/** As many links as systems follow. */
const MOST_LINKS = 40;
/** Settings whose whole value is a path, beside the folder of hooks. */
const INCLUDES = /^include(?:if\..*)?\.path$/;
/** Settings whose value is run; that of any other too, such as an alias, where it begins with an exclamation mark. */
const RUNS =
  /^core\.\w*path$|^pager\.|(?:^|\.)(?:\w*command|\w*cmd|\w*helper|\w*editor|\w*hook|process|textconv|fsmonitor|pager|program|external|driver|clean|smudge|difffilter|askpass|gitproxy)$/;

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
  const home = variables.HOME ?? '/';
  const bases = [...new Set([top, git, shared])];
  const ofSettings = [...told.settings, ...read.flat()].flatMap((one) => pathsOf(one, { bases, home }));
  const settings = await lookAt([awaited(join(shared, 'hooks')), ...ofSettings]);
  const there = settings.filter(({ found, isPath }) => found !== null && (found.isFile() || isPath));
  const folders = there.filter(({ found, isPath }) => isPath && found?.isDirectory() === true);
  const hooks = (await Promise.all(folders.map(({ path }) => hooksIn(path)))).flat();
  const texts = await Promise.all(hooks.map(textOf));
  const named = await lookAt([
    ...hooks.map(awaited),
    ...texts.flatMap((text) => pathsOfHook(text, { bases: [top], home })),
  ]);
  const programs = named.filter(
    ({ path, found, isPath }) => found !== null && (isPath || isProgram(path, found)),
  );
  const awaits = [...settings, ...named].filter(({ found, isAwaited }) => found === null && isAwaited);
  const absent = (await Promise.all(awaits.map(leadsTo))).flat();
  return {
    there: [git, shared, ...told.files, ...[...there, ...programs].map(({ path }) => path)],
    // What these folders hold is read-only.
    absent: absent.filter(({ path }) => !isBelow(path, git) && !isBelow(path, shared)),
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
    const value = line
      .slice(equals + 1)
      .trim()
      .replaceAll('"', '');
    return [{ origin, key: key === 'hookspath' ? 'core.hookspath' : key, value }];
  });
}

/** What may be a path. */
interface NamedPath extends AwaitedPlace {
  /** Whether it must not be made where it is not there. */
  readonly isAwaited: boolean;
}

/** Where names are looked for. */
interface Places {
  readonly bases: readonly string[];
  readonly home: string;
}

/** What is one whatever is there, and must not be made. */
function awaited(path: string): NamedPath {
  return { path, isPath: true, isAwaited: true };
}

/** Looks at each path once, with what any setting or hook says of it. */
async function lookAt(
  named: readonly NamedPath[],
): Promise<readonly (NamedPath & { readonly found: Stats | null })[]> {
  const merged = new Map<string, NamedPath>();
  for (const one of named) {
    const { isPath = false, isAwaited = false } = merged.get(one.path) ?? {};
    merged.set(one.path, { ...one, isPath: isPath || one.isPath, isAwaited: isAwaited || one.isAwaited });
  }
  return Promise.all(
    [...merged.values()].map(async (one) => ({ ...one, found: await stat(one.path).catch(() => null) })),
  );
}

/** What is not there, and where it leads as a link to nothing. */
async function leadsTo({ path, isPath }: AwaitedPlace): Promise<readonly AwaitedPlace[]> {
  const found: AwaitedPlace[] = [];
  for (let at: string | null = path; at !== null && found.length < MOST_LINKS;) {
    found.push({ path: at, isPath });
    const folder: string = dirname(at);
    at = await readlink(at).then(
      (to) => resolve(folder, to),
      () => null,
    );
  }
  return found;
}

/** What may be a path in a setting: the whole value of one that has a path, else any part. */
function pathsOf({ origin, key, value }: Setting, { bases, home }: Places): readonly NamedPath[] {
  const isIncluded = INCLUDES.test(key);
  if (!isIncluded && key !== 'core.hookspath')
    return pathsIn(value, { bases, home }, RUNS.test(key) || value.startsWith('!'));
  if (value === '') return [];
  const path = value.startsWith('~/') ? join(home, value.slice(2)) : value;
  // What a configuration includes lies beside it.
  const from = isIncluded && origin !== null ? [dirname(origin)] : bases;
  return from.map((base) => awaited(resolve(base, path)));
}

/** What may be a path in a hook, its comments left out. */
function pathsOfHook(text: string, places: Places): readonly NamedPath[] {
  const lines = text.split('\n').filter((line) => !/^\s*#(?!!)/.test(line));
  return lines.flatMap((line) => pathsIn(line, places, true));
}

/** What may be a path in a text; where that is run, what has a slash, or is a script by its name, is awaited. */
function pathsIn(text: string, { bases, home }: Places, isRun: boolean): readonly NamedPath[] {
  const told = text.replaceAll(/(?:~|\$HOME|\$\{HOME\})\//g, () => `${home}/`);
  return partsOfWord(told).flatMap(({ text: part }) => {
    const isName = (part.includes('/') && !part.endsWith('/')) || isProgramName(part);
    const isAwaited = isRun && isName && !/^(?:refs\/|\+)|:/.test(part);
    const names = isBehindUnknown(told, part) ? [part, `.${part}`] : [part];
    return names.flatMap((name) =>
      bases.map((base) => ({ path: resolve(base, name), isPath: false, isAwaited })),
    );
  });
}

/** Whether a path stands behind what only a shell knows, such as `$PWD` or `$(git rev-parse --show-toplevel)`. */
function isBehindUnknown(text: string, path: string): boolean {
  return isAbsolute(path) && /(?:[)}`]|\$\w+)["']?$/.test(text.slice(0, Math.max(0, text.indexOf(path))));
}

/** The hooks in a folder that git runs, and links, which may lead to what can be made one. */
async function hooksIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const hooks = entries.filter(({ name }) => !name.endsWith('.sample'));
  const found = await Promise.all(
    hooks.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return [path];
      return entry.isFile() && isRunnable(await stat(path).catch(() => null)) ? [path] : [];
    }),
  );
  return found.flat();
}

function isProgram(path: string, found: Stats): boolean {
  return found.isFile() && (isProgramName(path) || isRunnable(found));
}

function isRunnable(found: Stats | null): boolean {
  return ((found?.mode ?? 0) & 0o111) !== 0;
}

async function textOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true || found.size > MOST_TEXT) return '';
  return readFile(path, 'utf8').catch(() => '');
}
