import { readActionPlan } from '../../actions/model/read-action-plan.js';
import type { ReadActionPlan } from '../../actions/model/read-action-plan.js';
import type { DialectName } from '../../actions/model/dialect.js';
import { realFolder } from '../../../host/files/folders.js';
import { readStoredText } from '../../../host/files/text-files.js';
import { sha256 } from '../../../kernel/sha256.js';
import {
  findActionPlan,
  readFoundPlan,
  sidecarOf,
  sidecarPath,
} from '../../actions/operations/read-action-plan-file.js';
import type { WantedPlan } from '../../actions/operations/read-action-plan-file.js';
import type { Context } from '../../../operations/shared/context.js';

/** No plan that is run is longer: it stands whole in the log of its run. */
export const MOST_PLAN_BYTES = 16 * 1024 * 1024;

/** An action plan as it is to be run: its bytes, what was read from them, and where they came from. */
export interface RunSource {
  readonly text: string;
  /** SHA-256 of what stands there, which workflows may have been put into since. */
  readonly sha256: string;
  readonly read: ReadActionPlan;
  /** Null for standard input. */
  readonly file: string | null;
  /** The id in the store. */
  readonly id: string | null;
}

/** Where an action plan is to be found, and its dialect where it is said. */
export interface WantedSource extends WantedPlan {
  readonly dialect?: DialectName | undefined;
}

/**
 * Reads the plan that is to be run. What is two plans at once, by a member that stands twice or by a step with both
 * `args` and `parameters`, is refused.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT with line and column, UNSUPPORTED_VERSION, STORE_NOT_FOUND
 */
export async function readRunSource(context: Context, wanted: WantedSource): Promise<RunSource> {
  const { text, sidecar, name, file, id } = await findActionPlan(context, wanted, MOST_PLAN_BYTES);
  return {
    text,
    sha256: sha256(text),
    read: readFoundPlan({ text, sidecar, name }, wanted.dialect),
    file,
    id,
  };
}

/** Reads the source of a run again: its plan, from the bytes that were prepared. */
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
  // What is in its place by now may be a pipe that nobody writes to.
  const text = await readStoredText(realFolder(file), MOST_PLAN_BYTES, 'keep').catch(() => null);
  if (text === null || sha256(text) !== source.sha256) return file;
  if (source.id !== undefined) return null;
  const beside = await sidecarOf(file, MOST_PLAN_BYTES).catch(() => undefined);
  return beside === source.sidecar ? null : sidecarPath(file);
}
