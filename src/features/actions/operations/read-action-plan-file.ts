import { resolve } from 'node:path';

import type { DialectName } from '../model/dialect.js';
import type { ReadActionPlan } from '../model/read-action-plan.js';
import { readActionPlan } from '../model/read-action-plan.js';
import { PlanError } from '../../../kernel/errors.js';
import { readTextBesideIfAny, readTextFile } from '../../../host/files/text-files.js';
import { ACTION_PLAN_ID_PATTERN } from '../../../plan/ids.js';
import type { Context } from '../../../operations/shared/context.js';

/** The largest action plan that is read. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Where an action plan is to be found. */
export interface WantedPlan {
  /** Id of an action plan of the store, a path, or `-`. */
  readonly plan: string;
  /** The text of standard input. */
  readonly input?: string | undefined;
}

/** An action plan as it was found: its bytes as text, and where they came from. */
export interface FoundPlan {
  readonly text: string;
  /** The text of `*.ext.json` beside the file; undefined where there is none. */
  readonly sidecar: string | undefined;
  /** For messages. */
  readonly name: string;
  /** Null for standard input. */
  readonly file: string | null;
  /** The id in the store. */
  readonly id: string | null;
}

export interface ActionPlanSource {
  /** A file, the id of an action plan of the store, or `-` for standard input. */
  readonly file: string;
  /** The text of standard input. */
  readonly input?: string | undefined;
  /** Its dialect; found by its shape when it is left out. */
  readonly dialect?: DialectName | undefined;
  /** The same by its first name; `dialect` counts before it. */
  readonly format?: DialectName | undefined;
}

/** Whether something is called as the action plans of a store are; a file of that name is not meant then. */
export function isActionPlanId(name: string): boolean {
  return ACTION_PLAN_ID_PATTERN.test(name);
}

/**
 * Finds an action plan for every command that takes one: the same names mean the same, and what is beside a file in
 * `*.ext.json` is read with it.
 * @param mostBytes the most bytes that are read
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT, STORE_NOT_FOUND, STORAGE_FAILED, USAGE without standard input
 */
export async function findActionPlan(
  context: Context,
  { plan: name, input }: WantedPlan,
  mostBytes = MOST_BYTES,
): Promise<FoundPlan> {
  if (name === '-') {
    if (input === undefined) throw new PlanError('USAGE', 'there is no standard input to read');
    return { text: input, sidecar: undefined, name: 'standard input', file: null, id: null };
  }
  if (isActionPlanId(name)) {
    const documents = await context.documents();
    if (documents === null)
      throw new PlanError('STORE_NOT_FOUND', `there is no store that could hold ${name}`);
    const text = await documents.actionPlans.read(name);
    return { text, sidecar: undefined, name, file: documents.actionPlans.locate(name), id: name };
  }
  const file = resolve(context.environment.workingFolder, name);
  const text = await readTextFile(file, mostBytes, 'keep');
  return { text, sidecar: await sidecarOf(file, mostBytes), name, file, id: null };
}

/**
 * Reads what is in `*.ext.json` beside the file of an action plan; undefined where there is none. A link in its
 * place is refused: whoever named the file did not name where that leads.
 * @throws PlanError INVALID_INPUT, STORAGE_FAILED
 */
export async function sidecarOf(file: string, mostBytes = MOST_BYTES): Promise<string | undefined> {
  return (await readTextBesideIfAny(sidecarPath(file), mostBytes)) ?? undefined;
}

/** Reads what was found. @throws PlanError INVALID_INPUT with its name, line and column, UNSUPPORTED_VERSION */
export function readFoundPlan(
  { text, sidecar, name }: Pick<FoundPlan, 'text' | 'sidecar' | 'name'>,
  format: DialectName | undefined,
): ReadActionPlan {
  try {
    return readActionPlan(text, { format, sidecar });
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    const { code, message, hintParts: hint, details } = thrown;
    throw new PlanError(code, `${name}: ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      details: { path: name, ...details },
      cause: thrown,
    });
  }
}

/**
 * Reads an action plan from wherever it is, with what is beside it in `*.ext.json`.
 * @throws PlanError as {@link findActionPlan} and {@link readFoundPlan}
 */
export async function readActionPlanFile(
  context: Context,
  { file: plan, input, dialect, format }: ActionPlanSource,
): Promise<ReadActionPlan> {
  return readFoundPlan(await findActionPlan(context, { plan, input }), dialect ?? format);
}

/**
 * The path of the file beside an action plan file, `plan.ext.json` for `plan.json`: what an Obsidian plan has no
 * place for.
 */
export function sidecarPath(file: string): string {
  return `${file.replace(/\.json$/i, '')}.ext.json`;
}
