import type { PlanEvent } from '../../plan/events.js';
import type { Settings } from '../../plan/schema.js';
import type { DocumentItem } from '../documents/document-item.js';

/** Of fewer goals anybody sees at once which are work; more would take ten questions and are rather a list of work. */
const LEAST_GOALS = 4;
const MOST_GOALS = 1000;

/**
 * Returns whether it is worth to ask which goals of a document are work. A box is a task, and what is done says of itself
 * that it was work.
 */
export function isWorthTriage(items: readonly DocumentItem[]): boolean {
  let leaves = 0;
  const open = [...items];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.children.length > 0) for (const child of item.children) open.push(child);
    else if (item.isTask !== true && !item.complete) leaves += 1;
  }
  return leaves >= LEAST_GOALS && leaves <= MOST_GOALS;
}

/** Whether planning with some settings asks first which goals of the document are work. */
export function asksForTriage({ expander, triage }: Pick<Settings, 'expander' | 'triage'>): boolean {
  return triage === true && (expander === 'model' || expander === 'replay');
}

/** What somebody does about one goal; whoever did it knows what the goal is. */
const BY_HAND: ReadonlySet<PlanEvent['type']> = new Set([
  'goal_edited',
  'goal_moved',
  'goal_put_on_hold',
  'goal_hold_ended',
  'goal_claimed',
  'goal_reopened',
  'decision_made',
  'action_plan_linked',
] as const);

/**
 * Returns the ids of the goals of which it is settled whether they are work: it was asked, or somebody has taken them in hand
 * since the plan was made.
 */
export function settledGoals(events: readonly PlanEvent[]): ReadonlySet<string> {
  const settled = new Set<string>();
  const made = events[0]?.change ?? events[0]?.id;
  for (const event of events) {
    if (event.type === 'usage_added') for (const id of event.triaged ?? []) settled.add(id);
    if (event.type === 'dependencies_changed' && event.change !== made)
      for (const { goal } of event.changes) settled.add(goal);
    if (BY_HAND.has(event.type) && 'goal' in event && typeof event.goal === 'string') settled.add(event.goal);
  }
  return settled;
}
