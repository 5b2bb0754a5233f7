import { heldByBox } from '../../../planning/documents/kinds/standing-words.js';
import { isTick } from '../../../planning/documents/signs.js';
import type { Goal } from '../../../plan/schema.js';
import { goalOf } from '../../../plan/plan.js';
import type { ChecklistItem } from './checklist.js';
import { attemptMerge, mergedGoalLabel, sayRefused } from './merge-state.js';
import type { MergeState } from './merge-state.js';

/** A mark in a box that puts a goal on hold, "-" or ">"; empty without one. */
export type HoldMark = '' | '-' | '>';

/** What the box of a line says. */
export interface BoxSays {
  readonly ticked: boolean;
  readonly mark: HoldMark;
}

/** Returns what a box says by what stands in its brackets. What is begun, `~` or `/`, is open. */
export function boxSays(box: string): BoxSays {
  return { ticked: isTick(box), mark: box === '-' || box === '>' ? box : '' };
}

/** Returns what the box of a goal has to say. */
export function boxOfGoal({ status, on_hold: hold }: Goal): BoxSays {
  if (status === 'complete') return { ticked: true, mark: '' };
  const mark = /^\[([->])\] /.exec(hold?.reason ?? '')?.[1];
  return { ticked: false, mark: mark === '-' || mark === '>' ? mark : '' };
}

/** Returns what to write into the brackets of a box: what stands there, where that says the same. */
export function boxText({ ticked, mark }: BoxSays, item: ChecklistItem | undefined): string {
  if (item?.ticked === ticked && item.mark === mark) return item.box;
  return ticked ? 'x' : mark === '' ? ' ' : mark;
}

/** Ends the holds of goals whose lines have lost the mark that put them on hold. */
export function endHolds(state: MergeState, items: readonly ChecklistItem[]): void {
  for (const { item, goal } of withOtherMark(state, items))
    if (item.mark === '') {
      const refused = attemptMerge(state, { type: 'goal_hold_ended', goal });
      if (refused !== null) refuseMark(state, goal, 'lost the mark of its hold', refused);
    }
}

/** Puts goals on hold whose lines have got a mark that says so. */
export function putOnHold(state: MergeState, items: readonly ChecklistItem[]): void {
  for (const { item, goal } of withOtherMark(state, items)) {
    const reason = heldByBox(item.mark);
    if (reason === undefined) continue;
    const refused = attemptMerge(state, { type: 'goal_put_on_hold', goal, reason });
    if (refused !== null) refuseMark(state, goal, `is marked [${item.mark}]`, refused);
  }
}

/** The lines whose mark is another than before, and than that of the plan. */
function withOtherMark({ plan, goals, baseline }: MergeState, items: readonly ChecklistItem[]) {
  return items.flatMap((item) => {
    const id = goals.get(item);
    if (id === undefined || !plan.goals.has(id)) return [];
    const isOther =
      item.mark !== (baseline?.get(id)?.mark ?? '') && item.mark !== boxOfGoal(goalOf(plan, id)).mark;
    return isOther ? [{ item, goal: id }] : [];
  });
}

function refuseMark(
  state: MergeState,
  goal: string,
  what: string,
  refusal: Parameters<typeof sayRefused>[2],
): void {
  state.kept.add(goal);
  sayRefused(state, `${mergedGoalLabel(state, goal)} ${what}`, refusal);
}
