import { unescapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Checklist, ChecklistItem } from './checklist.js';
import { goalIdOf, mergedLineInWords, parentOfLine } from './merge-state.js';
import type { MergeState } from './merge-state.js';
import type { NestedItem } from './nested-item.js';

/** Finds the goal of each line: by its id, or by its words and its place. */
export function matchLines(state: MergeState, items: readonly NestedItem[], { cut }: Checklist): void {
  const named = new Set(items.map(({ item }) => (item.goal === null ? '' : goalIdOf(state, item.goal))));
  const taken = new Set<string>();
  const isFree = (child: string) => !taken.has(child) && !named.has(child);
  const newBelow = childrenByText(state, isFree);
  for (const { item, above } of items) {
    const id = item.goal === null ? null : goalIdOf(state, item.goal);
    const isOwn = id !== null && state.plan.goals.has(id) && !taken.has(id) && id !== rootOf(state.plan).id;
    const parent = parentOfLine(state, above);
    const among = parent === undefined ? undefined : { parent, isFree, newBelow, cut };
    const found = isOwn ? id : among === undefined ? undefined : alike(state, item, among);
    if (found === undefined) continue;
    taken.add(found);
    state.goals.set(item, found);
  }
}

interface Among {
  readonly parent: string;
  readonly isFree: (goal: string) => boolean;
  /** The first free goal of a text below a parent that no line has been of. */
  readonly newBelow: (parent: string, text: string) => string | undefined;
  readonly cut: ChecklistItem | null;
}

/** The goal below a parent that says what a line says; for a line that was cut off, the one that begins so. */
function alike(
  state: MergeState,
  item: ChecklistItem,
  { parent, isFree, newBelow, cut }: Among,
): string | undefined {
  const { plan, baseline } = state;
  const same = newBelow(parent, item.text);
  if (same !== undefined || item !== cut || baseline === null) return same;
  const begun = oneLine(unescapeMarkdown(withoutCutMark(item.written))).trim();
  const found = goalOf(plan, parent).child_ids.filter(
    (child) => isFree(child) && baseline.has(child) && textOf(plan, child).startsWith(begun),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Finds goals by what they say, with one look at the children of each parent. What is not free once never is again. */
function childrenByText({ plan, baseline }: MergeState, isFree: Among['isFree']): Among['newBelow'] {
  const below = new Map<string, Map<string, string[]>>();
  const read = (parent: string) => {
    const byText = new Map<string, string[]>();
    for (const child of goalOf(plan, parent).child_ids.toReversed()) {
      if (baseline?.has(child) === true) continue;
      const text = textOf(plan, child);
      const others = byText.get(text);
      if (others === undefined) byText.set(text, [child]);
      else others.push(child);
    }
    below.set(parent, byText);
    return byText;
  };
  return (parent, text) => {
    const left = (below.get(parent) ?? read(parent)).get(text) ?? [];
    for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
      if (isFree(last)) return last;
      left.pop();
    }
    return undefined;
  };
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

/** Tells what a line without a goal is. @param first the lines that have each mark first */
export function judgeLine(
  state: MergeState,
  item: ChecklistItem,
  first: ReadonlyMap<string, ChecklistItem>,
): UnmatchedLine {
  const { goal, text } = item;
  if (goal === null)
    return text === ''
      ? { kind: 'refused', why: `${mergedLineInWords(item)} has no words; it stays as it is` }
      : { kind: 'new', why: null };
  const other = first.get(goal);
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
      why: `${mergedLineInWords(item)} is marked goal:${goal}, which is not a goal of the plan or was removed there; it stays as it is. Take the comment out to make it a goal, or the line out`,
    };
  // Whose making was undone was removed by nobody: a line that somebody wrote himself is as new as it was then.
  if (state.undone.has(id) && before.adopted !== false && text !== '') return { kind: 'new', why: null };
  const isSame = before.text === text && (before.done || !item.ticked);
  if (isSame || text === '') return { kind: 'gone' };
  return {
    kind: 'new',
    why: `“${truncate(text, 80)}” was taken away in the plan and changed in the file; it is a goal again`,
  };
}
