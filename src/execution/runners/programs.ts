import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

import { isLiteral } from '../../action-plans/tools/bindings.js';
import { MOST_BYTES } from './limits.js';

const INTERPRETERS =
  /^(?:node|deno|bun|python[\d.]*|ruby|perl|php|sh|bash|dash|zsh|fish|pwsh|Rscript|lua|tsx|ts-node)$/;

/** A program of the workspace that a command line runs, and what it holds. */
export interface OwnProgram {
  /** As the command line names it. */
  readonly path: string;
  readonly sha256: string;
}

/**
 * The program of a command line where that is a file of the workspace: named by a path, or given to an interpreter as
 * its first argument. What it holds belongs to the definition of the tool, or a repository could change it after it was
 * approved. What that program loads in turn is not looked at.
 */
export async function ownProgram(
  command: readonly string[],
  folder: string,
  root: string,
): Promise<OwnProgram | null> {
  const path = programOf(command);
  if (path === null || !resolve(folder, path).startsWith(root)) return null;
  const content = await readFile(resolve(folder, path)).catch(() => null);
  if (content === null || content.length > MOST_BYTES) return null;
  return { path, sha256: createHash('sha256').update(content).digest('hex') };
}

function programOf([program = '', ...rest]: readonly string[]): string | null {
  if (!INTERPRETERS.test(basename(program))) return program.includes('/') ? program : null;
  const script = rest.find((one) => !one.startsWith('-'));
  return script !== undefined && isLiteral(script) ? script : null;
}
