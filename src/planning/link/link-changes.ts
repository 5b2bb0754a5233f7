import { oneLine } from '../../kernel/text/safe-text.js';
import { saysSomething } from '../../kernel/text/says-something.js';
import { truncate } from '../../kernel/text/truncate.js';
import { matterKey } from '../../plan/decisions.js';
import type { PayloadOf } from '../../plan/events.js';
import { goalOf, putGoal } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { criticalPath, findCycleThrough, waves } from '../../plan/readiness/dependencies.js';
import { workOrder } from '../../plan/readiness/work-order.js';
import type { MissingResult } from '../../plan/schema.js';
import { numberedLeaves } from './link-question.js';
import { goalNamed } from '../goal-numbers.js';
import { readNeeds } from './link-needs.js';
import type { ReadNeeds } from './link-needs.js';
import type { LinkReply } from './link-reply.js';
import { leafClosure } from './leaf-closure.js';
import { waitKey } from './planned-waits.js';
import { wideWaits } from './wide-waits.js';
import type { WideWait } from './wide-waits.js';

/** That a goal waits for another. */
export interface LinkedNeed {
  readonly goal: string;
  readonly on: string;
}

/** What an answer about the leaves comes to. */
export interface LinkChanges {
  readonly event: Pick<
    PayloadOf<'dependencies_linked'>,
    'type' | 'changes' | 'missing' | 'chain' | 'can_start'
  >;
  readonly added: readonly LinkedNeed[];
  readonly replaced: readonly LinkedNeed[];
  /** Needs that would close a cycle. */
  readonly dropped: readonly LinkedNeed[];
  /** Why less was changed than the answer says, or nothing, in words for a person. */
  readonly notices: readonly string[];
}

const LONGEST_MISSING = 200;
const MOST_MISSING = 20;
/** Plans of fewer leaves may well be one chain. */
const LEAST_LEAVES = 8;
/** An answer with more needs than so many times the leaves that have an entry is not believed. */
const MOST_NEEDS_EACH = 10;
/** An answer that puts more of all pairs of leaves after each other says nothing about any of them. */
const MOST_ORDERED = 0.8;
/** Of the waits between parts so many must have a need behind them before an answer is believed to find them all. */
const LEAST_FOUND = 0.5;

/**
 * Turns an answer into changes of dependencies. Each need is added, unless it would close a cycle. A wait between parts
 * that planning made is replaced by them where the answer has an entry for each leaf concerned. Waits of others, and
 * those among the leaves of one part, stay. An answer that orders nearly everything changes nothing, and one that finds
 * hardly any need behind the waits that there are only adds. Pure.
 * @param goals ids by the numbers that the answer uses
 * @param planned the waits that planning made, as {@link waitKey} names them
 * @param covers whether all leaves that a wait concerns were compared; they were when left out
 */
export function linkChanges(
  plan: Plan,
  reply: LinkReply,
  {
    goals,
    planned,
    covers = () => true,
  }: {
    readonly goals: ReadonlyMap<string, string>;
    readonly planned: ReadonlySet<string>;
    readonly covers?: ((wait: WideWait) => boolean) | undefined;
  },
): LinkChanges {
  const { needs, unknown } = needsOfLeaves(plan, reply, goals);
  const missing = missingOf(plan, reply, goals);
  const notices = unknown === 0 ? [] : [unknownNotice(unknown)];
  if ([...needs.values()].every(({ size }) => size === 0))
    return unchanged(plan, missing, [
      ...notices,
      'the answer says of no leaf that it needs another, so no dependency was changed',
    ]);
  // Direct needs alone are asked for, of which a leaf has two or three; so many take long to look at, and say nothing.
  const count = [...needs.values()].reduce((sum, { size }) => sum + size, 0);
  if (count > MOST_NEEDS_EACH * needs.size)
    return unchanged(plan, missing, [
      ...notices,
      `it names ${count} needs, more than ${MOST_NEEDS_EACH} a leaf; nothing was changed`,
    ]);
  const wide = wideWaits(plan).filter(
    (wait) =>
      planned.has(waitKey(wait.goal, wait.on)) &&
      wait.waiting.length > 0 &&
      wait.waiting.every((id) => needs.has(id)) &&
      covers(wait),
  );
  const freed = wide.reduce(withoutWait, plan);
  const linked = withNeeds(freed, needs);
  if (ordersNearlyAll(plan, linked.plan))
    return unchanged(plan, missing, [
      ...notices,
      'it puts nearly every leaf after nearly every other; nothing was changed',
    ]);
  const { before, indexOf } = leafClosure(linked.plan);
  // Whether a leaf that waited needs, directly or through others, one of those that it waited for.
  const found = wide.filter(({ waiting, awaited }) =>
    waiting.some((goal) => awaited.some((on) => before(indexOf(goal), indexOf(on)))),
  ).length;
  const isTrusted = found >= LEAST_FOUND * wide.length;
  const made = isTrusted ? linked : withNeeds(plan, needs);
  if (made.dropped.length > made.added.length)
    return unchanged(plan, missing, [
      ...notices,
      `of its needs ${made.added.length} could be kept, and ${made.dropped.length} would have goals wait for each other; nothing was changed`,
    ]);
  return {
    event: eventOf(plan, made.plan, missing),
    added: made.added,
    replaced: isTrusted ? wide.map(({ goal, on }) => ({ goal, on })) : [],
    dropped: made.dropped,
    notices: isTrusted
      ? notices
      : [...notices, `it finds a need behind ${found} of ${wide.length} waits between parts; they stay`],
  };
}

/** The needs of each leaf that has an entry and is not finished. */
function needsOfLeaves(plan: Plan, reply: LinkReply, goals: ReadonlyMap<string, string>): ReadNeeds {
  const read = readNeeds(reply, goals, (id) => plan.goals.get(id)?.child_ids.length === 0);
  const open = [...read.needs].filter(([id]) => plan.goals.get(id)?.status !== 'complete');
  return { ...read, needs: new Map(open) };
}

function missingOf(plan: Plan, { missing }: LinkReply, goals: ReadonlyMap<string, string>): MissingResult[] {
  const made = new Set([...plan.goals.values()].map(({ description }) => matterKey(description)));
  const found = new Map<string, MissingResult>();
  for (const { what, used_by } of missing) {
    const text = truncate(oneLine(what).trim(), LONGEST_MISSING);
    const users = used_by.flatMap((number) => goalNamed(number, goals) ?? []);
    // What a goal says in these words it makes.
    if (!saysSomething(text) || users.length === 0 || made.has(matterKey(text))) continue;
    const known = found.get(text.toLowerCase());
    found.set(text.toLowerCase(), {
      what: known?.what ?? text,
      used_by: [...new Set([...(known?.used_by ?? []), ...users])],
    });
  }
  return [...found.values()].slice(0, MOST_MISSING);
}

interface Linked {
  readonly plan: Plan;
  readonly added: readonly LinkedNeed[];
  readonly dropped: readonly LinkedNeed[];
}

/** Adds needs: first those that agree with the order of the list, so that of two that exclude each other these stay. */
function withNeeds(plan: Plan, needs: ReadonlyMap<string, ReadonlySet<string>>): Linked {
  const places = new Map(numberedLeaves(plan).map(({ goal }, index) => [goal.id, index]));
  const placeOf = (id: string) => places.get(id) ?? 0;
  const wanted = [...needs].flatMap(([goal, on]) => Array.from(on, (other) => ({ goal, on: other })));
  const isForward = ({ goal, on }: LinkedNeed) => placeOf(on) < placeOf(goal);
  let next = plan;
  const added: LinkedNeed[] = [];
  const dropped: LinkedNeed[] = [];
  // Many at once: of those that close a cycle each half is tried, so that one is found in as many steps as a number has digits.
  const open = [[...wanted.filter(isForward), ...wanted.filter((one) => !isForward(one))]];
  for (let some = open.pop(); some !== undefined; some = open.pop()) {
    const fresh = some.filter(({ goal, on }) => !goalOf(next, goal).dependencies.includes(on));
    const candidate = fresh.reduce(withNeed, next);
    if (findCycleThrough(candidate, [...new Set(fresh.map(({ goal }) => goal))]) === null) {
      next = candidate;
      for (const one of fresh) added.push(one);
    } else if (fresh[0] !== undefined && fresh.length === 1) dropped.push(fresh[0]);
    else {
      const half = Math.ceil(fresh.length / 2);
      open.push(fresh.slice(half), fresh.slice(0, half));
    }
  }
  return { plan: next, added, dropped };
}

function withNeed(plan: Plan, { goal: id, on }: LinkedNeed): Plan {
  const goal = goalOf(plan, id);
  return putGoal(plan, { ...goal, dependencies: [...goal.dependencies, on] });
}

function withoutWait(plan: Plan, { goal: id, on }: WideWait): Plan {
  const goal = goalOf(plan, id);
  return putGoal(plan, { ...goal, dependencies: goal.dependencies.filter((other) => other !== on) });
}

function ordersNearlyAll(was: Plan, is: Plan): boolean {
  const { leaves, orderedShare } = leafClosure(is);
  return (
    leaves >= LEAST_LEAVES && orderedShare > MOST_ORDERED && leafClosure(was).orderedShare < orderedShare
  );
}

function unchanged(plan: Plan, missing: MissingResult[], notices: readonly string[]): LinkChanges {
  return { event: eventOf(plan, plan, missing), added: [], replaced: [], dropped: [], notices };
}

function eventOf(before: Plan, after: Plan, missing: MissingResult[]): LinkChanges['event'] {
  const changes = [...after.goals.values()].flatMap(({ id, dependencies }) => {
    const had = new Set(goalOf(before, id).dependencies);
    const has = new Set(dependencies);
    const add = dependencies.filter((on) => !had.has(on));
    const remove = [...had].filter((on) => !has.has(on));
    return add.length + remove.length === 0 ? [] : [{ goal: id, add, remove }];
  });
  const [was, is] = [orderOf(before), orderOf(after)];
  return {
    type: 'dependencies_linked',
    changes,
    missing,
    chain: [was.chain, is.chain],
    can_start: [was.canStart, is.canStart],
  };
}

function orderOf(plan: Plan): { readonly chain: number; readonly canStart: number } {
  const work = workOrder(plan);
  return { chain: criticalPath(plan, work).length, canStart: waves(plan, work)[0]?.length ?? 0 };
}

function unknownNotice(count: number): string {
  return `it names ${count === 1 ? 'a leaf that is' : `${count} leaves that are`} not in the plan; they were left out`;
}
