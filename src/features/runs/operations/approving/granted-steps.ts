import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { argsDigest } from '../../executor/arguments.js';
import { filesOfCall } from '../../executor/files-of-call.js';
import type { PreparedRun } from '../../model/prepared-run.js';
import { askingSteps } from '../../model/steps/asking-steps.js';
import type { RunSteps } from '../../model/steps/run-step.js';
import type { FilesSeen, FileState, Toolbox } from '../../model/tool.js';
import { NO_OUTPUTS } from '../../model/values/run-values.js';
import { PlanError } from '../../../../kernel/errors.js';

/** The steps that ask a person in the middle of a run. */
export interface AskedSteps {
  /** Those that are approved with the run, each as its own question would show it. */
  readonly granted: readonly GrantedStep[];
  readonly asks_later: readonly { readonly step: string; readonly because: string }[];
}

/** A step that is approved before it asks, with just these arguments. */
interface GrantedStep {
  /** The instance. */
  readonly step: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly named: readonly FileState[];
  readonly args_digest: string;
}

/** As many calls of a nested plan as are looked at for the files that they name. */
const MOST_CALLS = 1000;

/** Why a step that could be approved with the run asks later all the same. */
export const ARE_KNOWN = 'its arguments are known';

/** Of what is asked about one step alone: none. */
export const NO_STEPS: AskedSteps = { granted: [], asks_later: [] };

/**
 * Returns the steps that ask, of those with known arguments each that can be approved with the run.
 * @param isWanted whether these are to be approved
 */
export async function askedSteps(
  { asks = [] }: PreparedRun,
  steps: RunSteps,
  isWanted: boolean,
): Promise<AskedSteps> {
  const prepared = new Map(asks.map(({ step, named = [] }) => [step, named]));
  const granted: GrantedStep[] = [];
  const later: { step: string; because: string }[] = [];
  for (const { name, step, args, because } of await askingSteps(steps)) {
    const named = prepared.get(name)?.map(({ path, sha256 }) => ({ path, sha256 }));
    if (args === null) later.push({ step: name, because });
    else if (named === undefined)
      later.push({ step: name, because: 'nothing was prepared to approve it before' });
    else if (!isWanted) later.push({ step: name, because: ARE_KNOWN });
    else granted.push({ step: name, tool: step.raw.tool, args, named, args_digest: argsDigest(args, named) });
  }
  return { granted, asks_later: later };
}

/** Returns the steps that ask with arguments that are known, as a run is prepared with them. */
export async function asksToPrepare(
  steps: RunSteps,
  { tools }: Toolbox,
): Promise<NonNullable<PreparedRun['asks']>> {
  const asks: NonNullable<PreparedRun['asks']> = [];
  const seen: FilesSeen = new Map();
  const before = { steps, outputs: NO_OUTPUTS, tools };
  for (const { name, step, iteration, args } of await askingSteps(steps)) {
    if (args === null) continue;
    const files = await namedIfAny(() =>
      filesOfCall(before, { step, iteration }, args, { seen, most: MOST_CALLS }),
    );
    if (files === null) continue;
    const named = files.map((file) => ({ ...file }));
    asks.push({ step: name, ...(named.length === 0 ? {} : { named }) });
  }
  return asks;
}

/** The files of a call; null where they cannot be read, so that its step asks when it has come to it. */
async function namedIfAny(
  read: () => Promise<readonly FileState[] | null>,
): Promise<readonly FileState[] | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof PlanError) return null;
    throw thrown;
  }
}
