import { resolve } from 'node:path';

import { readActionPlan } from '../../action-plans/read-action-plan.js';
import type { ReadActionPlan } from '../../action-plans/read-action-plan.js';
import type { DialectName } from '../../action-plans/dialect.js';
import { readTextFile, readTextFileIfAny } from '../../host/files/text-files.js';
import { PlanError } from '../../kernel/errors.js';
import { sha256 } from '../../kernel/sha256.js';
import { ACTION_PLAN_ID_PATTERN } from '../../plan/ids.js';
import { sidecarPath } from '../action-plans/read-action-plan-file.js';
import type { Context } from '../shared/context.js';

/** No plan that is run is longer: it stands whole in the log of its run. */
const MOST_BYTES = 16 * 1024 * 1024;

/** An action plan as it is to be run: its bytes, what was read from them, and where they came from. */
export interface RunSource {
  readonly text: string;
  readonly read: ReadActionPlan;
  /** Null for standard input. */
  readonly file: string | null;
  /** The id in the store. */
  readonly id: string | null;
}

/** Where an action plan is to be found. */
export interface WantedSource {
  /** Id of an action plan of the store, a path, or `-`. */
  readonly plan: string;
  readonly input?: string | undefined;
  readonly dialect?: DialectName | undefined;
}

/**
 * Reads the plan that is to be run. What is two plans at once, by a member that stands twice or by a step with both
 * `args` and `parameters`, is refused.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT with line and column, UNSUPPORTED_VERSION, STORE_NOT_FOUND
 */
export async function readRunSource(context: Context, wanted: WantedSource): Promise<RunSource> {
  const { plan: name, input, dialect } = wanted;
  if (name === '-') {
    if (input === undefined) throw new PlanError('USAGE', 'there is no standard input to read');
    return {
      text: input,
      read: readText(input, 'standard input', { format: dialect }),
      file: null,
      id: null,
    };
  }
  if (ACTION_PLAN_ID_PATTERN.test(name)) {
    const documents = await context.documents();
    if (documents === null)
      throw new PlanError('STORE_NOT_FOUND', `there is no store that could hold ${name}`);
    const text = await documents.actionPlans.read(name);
    const read = readText(text, name, { format: dialect });
    return { text, read, file: documents.actionPlans.locate(name), id: name };
  }
  const path = resolve(context.environment.workingFolder, name);
  const text = await readTextFile(path, MOST_BYTES, 'keep');
  const sidecar = (await readTextFileIfAny(sidecarPath(path))) ?? undefined;
  return { text, read: readText(text, name, { format: dialect, sidecar }), file: path, id: null };
}

/** Reads the plan of a run again, from the bytes that were prepared. */
export function readPrepared(prepared: {
  readonly plan: string;
  readonly source: { readonly dialect: DialectName; readonly sidecar?: string | undefined };
}): ReadActionPlan {
  const { dialect, sidecar } = prepared.source;
  return readActionPlan(prepared.plan, { format: dialect, sidecar });
}

/** The file of a plan that says something else by now: that it was read from, or the `*.ext.json` beside it; null where none does. */
export async function changedSource(source: {
  readonly file: string | null;
  readonly id?: string | undefined;
  readonly sha256?: string | undefined;
  readonly sidecar?: string | undefined;
}): Promise<string | null> {
  const { file } = source;
  if (file === null || source.sha256 === undefined) return null;
  const text = await readTextFile(file, MOST_BYTES, 'keep').catch(() => null);
  if (text === null || sha256(text) !== source.sha256) return file;
  if (source.id !== undefined) return null;
  const beside = await readTextFileIfAny(sidecarPath(file)).catch(() => null);
  return beside === (source.sidecar ?? null) ? null : sidecarPath(file);
}

function readText(
  text: string,
  name: string,
  options: { readonly format: DialectName | undefined; readonly sidecar?: string | undefined },
): ReadActionPlan {
  try {
    return readActionPlan(text, options);
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    const { code, message, hint, details } = thrown;
    throw new PlanError(code, `${name}: ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      details: { path: name, ...details },
      cause: thrown,
    });
  }
}
