import { instanceName, itemName } from '../model/steps/instance-names.js';
import type { RunStep, StepList } from '../model/steps/run-step.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import { iterationToResolve, resolverOf } from '../model/values/resolve.js';
import type { Iteration } from '../model/values/resolve.js';
import { afterFailure } from './on-failure.js';
import { hasBegun, runInstance } from './run-instance.js';
import type { StepInstance } from './step-instance.js';
import { Halted } from './session.js';
import type { Session } from './session.js';
import type { FailedStep, ListEnd, StepEnd } from './step-end.js';

/** Most items of a foreach at once. */
const MOST_AT_ONCE = 8;

/**
 * Carries out the steps of a list one after the other, each after those that it needs. A step that fails ends the list;
 * what needs it is skipped, and the others are left as they are.
 * @throws Halted
 */
export async function runList(session: Session, list: StepList, iteration: Iteration): Promise<ListEnd> {
  let failed: ListEnd['failed'] = null;
  let last: string | null = null;
  for (const step of session.order.inOrder(list)) {
    const name = instanceName(step, iteration.indices);
    last = name;
    const end = await runStep(session, { step, name, iteration });
    if (end.kind === 'failed') {
      await skipDependents(session, list, step, iteration);
      return { failed: end, last };
    }
    if (end.kind === 'skipped' && end.isMissing) failed ??= missing(session, name);
  }
  return { failed, last };
}

function missing({ log }: Session, step: string): ListEnd['failed'] {
  const of = log.run.instances.get(step)?.skipped?.of ?? 'another step';
  const message = `it could not run, for ${of} did not succeed`;
  return { step, error: { code: 'DEPENDENCY_FAILED', message, retryable: false } };
}

async function runStep(session: Session, at: StepInstance): Promise<StepEnd> {
  const { step, name, iteration } = at;
  const { state } = session.instance(name);
  if (state === 'pending') {
    const needed = session.order
      .needsOf(step)
      .map((need) => instanceName(need, iteration.indices))
      .find((need) => session.instance(need).state !== 'succeeded');
    if (needed !== undefined) {
      session.refuseToStop();
      await session.append([{ type: 'step_skipped', step: name, because: 'dependency', of: needed }]);
      return { kind: 'skipped', isMissing: true };
    }
  }
  return step.raw.foreach === undefined ? runInstance(session, at, runList) : runLoop(session, at);
}

/** Marks what can no longer run, so that whoever looks at the run sees why. */
async function skipDependents(
  session: Session,
  list: StepList,
  failed: RunStep,
  { indices }: Iteration,
): Promise<void> {
  const lost = new Set([failed]);
  for (const step of session.order.inOrder(list)) {
    const need = session.order.needsOf(step).find((one) => lost.has(one));
    const name = instanceName(step, indices);
    if (need === undefined || session.instance(name).state !== 'pending') continue;
    lost.add(step);
    const of = instanceName(need, indices);
    await session.append([{ type: 'step_skipped', step: name, because: 'dependency', of }]);
  }
}

/** Carries out a step once for each item of a list; the outputs are in the order of the items. */
async function runLoop(session: Session, at: StepInstance): Promise<StepEnd> {
  const { step, name, iteration } = at;
  const { state, skipped } = session.instance(name);
  if (state === 'succeeded') return { kind: 'succeeded' };
  if (state === 'skipped') return { kind: 'skipped', isMissing: skipped?.because === 'dependency' };
  if (state === 'failed') return failedItem(session, name) ?? (await afterLoopFailure(session, at));
  const items = await resolverOf(session, step, iteration).items();
  if ('error' in items) {
    await session.append([{ type: 'step_ended', step: name, outcome: 'failed', error: items.error }]);
    return afterLoopFailure(session, at);
  }
  const count = items.value.length;
  if (session.log.run.loops.get(name) === undefined) {
    session.refuseToStop();
    const digest = sha256(canonicalJson(items.value));
    await session.append([{ type: 'items_fixed', step: name, count, digest }]);
  }
  const { failed, skippedItems } = await runItems(session, at, items.value);
  if (failed !== null) {
    const { step: item, error } = failed;
    await session.append([{ type: 'step_ended', step: name, outcome: 'failed', failed: item, error }]);
    return failed;
  }
  await session.append([
    {
      type: 'step_ended',
      step: name,
      outcome: 'succeeded',
      ...(skippedItems === 0 ? {} : { failed_items: skippedItems }),
    },
  ]);
  return { kind: 'succeeded' };
}

/** The item that a foreach is known to have failed with; null where it failed without one. */
function failedItem(session: Session, name: string): FailedStep | null {
  const { failed_by: step, error } = session.instance(name);
  return step === null || error === null ? null : { kind: 'failed', step, error };
}

/** What cannot run over anything has failed as a step does. What an item says of failures has been done for the item. */
function afterLoopFailure(session: Session, at: StepInstance): Promise<StepEnd> {
  return afterFailure(session, at, runList);
}

interface ItemsEnd {
  readonly failed: FailedStep | null;
  readonly skippedItems: number;
}

/**
 * Runs items, so many at once; when one fails or a person is needed, none is begun any more and the others end. Those
 * that an earlier executor has begun come first, so that none is begun that it would not have.
 */
async function runItems(session: Session, at: StepInstance, items: readonly JsonValue[]): Promise<ItemsEnd> {
  let failed: FailedStep | null = null;
  let skippedItems = 0;
  const halts: unknown[] = [];
  const run = async (index: number): Promise<void> => {
    try {
      const end = await runInstance(session, itemInstance(at, items, index), runList);
      if (end.kind === 'failed') failed ??= end;
      if (end.kind === 'skipped') skippedItems += 1;
    } catch (thrown) {
      halts.push(thrown);
    }
  };
  const indices = Array.from(items.keys());
  const begun = new Set(
    indices.filter((index) => hasBegun(session, [at.step], itemInstance(at, items, index).iteration)),
  );
  const most = Math.min(MOST_AT_ONCE, Math.max(1, at.step.step.foreach?.concurrency ?? 1));
  await atOnce(most, [...begun], run, () => halts.length === 0);
  const others = indices.filter((index) => !begun.has(index));
  await atOnce(most, others, run, () => failed === null && halts.length === 0);
  if (halts.length > 0) throw together(halts);
  return { failed, skippedItems };
}
function itemInstance(
  { step, name, iteration }: StepInstance,
  items: readonly JsonValue[],
  index: number,
): StepInstance {
  return {
    step,
    name: itemName(name, index),
    iteration: iterationToResolve(iteration, step, index, items[index] ?? null),
  };
}

/** Works on each of a list, so many at once, as long as it may go on. */
async function atOnce(
  most: number,
  list: readonly number[],
  work: (one: number) => Promise<void>,
  mayGoOn: () => boolean,
): Promise<void> {
  const left = list.values();
  const worker = async (): Promise<void> => {
    while (mayGoOn()) {
      const { value, done } = left.next();
      if (done === true) return;
      await work(value);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, worker));
}

/** What several items say together: an error first, else all that is to be asked. */
function together(halts: readonly unknown[]): unknown {
  const asks: Halted['asks'][number][] = [];
  for (const halt of halts) {
    if (!(halt instanceof Halted) || halt.because !== 'waiting') return halt;
    for (const ask of halt.asks) asks.push(ask);
  }
  return new Halted('waiting', asks);
}
