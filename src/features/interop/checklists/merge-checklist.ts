import { escapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { EventPayload } from '../../../plan/events.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Refusal } from '../../../plan/refusals.js';
import type { Baseline } from './baseline.js';
import { endHolds, putOnHold } from './box-marks.js';
import type { Checklist, ChecklistItem } from './checklist.js';
import { originalLines } from './copied-lines.js';
import { orderLines } from './order-lines.js';
import { judgeLine, matchLines } from './match-lines.js';
import {
  attemptMerge,
  mergedLineInWords,
  mergedGoalLabel,
  parentOfLine,
  reasonFor,
  sayRefused,
} from './merge-state.js';
import type { MergeStamp, MergeState } from './merge-state.js';
import { flattenItems } from './nested-item.js';
import type { NestedItem } from './nested-item.js';
import { removeGone } from './remove-gone.js';
import { mergeTicks } from './merge-ticks.js';

/** The most characters of a line that become a goal; what is longer stays in the file. */
const MOST_TEXT = 10_000;

/** What a checklist asks of a plan. */
export interface ChecklistMerge {
  /** The events to write, in order; each was accepted by the plan as it was read. */
  readonly payloads: readonly EventPayload[];
  /** The plan with them. */
  readonly plan: Plan;
  /** The goal of each line; lines that could not become one are not in it. */
  readonly goals: ReadonlyMap<ChecklistItem, string>;
  /** Goals whose line says something that the plan refused: it stays, and counts as not brought in step. */
  readonly kept: ReadonlySet<string>;
  /** Lines whose goal the plan has taken away. */
  readonly gone: ReadonlySet<ChecklistItem>;
  /** What both sides said differently, and what came of it. */
  readonly contradictions: readonly string[];
}

/**
 * What a checklist says beyond what both sides said last, as changes of the plan: ticks, other words, new lines, lines that moved and
 * lines that are gone. Where the plan refuses one, that is a contradiction, and the line stays as it is. Where both sides changed
 * the words or the place of a goal, the file's count: the log has the plan's.
 */
export function mergeChecklist(
  plan: Plan,
  checklist: Checklist,
  baseline: Baseline | null,
  stamp: MergeStamp,
): ChecklistMerge {
  const state: MergeState = {
    ...stamp,
    plan,
    baseline,
    payloads: [],
    goals: new Map(),
    kept: new Set(),
    gone: new Set(),
    arrived: new Set(),
    contradictions: [],
  };
  const items = flattenItems(checklist);
  const own = originalLines(state, items);
  matchLines(state, items, checklist, own);
  addLines(state, items, own);
  for (const { item } of items) if (item !== checklist.cut) changeText(state, item);
  for (const nested of items) moveLine(state, nested);
  orderLines(state, items);
  removeGone(state, checklist, items.length);
  const lines = items.map(({ item }) => item);
  endHolds(state, lines);
  mergeTicks(state, lines);
  putOnHold(state, lines);
  const { payloads, goals, kept, gone, contradictions } = state;
  return { payloads, plan: state.plan, goals, kept, gone, contradictions };
}

function addLines(
  state: MergeState,
  items: readonly NestedItem[],
  own: ReadonlyMap<string, ChecklistItem>,
): void {
  for (const { item, ancestors } of items) {
    if (state.goals.has(item)) continue;
    const line = judgeLine(state, item, own);
    if (line.kind === 'gone') state.gone.add(item);
    else if (line.kind === 'refused') state.contradictions.push(line.why);
    else if (addLine(state, item, ancestors) && line.why !== null) state.contradictions.push(line.why);
  }
}

/** Makes a goal of a line, below the nearest line above it that takes one. */
function addLine(state: MergeState, item: ChecklistItem, ancestors: readonly ChecklistItem[]): boolean {
  const above = ancestors.flatMap((each) => state.goals.get(each) ?? []);
  const shown = truncate(item.text, 80);
  if (item.text.length > MOST_TEXT) {
    state.contradictions.push(`“${shown}…” is longer than a goal can be; the line stays as it is`);
    return false;
  }
  let refusal: Refusal | null = null;
  for (const parent of [...above, rootOf(state.plan).id]) {
    const id = state.newGoalId();
    const sub_goals = [{ id, description: item.text, atomic: true, reasoning: null, dependencies: [] }];
    const refused = attemptMerge(state, { type: 'goals_added', parent, sub_goals });
    if (refused === null) {
      state.goals.set(item, id);
      state.arrived.add(id);
      if (refusal !== null)
        state.contradictions.push(`“${shown}” became a goal one level higher: ${reasonFor(state, refusal)}`);
      return true;
    }
    refusal ??= refused;
  }
  if (refusal !== null)
    state.contradictions.push(`“${shown}” cannot become a goal: ${reasonFor(state, refusal)}`);
  return false;
}

function changeText(state: MergeState, item: ChecklistItem): void {
  const id = state.goals.get(item);
  if (id === undefined) return;
  const there = oneLine(goalOf(state.plan, id).description).trim();
  const before = state.baseline?.get(id)?.text;
  if (item.text === there || item.text === before || item.written === escapeMarkdown(there)) return;
  if (item.text === '') {
    state.contradictions.push(
      `${mergedLineInWords(item)} has no words left; ${mergedGoalLabel(state, id)} keeps its text`,
    );
    return;
  }
  const what = `“${truncate(item.text, 80)}” changes the text of ${mergedGoalLabel(state, id)}`;
  const fields = { description: item.text };
  const isTooLong = item.text.length > MOST_TEXT;
  const refused = isTooLong ? null : attemptMerge(state, { type: 'goal_edited', goal: id, fields });
  if (refused !== null || isTooLong) state.kept.add(id);
  if (refused !== null) sayRefused(state, what, refused);
  else if (!isTooLong && before !== there)
    state.contradictions.push(
      `${what}, which the plan had changed too; the file’s text is used, the log keeps the other`,
    );
}

/** Moves the goal of a line to where the line is, if it was not there before. */
function moveLine(state: MergeState, { item, above }: NestedItem): void {
  const id = state.goals.get(item);
  const parent = parentOfLine(state, above);
  if (id === undefined || parent === undefined) return;
  const there = goalOf(state.plan, id).parent_id;
  const before = state.baseline?.get(id)?.parent;
  if (parent === there || parent === before || before === undefined) return;
  const what = `${mergedGoalLabel(state, id)} was moved in the file`;
  const refused = attemptMerge(state, { type: 'goal_moved', goal: id, parent });
  if (refused === null) state.arrived.add(id);
  if (refused !== null) sayRefused(state, what, refused);
  else if (there !== before) state.contradictions.push(`${what} and in the plan; the file’s place is used`);
}
