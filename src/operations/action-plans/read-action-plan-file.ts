import { resolve } from 'node:path';

import type { DialectName } from '../../action-plans/dialect.js';
import type { ReadActionPlan } from '../../action-plans/read-action-plan.js';
import { readActionPlan } from '../../action-plans/read-action-plan.js';
import { PlanError } from '../../kernel/errors.js';
import { readTextFile, readTextFileIfAny } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';

/** The largest action plan that is read. */
const MAX_BYTES = 256 * 1024 * 1024;

export interface ActionPlanSource {
  /** A file, or `-` for standard input. */
  readonly file: string;
  /** The text of standard input. */
  readonly input?: string | undefined;
  /** Its dialect; found by its shape when it is left out. */
  readonly dialect?: DialectName | undefined;
  /** The same by its first name; `dialect` counts before it. */
  readonly format?: DialectName | undefined;
}

/**
 * Reads an action plan from a file or from standard input, with what is beside it in `*.ext.json`.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT with file, line and column, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function readActionPlanFile(
  context: Context,
  source: ActionPlanSource,
): Promise<ReadActionPlan> {
  const path = resolve(context.environment.workingFolder, source.file);
  const isInput = source.file === '-';
  const text = isInput ? (source.input ?? '') : await readTextFile(path, MAX_BYTES);
  const sidecar = isInput ? null : await readTextFileIfAny(sidecarPath(path));
  try {
    return readActionPlan(text, { format: source.dialect ?? source.format, sidecar: sidecar ?? undefined });
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    const { code, message, hint, details } = thrown;
    throw new PlanError(code, `${isInput ? 'standard input' : source.file}: ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      details: { path: source.file, ...details },
      cause: thrown,
    });
  }
}

/** `plan.ext.json` for `plan.json`: what an Obsidian plan has no place for. */
export function sidecarPath(file: string): string {
  return `${file.replace(/\.json$/i, '')}.ext.json`;
}
