import type { PayloadOf, PlanEvent } from '../../../plan/events.js';
import { goalOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Usage } from '../../../plan/schema.js';
import { numberOf } from '../../../plan/tree.js';
import type { LinksAnswered, PartialAnswer } from '../../../planning/link/link-asking.js';
import { linkChanges } from '../../../planning/link/link-changes.js';
import type { LinkChanges, LinkedNeed } from '../../../planning/link/link-changes.js';
import type { LinkReply } from '../../../planning/link/link-reply.js';
import { plannedWaits } from '../../../planning/link/planned-waits.js';

/** As many needs are named that were left out. */
const DROPPED_SHOWN = 10;

/** An answer about the leaves of a plan. */
export interface LinkAnswer {
  readonly reply: LinkReply;
  /** Ids of the goals that were asked about, by the numbers that the answer uses. */
  readonly goals: ReadonlyMap<string, string>;
  readonly covers?: LinksAnswered['covers'];
  /** Why less was asked. */
  readonly notices: readonly string[];
  readonly usage: Usage;
}

/** Returns the event that keeps one of several answers, and counts what it cost. */
export function partialAnswer(links: PartialAnswer, usage: Usage): PayloadOf<'usage_added'> {
  return { type: 'usage_added', because: 'asked which leaves need each other', usage, links };
}

/**
 * Returns the event that stores an answer about the leaves of a plan. It is a change of its own, also where a longer command
 * writes it, so that one undo takes it back and nothing else. What the answer says and is not followed is among its warnings.
 */
export function linkEvent(
  plan: Plan,
  { event, notices, dropped }: LinkChanges,
  { notices: before, usage }: Pick<LinkAnswer, 'notices' | 'usage'>,
): PayloadOf<'dependencies_linked'> {
  const named = dropped.length === 0 ? [] : [droppedNotice(plan, dropped)];
  const told = [...before, ...notices, ...named];
  const warnings = told.map((notice) => ({
    code: 'link_answer',
    goal_id: null,
    message: `which leaves need each other: ${notice}`,
  }));
  return { ...event, usage, ...(warnings.length === 0 ? {} : { warnings }), change: undefined };
}

/** Returns what an answer about the leaves of a plan changes, as its history has made it. */
export function changesOf(
  plan: Plan,
  events: readonly PlanEvent[],
  { reply, goals, covers }: LinkAnswer,
): LinkChanges {
  return linkChanges(plan, reply, { goals, planned: plannedWaits(events), covers });
}

function droppedNotice(plan: Plan, dropped: readonly LinkedNeed[]): string {
  const numberIn = (id: string) => numberOf(plan, goalOf(plan, id));
  const named = dropped
    .slice(0, DROPPED_SHOWN)
    .map(({ goal, on }) => `${numberIn(goal)} needs ${numberIn(on)}`);
  const more = dropped.length > named.length ? ` and ${dropped.length - named.length} more` : '';
  return `left out, since goals would wait for each other: ${named.join(', ')}${more}`;
}
