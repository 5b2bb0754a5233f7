import { setTimeout as wait } from 'node:timers/promises';

import { PlanError } from '../../../kernel/errors.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import type { RunShown } from '../../runs/operations/runs/show-run.js';
import { planOfGoalCall } from '../fields.js';
import type { ToolWorld } from '../tool.js';
import { untilChanged } from '../until-changed.js';
import { runLibrary } from './run-library.js';

/** How long it is waited for that a run begins: conditions are looked at before. */
const LONGEST_BEGINNING_S = 10;
const MOST_STEPS = 100;
const LONGEST_PREVIEW = 12_000;
/** How a goal of one of several plans is named, for the tool takes no plan. */
const FULL_ID = 'Name the goal by its full id, which begins with the id of its plan';

type Document = Readonly<Record<string, unknown>>;

/** Stores what would run, and says what a person is to agree to, and how. */
export async function prepareSteps(
  world: ToolWorld,
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
  const ofPlan = goal === undefined ? undefined : await planOfGoalCall(world.library, { goal }, FULL_ID);
  const prepared = await runLibrary(world).prepare({
    plan: id ?? '-',
    ...(text === undefined ? {} : { input: text }),
    goal,
    ofPlan,
  });
  return {
    run: prepared.run,
    digest: prepared.digest,
    preview: previewOf(prepared.text, prepared.run),
    requires_approval: prepared.requires_approval,
    approve: prepared.approval?.command ?? prepared.signers?.command ?? null,
  };
}

/** What would run, as far as it fits into an answer. Whoever is asked to approve it is shown all of it. */
function previewOf(text: string, run: string): string {
  const shown = wellFormed(text.slice(0, LONGEST_PREVIEW));
  const left = text.length - shown.length;
  return left === 0
    ? shown
    : `${shown}\n*** ${left} more characters are not shown here; plan approve ${run} --dry-run shows everything`;
}

/**
 * Begins or goes on with a run, and answers when that has begun. It goes on until the server ends.
 * @param seconds how long its end is waited for at the most; cancelling ends the waiting alone
 * @throws PlanError as `plan run` does, where it does not begin
 */
export async function runSteps(world: ToolWorld, id: string, seconds: number | undefined): Promise<Document> {
  const { openRunState } = await import('../../runs/operations/run-state.js');
  const { carryOutRun } = await import('../../runs/operations/carry-out-run.js');
  const log = await openRunState(world.context, id);
  const answerable = new Promise<void>((resolve, reject) => {
    const onBegun = seconds === undefined ? { onBegun: resolve } : {};
    const running = carryOutRun({ ...world.context, ...world.ending }, log, onBegun);
    world.background(running);
    running.then(() => resolve(), reject);
  });
  const most = seconds ?? LONGEST_BEGINNING_S;
  await Promise.race([answerable, wait(most * 1000, undefined, { signal: world.signal, ref: false })]);
  return runState(world, id);
}

/** How a run stands in which something goes on, or is about to. */
const ACTIVE: ReadonlySet<unknown> = new Set<RunShown['status']>(['approved', 'running']);

/**
 * How the run of steps stands; with seconds, when that has changed, at the latest then. One that is over, or waits for a
 * person, is told at once.
 */
export async function statusOfRun(
  world: ToolWorld,
  id: string,
  seconds: number | undefined,
): Promise<Document> {
  const look = () => runLibrary(world).runs.show({ run: id });
  const shown = await untilChanged(world, look, {
    seconds,
    // Workers go on with a run that has lost its worker.
    mayChange: ({ status, workers }) => ACTIVE.has(status) || (workers && status === 'interrupted'),
    told: runDocument,
  });
  return runDocument(shown);
}

/** Ends a run for good. */
export async function stopRun(world: ToolWorld, id: string): Promise<Document> {
  await runLibrary(world).abort({ run: id });
  return runState(world, id);
}

async function runState(world: ToolWorld, id: string): Promise<Document> {
  return runDocument(await runLibrary(world).runs.show({ run: id }));
}

function runDocument({ run, status, steps, waiting, reason }: RunShown): Document {
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
