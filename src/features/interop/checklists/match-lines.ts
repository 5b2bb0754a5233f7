import { unescapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Checklist, ChecklistItem } from './checklist.js';
import { pairingOf } from './same-lines.js';
import { goalIdOf, mergedLineInWords, parentOfLine } from './merge-state.js';
import type { MergeState } from './merge-state.js';
import type { NestedItem } from './nested-item.js';

/** Finds the goal of each line: by its id, or by its words and its place. @param own the line that each mark belongs to */
export function matchLines(
  state: MergeState,
  items: readonly NestedItem[],
  { cut }: Checklist,
  own: ReadonlyMap<string, ChecklistItem>,
): void {
  const root = rootOf(state.plan).id;
  const named = new Set<string>();
  const others = new Map<ChecklistItem | null, Map<string, ChecklistItem[]>>();
  for (const { item, above } of items) {
    const id = item.goal === null ? '' : goalIdOf(state, item.goal);
    named.add(id);
    if (own.get(item.goal ?? '') === item && state.plan.goals.has(id) && id !== root)
      state.goals.set(item, id);
    else others.set(above, withLine(others.get(above) ?? new Map(), item));
  }
  const taken = new Set(state.goals.values());
  const isFree = (child: string) => !taken.has(child) && !named.has(child);
  const goalsSaying = childrenByText(state, isFree);
  const pairing = pairingOf(state.plan, items);
  // What is above a line is known before it: items come from the top.
  for (const { item, above } of items) {
    const parent = parentOfLine(state, above);
    if (state.goals.has(item) || parent === undefined) continue;
    const lines = others.get(above)?.get(item.text) ?? [];
    others.get(above)?.delete(item.text);
    const found = new Map(pairing(lines, goalsSaying(parent, item.text)));
    const begun = item === cut && !found.has(item) ? begunGoal(state, { item, parent, isFree }) : undefined;
    if (begun !== undefined) found.set(item, begun);
    for (const [line, goal] of found) {
      state.goals.set(line, goal);
      taken.add(goal);
    }
  }
}

function withLine(lines: Map<string, ChecklistItem[]>, line: ChecklistItem): Map<string, ChecklistItem[]> {
  const same = lines.get(line.text);
  if (same === undefined) lines.set(line.text, [line]);
  else same.push(line);
  return lines;
}

/** The goal below a parent that begins with what a line says that was cut off. */
function begunGoal(
  { plan, baseline }: MergeState,
  {
    item,
    parent,
    isFree,
  }: {
    readonly item: ChecklistItem;
    readonly parent: string;
    readonly isFree: (goal: string) => boolean;
  },
): string | undefined {
  if (baseline === null) return undefined;
  const begun = oneLine(unescapeMarkdown(withoutCutMark(item.written))).trim();
  const found = goalOf(plan, parent).child_ids.filter(
    (child) => isFree(child) && baseline.has(child) && textOf(plan, child).startsWith(begun),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Finds the free goals below a parent that say something and that no line has been of, with one look at each parent. */
function childrenByText(
  { plan, baseline }: MergeState,
  isFree: (goal: string) => boolean,
): (parent: string, text: string) => readonly string[] {
  const below = new Map<string, Map<string, string[]>>();
  const read = (parent: string) => {
    const byText = new Map<string, string[]>();
    for (const child of goalOf(plan, parent).child_ids) {
      if (baseline?.has(child) === true) continue;
      const text = textOf(plan, child);
      const others = byText.get(text);
      if (others === undefined) byText.set(text, [child]);
      else others.push(child);
    }
    below.set(parent, byText);
    return byText;
  };
  return (parent, text) => ((below.get(parent) ?? read(parent)).get(text) ?? []).filter(isFree);
}

function textOf(plan: Plan, goal: string): string {
  return oneLine(goalOf(plan, goal).description).trim();
}

/** Without what is left of a mark, or of an escape, that a line was cut off in. */
function withoutCutMark(written: string): string {
  const opened = written.indexOf('<', written.lastIndexOf('>') + 1);
  return opened >= 0 ? written.slice(0, opened) : written.replace(/\\$/, '');
}

/** What a line is whose mark led to no goal, or that has none. */
export type UnmatchedLine =
  /** New, or to be made anew; `why` is said if that was not to be expected. */
  | { readonly kind: 'new'; readonly why: string | null }
  /** Its goal was taken away in the plan, and it says nothing that was not said before. */
  | { readonly kind: 'gone' }
  /** Nothing can be made of it. */
  | { readonly kind: 'refused'; readonly why: string };

/** Tells what a line without a goal is. @param own the line that each mark belongs to */
export function judgeLine(
  state: MergeState,
  item: ChecklistItem,
  own: ReadonlyMap<string, ChecklistItem>,
): UnmatchedLine {
  const { goal, text } = item;
  if (goal === null)
    return text === ''
      ? { kind: 'refused', why: `${mergedLineInWords(item)} has no words; it stays as it is` }
      : { kind: 'new', why: null };
  const other = own.get(goal);
  const id = goalIdOf(state, goal);
  if (other !== undefined && other !== item) {
    const where = `${mergedLineInWords(item)} has the same mark as line ${other.lineNumber} (goal:${goal})`;
    if (text === '') return { kind: 'refused', why: `${where} and no words; it stays as it is` };
    if (state.plan.goals.has(id)) return { kind: 'new', why: `${where}; it is a goal of its own now` };
  }
  const before = state.baseline?.get(id);
  if (before === undefined || state.plan.goals.has(id))
    return {
      kind: 'refused',
      why: `${mergedLineInWords(item)} is marked goal:${goal}, which is not a goal of the plan or was removed there; it stays as it is. Remove the comment to make it a new goal, or remove the line`,
    };
  if (state.elsewhere.has(id))
    return {
      kind: 'refused',
      why: `${mergedLineInWords(item)} is marked goal:${goal}, which this plan never had, as on another branch; it stays as it is`,
    };
  // Whose making was undone was removed by nobody: a line of before the first sync is as new as it was then.
  if (state.undone.has(id) && before.adopted !== false && text !== '') return { kind: 'new', why: null };
  const isSame = before.text === text && (before.done || !item.ticked);
  if (isSame || text === '') return { kind: 'gone' };
  return {
    kind: 'new',
    why: `“${truncate(text, 80)}” was removed from the plan and changed in the file; it is a goal again`,
  };
}
