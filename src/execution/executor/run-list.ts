import { instanceName, itemName } from '../steps/instance-names.js';
import type { RunStep, StepList } from '../steps/run-step.js';
import { canonicalJson } from '../../kernel/json/canonical-json.js';
import type { JsonValue } from '../../kernel/json/json-value.js';
import { sha256 } from '../../kernel/sha256.js';
import { iterationToResolve, resolverOf } from '../values/resolve.js';
import type { Iteration } from '../values/resolve.js';
import { afterFailure } from './on-failure.js';
import { runInstance } from './run-instance.js';
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
  if (state === 'failed') return afterLoopFailure(session, at);
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
  if (failed !== null) return failed;
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

/** What cannot run over anything has failed as a step does. What an item says of failures has been done for the item. */
function afterLoopFailure(session: Session, at: StepInstance): Promise<StepEnd> {
  return afterFailure(session, at, runList);
}

interface ItemsEnd {
  readonly failed: FailedStep | null;
  readonly skippedItems: number;
}

/** Runs items, so many at once; when one fails or a person is needed, none is begun any more and the others end. */
async function runItems(
  session: Session,
  { step, name, iteration }: StepInstance,
  items: readonly JsonValue[],
): Promise<ItemsEnd> {
  let next = 0;
  let failed: FailedStep | null = null;
  let skippedItems = 0;
  const halts: unknown[] = [];
  const work = async (): Promise<void> => {
    while (next < items.length && failed === null && halts.length === 0) {
      const index = next;
      next += 1;
      const item = items[index] ?? null;
      const at = {
        step,
        name: itemName(name, index),
        iteration: iterationToResolve(iteration, step, index, item),
      };
      try {
        const end = await runInstance(session, at, runList);
        if (end.kind === 'failed') failed ??= end;
        if (end.kind === 'skipped') skippedItems += 1;
      } catch (thrown) {
        halts.push(thrown);
      }
    }
  };
  const workers = Math.min(MOST_AT_ONCE, Math.max(1, step.step.foreach?.concurrency ?? 1), items.length);
  await Promise.all(Array.from({ length: workers }, work));
  if (halts.length > 0) throw together(halts);
  return { failed, skippedItems };
}

/** What several items say together: an error first, else all that is to be asked. */
function together(halts: readonly unknown[]): unknown {
  const asks: Halted['asks'][number][] = [];
  for (const halt of halts) {
    if (!(halt instanceof Halted) || halt.because !== 'waiting') return halt;
    asks.push(...halt.asks);
  }
  return new Halted('waiting', asks);
}
