import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';

import { isBelow } from '../../../../host/files/is-below.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { FilesSeen, NamedFileState } from '../../model/tool.js';
import { foldersOfPath } from './find-program.js';
import { isProgramName, MOST_HELD_BYTES, readHeldFile } from './held-file.js';
import { globbedFolders, partsOfWord } from './parts-of-word.js';
import type { NamedPart } from './parts-of-word.js';

/** As many folders as one command line may name. */
const MOST_FOLDERS = 64;
/** Other work gets its turn after so many looks. */
const LOOKS_AT_ONCE = 2000;
/** As often as is looked for a file, which takes some ten seconds. */
const MOST_LOOKS = 1_000_000;
/** What interpreters add to a name. */
const ENDINGS = [
  '.js',
  '.cjs',
  '.mjs',
  '.json',
  '.node',
  '.ts',
  '.py',
  '.rb',
  '.pm',
  '.lua',
  '.php',
  '.class',
];
/** Interpreters that are given names without endings, also where these have no slash. */
const COMPLETING =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|java|python[\d.]*|pypy[\d.]*|ruby|perl|lua[\d.]*|php)$/;

/** Where the files of a command line are looked for. */
export interface FilesWanted {
  /** Words as the program is given them; a NUL stands for what is not known yet. */
  readonly words: readonly string[];
  /** Texts on standard input: what of them is more than anybody names does not count. */
  readonly read?: readonly string[];
  /** Other words of the command line: what they name counts in folders that `words` name. */
  readonly beside?: readonly string[];
  /** Values of variables: in these every file counts, wherever it stands. */
  readonly values?: readonly string[];
  /** The `PATH` that it is started with. */
  readonly path: string;
  readonly folder: string;
  readonly root: string;
  /** What `~` and `$HOME` stand for. */
  readonly home: string;
  /** Of a server that lives only what is a program: in other files it keeps its state. */
  readonly which: 'files' | 'programs';
  /** Files that the program writes, and folders, of whose files only programs count then. */
  readonly writes: ReadonlySet<string>;
  /** What this look at several command lines has read. */
  readonly seen?: FilesSeen;
}

/** A file of the workspace that a command line names. */
export interface NamedFile extends NamedFileState {
  /** As the command line names it, where it is in the folder of the command; else below the workspace. */
  readonly path: string;
  readonly sha256: string;
  /** Where it is. */
  readonly file: string;
}

/**
 * Finds the files of the workspace that a command line names, its program among them, and what they hold. Each is looked for
 * in the folder of the command, in the workspace, in what of `PATH` lies in the workspace, and in folders that the command
 * line names. Folders alone, and files outside the workspace, do not count.
 * @throws PlanError REFUSED for more than anybody names
 */
export async function filesNamed(wanted: FilesWanted): Promise<readonly NamedFile[]> {
  const { words, read = [], beside = [], values = [], folder, root } = wanted;
  const look = createLook(wanted);
  let others = partsOf(beside, []);
  const near = [folder, root];
  const known = new Set([...near, ...foldersOfPath(wanted.path, folder).filter(look.isOurs)]);
  for (const one of look.foldersOf(others, near)) known.add(one);
  const isCompleted = [...words, ...beside].some((word) => COMPLETING.test(basename(word)));
  const further = new Set<string>();
  const lookFor = async (
    texts: readonly string[],
    parts: readonly NamedPart[],
    beyond: 'refused' | 'left out',
  ) => {
    const left = Math.max(0, MOST_FOLDERS - known.size - further.size);
    // A text may go from one folder to the next: "cd a && cd b && ./c".
    const named = look.foldersOf(parts, near, 'in texts too');
    const inText = beyond === 'refused' ? named : named.slice(0, left);
    const more = [...new Set([...inText, ...look.foldersOf(parts, inText, 'in texts too')])].filter(
      (one) => !known.has(one) && !further.has(one),
    );
    if (beyond === 'refused' && more.length > left)
      throw tooMuch(`more than ${MOST_FOLDERS} folders of the workspace`);
    const added = more.slice(0, left);
    for (const one of added) further.add(one);
    for (const part of parts)
      for (const base of part.isWhole ? [...known, ...further] : [...near, ...further])
        await look.part(part, base, isCompleted);
    for (const part of others)
      if (part.isWhole) for (const base of added) await look.part(part, base, isCompleted);
    const assigned = parts.filter(({ isAssigned }) => isAssigned);
    for (const one of look.foldersOf(assigned, near)) await look.programsIn(one, isRunnable);
    const globbed = texts.flatMap(globbedFolders).map((text) => ({ text, isWhole: true, isAssigned: false }));
    for (const one of look.foldersOf(globbed, [...near, ...inText]))
      await look.programsIn(one, (file) => isProgramName(file) || isRunnable(file));
  };
  const parts = partsOf(words, values);
  await lookFor(words, parts, 'refused');
  others = [...others, ...parts];
  await lookFor(read, partsOf(read, []), 'left out').catch((thrown: unknown) => {
    if (!(thrown instanceof PlanError)) throw thrown;
  });
  return look.found();
}

function tooMuch(what: string): PlanError {
  return new PlanError('REFUSED', `a command line names ${what}`, {
    hint: {
      commandLine: 'Give the program less on its command line, such as a file that it reads the rest from.',
    },
  });
}

/** The parts of words and of values, each once. In a value every file counts. */
function partsOf(words: readonly string[], values: readonly string[]): readonly NamedPart[] {
  const found = new Map<string, NamedPart>();
  const all = [
    ...words.flatMap(partsOfWord),
    ...values.flatMap(partsOfWord).map((part) => ({ ...part, isWhole: true, isAssigned: true })),
  ];
  for (const part of all) {
    const { isWhole = false, isAssigned = false } = found.get(part.text) ?? {};
    found.set(part.text, {
      text: part.text,
      isWhole: isWhole || part.isWhole,
      isAssigned: isAssigned || part.isAssigned,
    });
  }
  return [...found.values()];
}

/** How a file is named. */
interface Naming {
  readonly name: string;
  readonly isWhole: boolean;
}

/** A look at the files of one command line. */
function createLook({ folder, root, home, which, writes, seen: read = new Map() }: FilesWanted) {
  const found = new Map<string, NamedFile>();
  const seen = new Map<string, boolean>();
  const turn = takingTurns();
  let left = MOST_HELD_BYTES;
  const isOurs = (path: string): boolean =>
    path === root || isBelow(path, root) || isBelow(realOf(path) ?? sep, root);
  const isInWritten = (file: string): boolean => {
    const above = dirname(file);
    return writes.has(above) || (isBelow(above, root) && isInWritten(above));
  };

  async function at(file: string, { name, isWhole }: Naming): Promise<void> {
    if (seen.get(file) === true || seen.get(file) === isWhole) return;
    seen.set(file, isWhole);
    await turn();
    if (statOf(file)?.isFile() !== true || writes.has(file)) return;
    const real = realOf(file);
    if (real === null || !(isBelow(file, root) || isBelow(real, root))) return;
    const held = read.get(file) ?? (await readHeldFile(file, real, left));
    if (held === null) return;
    if (!read.has(file)) left -= held.read;
    read.set(file, held);
    if (!held.isProgram && (which === 'programs' || !isWhole || isInWritten(file))) return;
    found.set(file, { path: shownName(name, file), file, sha256: held.sha256, changedAt: held.changedAt });
    // The system looks for it where the program runs.
    for (const { text } of partsOfWord(held.interpreter))
      await part({ text, isWhole: true, isAssigned: false }, folder, true);
  }

  async function part({ text, isWhole }: NamedPart, base: string, isCompleted: boolean): Promise<void> {
    const named = (name: string) => at(resolve(base, name), { name, isWhole });
    await named(text);
    // What a script has in front of it is not known here: `$PWD/s.sh`, `$(dirname "$0")/s.sh`, `~/project/s.sh`.
    if (isAbsolute(text) && !isBelow(text, root)) {
      await named(`.${text}`);
      await at(join(home, text), { name: text, isWhole });
    }
    const mayBeCompleted = text.includes('/') || (isCompleted && isWhole);
    if (!mayBeCompleted || /\s/.test(text) || (isAbsolute(text) && !isBelow(text, root))) return;
    for (const ending of ENDINGS) await named(text + ending);
    if (!isCompleted || !isWhole) return;
    // What Python is told by `-m` and Perl by `-M`: of a module within others these are read too.
    const isModule = /^[\w.:]+$/.test(text);
    const module = isModule ? text.replaceAll(/\.|::/g, '/') : text;
    for (const ending of ['.py', '.pm', '/__init__.py', '/__main__.py']) await named(module + ending);
    for (const { index } of isModule ? module.matchAll(/\//g) : [])
      await named(`${module.slice(0, index)}/__init__.py`);
  }

  /** What counts of a folder in which programs may be looked for. */
  async function programsIn(path: string, counts: (file: string) => boolean): Promise<void> {
    for (const entry of namesIn(path)) {
      const file = join(path, entry);
      if (counts(file)) await at(file, { name: file, isWhole: true });
    }
  }

  /** The folders of the workspace that parts name, as a whole or in texts too. */
  function foldersOf(
    parts: readonly NamedPart[],
    bases: readonly string[],
    where: 'as a whole' | 'in texts too' = 'as a whole',
  ): readonly string[] {
    const paths = parts.flatMap(({ text, isWhole }) =>
      isWhole || where === 'in texts too' ? bases.map((base) => resolve(base, text)) : [],
    );
    return [...new Set(paths)].filter((path) => statOf(path)?.isDirectory() === true && isOurs(path));
  }

  /** As it is named, where it is found by that name in the folder of the command; else where it is in the workspace. */
  function shownName(name: string, file: string): string {
    if (resolve(folder, name) === file && !isAbsolute(name)) return name;
    return nameInWorkspace(file, root);
  }

  return { at, part, programsIn, foldersOf, isOurs, found: () => [...found.values()] };
}

/** Returns what a file is called whatever folder a command runs in: its path below the workspace, with `/`, or all of it. */
export function nameInWorkspace(file: string, root: string): string {
  return isBelow(file, root) ? relative(root, file).replaceAll(sep, '/') : file;
}

/** Lets other work of the process have its turn now and then. */
function takingTurns(): () => Promise<void> {
  let looks = 0;
  return async () => {
    looks += 1;
    if (looks > MOST_LOOKS) throw tooMuch('more files than can be looked for');
    if (looks % LOOKS_AT_ONCE === 0) await otherWork();
  };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isRunnable(file: string): boolean {
  return ((statOf(file)?.mode ?? 0) & 0o111) !== 0;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** What a tool is approved with of its program: files, and what they hold; null for none. */
export function programOf(files: readonly NamedFile[]): JsonObject | null {
  const [first, ...more] = files;
  if (first === undefined) return null;
  if (more.length === 0) return { path: first.path, sha256: first.sha256 };
  return {
    path: files.map(({ path }) => path).join(', '),
    sha256: sha256(files.map((one) => one.sha256).join('\n')),
    files: Object.fromEntries(files.map((one) => [one.path, one.sha256])),
  };
}
