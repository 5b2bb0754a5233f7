import type { PayloadOf } from '../plan/events.js';
import type { NewGoal } from '../plan/events/new-goal.js';
import { openQuestionIn } from './documents/open-questions.js';
import type { DocumentItem, DocumentOutline } from './documents/document-item.js';

/** Whether what the document leaves open is decided by the planner (a model) or taken as it stands (rules). */
export type LeafVerdict = 'ask' | 'atomic';

/** What a document says of its goals beside what they are. */
export interface NotedOfGoals {
  /** The numbers that it gives them, by their ids. */
  readonly numbers: Map<string, readonly string[]>;
  /** Ids of those that have a box. */
  readonly boxes: string[];
}

/**
 * The events that put a document's outline under the root goal: one for each heading or item with others
 * below it, parents before children. Every item becomes one goal; limits of depth, children and goals are
 * the planner's and do not apply to what a person has written.
 * @param noted is told what a plan does not keep of its goals
 */
export function outlineEvents(
  outline: DocumentOutline,
  rootId: string,
  newGoalId: () => string,
  leaves: LeafVerdict,
  noted: NotedOfGoals = { numbers: new Map(), boxes: [] },
): readonly PayloadOf<'goal_expanded'>[] {
  if (outline.items.length === 0 && leaves === 'atomic') {
    const reasoning = 'The document names no parts.';
    return [{ type: 'goal_expanded', goal: rootId, atomic: true, reasoning, sub_goals: [] }];
  }
  const events: PayloadOf<'goal_expanded'>[] = [];
  const open: { readonly goalId: string; readonly items: readonly DocumentItem[]; readonly what: string }[] =
    [{ goalId: rootId, items: outline.items, what: 'document' }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { goalId, items, what } = next;
    if (items.length === 0) continue;
    const ids = items.map(() => newGoalId());
    const subGoals = items.map((item, index) => newGoal(item, ids, index, leaves));
    events.push({
      type: 'goal_expanded',
      goal: goalId,
      atomic: false,
      reasoning: `The ${what} has ${items.length === 1 ? 'one part' : `${items.length} parts`}.`,
      sub_goals: subGoals,
    });
    for (const [index, item] of items.entries()) {
      const id = ids[index] ?? '';
      if (item.numbers !== undefined) noted.numbers.set(id, item.numbers);
      if (item.isTask === true) noted.boxes.push(id);
      open.push({ goalId: id, items: item.children, what: item.kind });
    }
  }
  return events;
}

/** What a goal is called of which a document has all but the words. */
const NO_WORDS = '–';

function newGoal(item: DocumentItem, ids: readonly string[], index: number, leaves: LeafVerdict): NewGoal {
  const { tags = [], acceptance = [], outOfScope = [] } = item;
  const leaf = item.children.length === 0;
  // Of what nobody has decided yet nobody can begin with anything.
  const open =
    item.onHold ??
    (leaf && !item.complete && item.isFree !== true
      ? openQuestionIn(`${item.description}\n${item.detail ?? ''}`)
      : null);
  const isAtomic = leaf && leaves === 'atomic' && !item.complete;
  return {
    id: ids[index] ?? '',
    description: item.description.trim() === '' ? NO_WORDS : item.description,
    atomic: isAtomic ? true : null,
    reasoning: isAtomic
      ? `Written as one ${item.kind} of the document; the rules do not go beyond its text.`
      : null,
    dependencies: positionsBefore(item, index).flatMap((position) => ids[position] ?? []),
    ...(item.detail === undefined ? {} : { detail: item.detail }),
    ...(acceptance.length === 0 ? {} : { acceptance: [...acceptance] }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(item.priority === undefined ? {} : { priority: item.priority }),
    ...(outOfScope.length === 0 ? {} : { out_of_scope: [...outOfScope] }),
    ...(open === null ? {} : { on_hold: { reason: open } }),
    source: item.source,
    ...(leaf && item.complete ? { complete: true } : {}),
  };
}

function positionsBefore({ after, afterPrevious }: DocumentItem, index: number): readonly number[] {
  return after ?? (afterPrevious && index > 0 ? [index - 1] : []);
}
