import { setTimeout as wait } from 'node:timers/promises';

import { PlanError } from '../../../kernel/errors.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import type { Library } from '../../../operations/library.js';
import type { Operation } from '../../../operations/operation.js';
import { parseInput } from '../../../operations/parse-input.js';
import { REGISTERED } from '../../../operations/registry.js';
import { planOfGoalCall } from '../fields.js';
import type { ToolWorld } from '../tool.js';
import { untilChanged } from '../until-changed.js';

/** How long a run that was begun is waited for where nothing is said. */
const STANDARD_WAIT_S = 10;
const MOST_STEPS = 100;
const LONGEST_PREVIEW = 12_000;
/** How a goal of one of several plans is named, for the tool takes no plan. */
const FULL_ID = 'Name the goal by its full id, which begins with the id of its plan';

type Document = Readonly<Record<string, unknown>>;

/** Stores what would run, and says what a person is to agree to, and how. */
export async function prepareSteps(
  { library }: ToolWorld,
  {
    id,
    steps,
    goal,
  }: {
    readonly id?: string | undefined;
    readonly steps?: readonly unknown[] | undefined;
    readonly goal?: string | undefined;
  },
): Promise<Document> {
  if (id === undefined && steps === undefined)
    throw new PlanError('USAGE', 'neither steps nor the id of a stored plan is given');
  const text = steps === undefined ? undefined : JSON.stringify({ schema_version: '1.0', steps });
  const ofPlan = goal === undefined ? undefined : await planOfGoalCall(library, { goal }, FULL_ID);
  const prepared = await library.prepare({
    plan: id ?? '-',
    ...(text === undefined ? {} : { input: text }),
    goal,
    ofPlan,
  });
  return {
    run: prepared.run,
    digest: prepared.digest,
    preview: wellFormed(prepared.text.slice(0, LONGEST_PREVIEW)),
    requires_approval: prepared.requires_approval,
    approve: prepared.approval?.command ?? prepared.signers?.command ?? null,
  };
}

/**
 * Begins or goes on with a run. It is waited for, and goes on when that is over, until the server ends; cancelling ends the
 * waiting alone.
 */
export async function runSteps(world: ToolWorld, id: string, seconds = STANDARD_WAIT_S): Promise<Document> {
  const operation: Operation | undefined = await REGISTERED.get('run')?.load();
  if (operation === undefined) throw new TypeError('run is no operation');
  const running = operation.run(
    { ...world.context, ...world.ending },
    parseInput(operation.input, { run: id }),
  );
  world.background(running);
  const over = running.then(() => undefined);
  await Promise.race([over, wait(seconds * 1000, undefined, { signal: world.signal, ref: false })]);
  return runState(world.library, id);
}

/** How the run of steps stands; with seconds, when that has changed, at the latest then. */
export async function statusOfRun(
  world: ToolWorld,
  id: string,
  seconds: number | undefined,
): Promise<Document> {
  return untilChanged(world, () => runState(world.library, id), seconds);
}

/** Ends a run for good. */
export async function stopRun({ library }: ToolWorld, id: string): Promise<Document> {
  await library.abort({ run: id });
  return runState(library, id);
}

async function runState(library: Library, id: string): Promise<Document> {
  const { run, status, steps, waiting, reason } = await library.runs.show({ run: id });
  return {
    run,
    state: status,
    steps: steps.slice(0, MOST_STEPS).map(({ step, state, attempts }) => ({ id: step, state, attempts })),
    ...(reason === null ? {} : { reason }),
    ...(waiting.length === 0
      ? {}
      : {
          waiting_for: waiting.map(({ step, for: what, summary, commands }) => ({
            step,
            for: what,
            summary,
            commands,
          })),
        }),
  };
}
