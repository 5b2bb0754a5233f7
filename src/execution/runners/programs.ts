import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';

import { isLiteral } from '../../action-plans/tools/bindings.js';

const INTERPRETERS =
  /^(?:node|deno|bun|python[\d.]*|ruby|perl|php|sh|bash|dash|zsh|fish|pwsh|Rscript|lua|tsx|ts-node)$/;
/** Options of interpreters whose value is a program too. */
const LOADING = /^(?:-r|--require|--import|--loader|--experimental-loader)$/;

/** The programs of the workspace that a command line runs, and what they hold. */
export interface OwnProgram {
  /** As the command line names them. */
  readonly path: string;
  readonly sha256: string;
}

/**
 * The program of a command line where that is a file of the workspace: named by a path, or given to an interpreter as
 * its script, or as what it loads before that. What it holds belongs to the definition of the tool, or a repository could
 * change it after it was approved. What that program loads in turn is not looked at.
 */
export async function ownProgram(
  command: readonly string[],
  folder: string,
  root: string,
): Promise<OwnProgram | null> {
  const found: OwnProgram[] = [];
  for (const path of programsOf(command)) {
    const file = resolve(folder, path);
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) continue;
    const digest = await digestOf(file);
    if (digest !== null) found.push({ path, sha256: digest });
  }
  const [first, ...more] = found;
  if (first === undefined || more.length === 0) return first ?? null;
  const all = createHash('sha256').update(found.map(({ sha256 }) => sha256).join('\n'));
  return { path: found.map(({ path }) => path).join(', '), sha256: all.digest('hex') };
}

/** SHA-256 of a file of whatever size; null where there is none. */
async function digestOf(file: string): Promise<string | null> {
  const there = await stat(file).catch(() => null);
  if (there?.isFile() !== true) return (await lstat(file).catch(() => null)) === null ? null : 'no file';
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) if (Buffer.isBuffer(chunk)) hash.update(chunk);
  } catch {
    return 'unreadable';
  }
  return hash.digest('hex');
}

function programsOf([program = '', ...rest]: readonly string[]): readonly string[] {
  if (!INTERPRETERS.test(basename(program))) return program.includes('/') ? [program] : [];
  const loaded = rest.filter((one, index) => LOADING.test(rest[index - 1] ?? '') && isLiteral(one));
  const script = rest.find((one, index) => !one.startsWith('-') && !LOADING.test(rest[index - 1] ?? ''));
  return script !== undefined && isLiteral(script) ? [...loaded, script] : loaded;
}
