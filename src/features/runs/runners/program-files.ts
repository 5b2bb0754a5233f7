import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';

import { isBelow } from '../../../host/files/is-below.js';
import { sha256 } from '../../../kernel/sha256.js';
import { isLiteral } from '../../actions/tools/bindings.js';
import type { FileState } from '../model/tool.js';
import { RefusedCall } from './outcomes.js';

/** As many files as one command line may name. */
const MOST_FILES = 64;
/** As many bytes of them as are read each time, in all; what is longer is known by its identity. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Programs of the system that run nothing of what they are given; what they look at may change. */
const LOOKING =
  /^(?:\/bin\/|\/usr\/bin\/)?(?:cat|head|tail|wc|ls|stat|test|\[|grep|egrep|fgrep|diff|cmp|echo|printf|cksum|md5sum|sha\d+sum|readlink|realpath|du)$/;

/** What scripts are called. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|py[cw]?|pyz|rb|pl|pm|php|lua|r|jl|exs?|(?:ba|z|fi)?sh|ps1|jar|wasm)$/i;

/** The files of the workspace that a command line names, and what they hold. */
export interface OwnProgram {
  /** As the command line names them. */
  readonly path: string;
  readonly sha256: string;
}

/**
 * The files of the workspace that a command line names as a whole word, after a `=` or after a short option: its program,
 * scripts, and what is loaded before them, wherever they stand, because nobody knows all interpreters and what starts
 * them. What they hold belongs to the definition of the tool, or a repository could change it after it was approved.
 * Words that the arguments of a step fill are not looked at, and neither is what a script loads by itself.

 * @throws RefusedCall for more files than anybody names
 */
export async function ownProgram(
  command: readonly string[],
  { folder, root, which, writes = [] }: OwnFiles,
): Promise<OwnProgram | null> {
  const found: OwnProgram[] = [];
  let left = MOST_BYTES;
  const written = new Set(writes.map((path) => resolve(folder, path)));
  for (const path of new Set(namesOf(command))) {
    const file = resolve(folder, path);
    if (written.has(file)) continue;
    const real = await realpath(file).catch(() => null);
    if (real === null || !(isBelow(file, root) || isBelow(real, root))) continue;
    const held = await heldIn({ file, real, which }, left);
    if (held === null) continue;
    if (found.length === MOST_FILES)
      throw new RefusedCall(
        'VALIDATION_ERROR',
        `a command line names more than ${MOST_FILES} files of the workspace`,
      );
    left -= held.read;
    found.push({ path, sha256: held.sha256 });
  }
  const [first, ...more] = found;
  if (first === undefined || more.length === 0) return first ?? null;
  return {
    path: found.map(({ path }) => path).join(', '),
    sha256: sha256(found.map((one) => one.sha256).join('\n')),
  };
}

/** Which files of a command line count, and where they are. */
interface OwnFiles {
  readonly folder: string;
  readonly root: string;
  /** Of a server that lives only what is a program by its ending or its mode: in other files it keeps its state. */
  readonly which: 'files' | 'programs';
  /** Those that the program writes. */
  readonly writes?: readonly string[];
}

/** The files that a program says it writes, as they are now; those outside the workspace are not told. */
export async function filesProgramWrites(
  paths: readonly string[],
  { folder, root }: Pick<OwnFiles, 'folder' | 'root'>,
): Promise<readonly FileState[]> {
  const files = paths.map((path) => resolve(folder, path)).filter((file) => isBelow(file, root));
  return Promise.all(
    files.map(async (file) => {
      const real = await realpath(file).catch(() => null);
      const held = real === null ? null : await heldIn({ file, real, which: 'files' }, MOST_BYTES);
      return { path: relative(root, file).replaceAll(sep, '/'), sha256: held?.sha256 ?? null };
    }),
  );
}

/** The files of the workspace that a command line seems to name and that are not there: the program may write them. */
export async function absentProgramFiles(
  command: readonly string[],
  { folder, root, writes = [] }: Omit<OwnFiles, 'which'>,
): Promise<readonly string[]> {
  const absent: string[] = [];
  for (const path of new Set(namesOf(command))) {
    const file = resolve(folder, path);
    const isMeant = LIKE_A_FILE.test(path) && isBelow(file, root) && !writes.includes(path);
    if (isMeant && !(await isThere(file)) && (await isThere(dirname(file)))) absent.push(path);
  }
  return absent;
}

/** What a file is called that somebody writes: a name with an ending of letters. */
const LIKE_A_FILE = /^[\w@+./-]*\w\.[A-Za-z]\w{0,7}$/;

const isThere = async (path: string) => (await realpath(path).catch(() => null)) !== null;

/** What may be the name of a file in a command line. */
function namesOf([program = '', ...rest]: readonly string[]): readonly string[] {
  const own = program.includes('/') ? [program] : [];
  if (LOOKING.test(program)) return own;
  const words = rest.filter((word) => isLiteral(word) && !word.includes('\0'));
  const parts = words.flatMap((word) => [
    word,
    ...(word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []),
    ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
  ]);
  return [...own, ...parts.filter((part) => part !== '')];
}

interface Held {
  readonly sha256: string;
  /** Bytes that were read. */
  readonly read: number;
}

/**
 * What a plain file holds. A link is followed, as whatever is run follows it, and where it leads counts with what is
 * there.
 * @returns null for what is no plain file
 */
async function heldIn(
  { file, real, which }: { file: string; real: string; which: 'files' | 'programs' },
  most: number,
): Promise<Held | null> {
  // A pipe that nobody writes to would be waited for.
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null);
  if (handle === null) return { sha256: 'unreadable', read: 0 };
  try {
    const there = await handle.stat();
    if (!there.isFile()) return null;
    if (which === 'programs' && !SCRIPT.test(file) && (there.mode & 0o111) === 0) return null;
    const hash = createHash('sha256');
    if (real !== file) hash.update(`${real}\n`);
    if (there.size > most) return { sha256: hash.update(identityOf(there)).digest('hex'), read: 0 };
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, end: most }))
      if (Buffer.isBuffer(chunk)) hash.update(chunk);
    return { sha256: hash.digest('hex'), read: there.size };
  } catch {
    return { sha256: 'unreadable', read: 0 };
  } finally {
    await handle.close();
  }
}

/** What changes when a file is written or replaced. */
function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return JSON.stringify({ dev, ino, size, mtimeMs, ctimeMs });
}
