import * as z from 'zod';

import { drawTree } from '../../exports/drawn-tree.js';
import { PlanError } from '../../kernel/errors.js';
import { printable } from '../../kernel/text/safe-text.js';
import type { EventPayload } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { toPlanFile } from '../../plan/snapshot/plan-file.js';
import { rootOf } from '../../plan/plan.js';
import { createMemoryStore } from '../../storage/memory/memory-store.js';
import type { RunContext } from '../operation.js';
import { parseInput } from '../parse-input.js';
import { OPERATIONS } from '../registry.js';
import type { RegisteredOperation } from '../registered-operation.js';
import { actorName } from '../shared/actor.js';
import { timeNow } from '../shared/environment.js';
import { goalToChange, planToChange } from '../shared/find-to-change.js';
import { refusedChange } from './change-goals.js';
import { reexpand } from './reexpand.js';
import { takenBack } from './undo-own-change.js';

/** One of several changes of a tree: the command that makes it, and what that takes. */
export interface TreeChange {
  /** As the caller calls it. */
  readonly op: string;
  readonly operation:
    'add' | 'edit' | 'move' | 'remove' | 'reopen' | 'divide again' | 'depend' | 'hold' | 'unhold' | 'undo';
  readonly input: Readonly<Record<string, unknown>>;
}

/** More take longer than whoever asked waits. */
const MOST_AT_ONCE = 500;

/** What changes of a tree came to. */
export interface ChangedTree {
  readonly changed: readonly {
    readonly op: string;
    /** As it was named, or its id where it is new; none where a change was taken back. */
    readonly goal?: string;
  }[];
  /** Goals that are new. */
  readonly ids: readonly string[];
  /** The tree after it. */
  readonly outline: string;
}

/**
 * Makes several changes of a tree, all or none, as one change that `undo` takes back. They are tried on a copy first; where
 * another process comes in between and one of them is refused after all, those before it are undone.
 * @throws PlanError as the commands do, with the place of the change among them; nothing is changed then
 */
export async function changeTree(
  context: RunContext,
  changes: readonly TreeChange[],
  options: { readonly plan?: string | undefined; readonly dryRun?: boolean | undefined },
): Promise<ChangedTree> {
  if (changes.length > MOST_AT_ONCE)
    throw new PlanError('USAGE', `${changes.length} changes are too many at once: at most ${MOST_AT_ONCE}`, {
      hint: ['Make them in several calls.'],
    });
  const log = await planToChange(context, options.plan);
  const plan = log.plan.header.id;
  const undoes = changes.some(({ operation }) => operation === 'undo');
  if (undoes && changes.length > 1)
    throw new PlanError('USAGE', 'undo cannot be one of several changes', { hint: ['Call it alone.'] });
  if (undoes) return undone(context, changes, log.plan, options.dryRun);
  const copy = await rehearsalOf(context, log.plan);
  const tried = await makeAll(copy, changes, plan);
  const before = new Set(log.plan.goals.keys());
  const report = await reported(copy, changes, tried, before, plan);
  if (options.dryRun === true) return report;
  const own = { ...context, ...context.newChange() };
  try {
    await writeAll(own, await rehearsed(copy, plan), plan);
  } catch (thrown) {
    throw await takenBack(own, plan, thrown);
  }
  return { ...(await reported(context, changes, tried, before, plan)), ids: report.ids };
}

/** Takes back the last change, which cannot be tried on a copy: that has no history. */
async function undone(
  context: RunContext,
  changes: readonly TreeChange[],
  plan: Plan,
  dryRun: boolean | undefined,
): Promise<ChangedTree> {
  const { id } = plan.header;
  const asked = changes.map((each) => ({ ...each, input: { ...each.input, dryRun } }));
  return reported(context, changes, await makeAll(context, asked, id), new Set(plan.goals.keys()), id);
}

/** What was written to a copy since it was made. */
async function rehearsed(copy: RunContext, plan: string): Promise<readonly EventPayload[]> {
  const events = await (await planToChange(copy, plan)).events();
  return events.flatMap((event) => {
    const {
      id: _id,
      at: _at,
      by: _by,
      replica: _replica,
      clock: _clock,
      change: _change,
      again: _again,
      ...payload
    } = event;
    return payload.type === 'plan_imported' ? [] : [payload];
  });
}

/**
 * Writes changes at once, so that whoever is killed has made all of them or none.
 * @throws PlanError REFUSED where another process has changed the plan so that one of them is not possible any more
 */
async function writeAll(context: RunContext, payloads: readonly EventPayload[], plan: string): Promise<void> {
  if (payloads.length === 0) return;
  const log = await planToChange(context, plan);
  const outcomes = await log.append(payloads, actorName(context, {}));
  await log.publish('when_due');
  for (const [index, { refused, before }] of outcomes.entries()) {
    const payload = payloads[index];
    if (refused !== null && payload !== undefined) throw refusedChange(before ?? log.plan, payload, refused);
  }
}

/** Makes changes in turn. @returns for each the goal that it added, if it did */
async function makeAll(
  context: RunContext,
  changes: readonly TreeChange[],
  plan: string,
): Promise<readonly (string | undefined)[]> {
  const added: (string | undefined)[] = [];
  for (const [index, change] of changes.entries()) {
    try {
      added.push(await make(context, change, plan));
    } catch (thrown) {
      if (!(thrown instanceof PlanError)) throw thrown;
      const { code, message, hintParts: hint, details } = thrown;
      throw new PlanError(code, `changes[${index}] (${change.op}): ${message}`, {
        ...(hint === undefined ? {} : { hint }),
        details,
        cause: thrown,
      });
    }
  }
  return added;
}

async function make(
  context: RunContext,
  { operation: name, input }: TreeChange,
  plan: string,
): Promise<string | undefined> {
  if (name === 'divide again') return makeAnew(context, input, plan);
  const row: RegisteredOperation = OPERATIONS[name];
  const operation = await row.load();
  const result: unknown = await operation.run(
    { ...context, emit: () => undefined },
    parseInput(operation.input, { ...input, plan }),
  );
  return name === 'add'
    ? addedSchema.parse(result).changes.findLast(({ before }) => before === null)?.goal
    : undefined;
}

/** Of adding a goal, which of those that are new is the one that was asked for: behind the work of its parent. */
const addedSchema = z.object({
  changes: z.array(z.object({ goal: z.string(), before: z.unknown() })),
});

const dividingSchema = z.strictObject({
  goal: z.string(),
  because: z.string().optional(),
  dryRun: z.boolean().optional(),
});

/** Has a goal divided anew by whoever plans; nobody is asked here. */
async function makeAnew(context: RunContext, input: TreeChange['input'], plan: string): Promise<undefined> {
  const { goal: name, ...options } = parseInput(dividingSchema, input);
  const { log, goal } = await goalToChange(context, name, { plan });
  await reexpand(context, log, goal, options);
}

/** The same world with a copy of the plan that is in memory alone. */
async function rehearsalOf(
  context: RunContext,
  plan: Awaited<ReturnType<typeof planToChange>>['plan'],
): Promise<RunContext> {
  const store = createMemoryStore(context.stamp);
  await store.create({ type: 'plan_imported', plan: toPlanFile(plan) });
  return { ...context, store: () => store, storeToWrite: async () => store };
}

async function reported(
  context: RunContext,
  changes: readonly TreeChange[],
  made: readonly (string | undefined)[],
  before: ReadonlySet<string>,
  id: string,
): Promise<ChangedTree> {
  const { plan } = await planToChange(context, id);
  const ids = [...plan.goals.keys()].filter((goal) => !before.has(goal));
  const changed = changes.map(({ op, input }, index) => {
    const named = typeof input.goal === 'string' ? input.goal : undefined;
    const goal = made[index] ?? named;
    return { op, ...(goal === undefined ? {} : { goal }) };
  });
  const root = rootOf(plan);
  // What is new, with all above it, and the first level.
  const goals = new Set([root.id, ...root.child_ids, ...ids]);
  const text = drawTree(plan, { at: timeNow(context.environment), goals });
  return { changed, ids, outline: printable(text.slice(0, 4000)) };
}
