import { escapeMarkdown } from '../../kernel/text/escape-markdown.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { apply } from '../../plan/apply.js';
import type { EventPayload } from '../../plan/events.js';
import { goalSuffix } from '../../plan/ids.js';
import { goalOf, rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';
import type { Goal } from '../../plan/schema.js';
import { subtree } from '../../plan/tree.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import type { Baseline } from './baseline.js';
import { moveInto, orderedChildren } from './child-order.js';
import { flatten } from './placed-item.js';
import type { PlacedItem } from './placed-item.js';
import type { Checklist, ChecklistItem } from './checklist.js';

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

interface Making {
  readonly newGoalId: () => string;
  readonly by: string;
  readonly at: string;
}

/** The state of a merge, which each step carries on. */
interface Merging extends Making {
  plan: Plan;
  readonly baseline: Baseline | null;
  readonly payloads: EventPayload[];
  readonly goals: Map<ChecklistItem, string>;
  readonly kept: Set<string>;
  readonly gone: Set<ChecklistItem>;
  /** Goals that the file has put where they are now. */
  readonly arrived: Set<string>;
  readonly contradictions: string[];
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
  making: Making,
): ChecklistMerge {
  const merging: Merging = {
    ...making,
    plan,
    baseline,
    payloads: [],
    goals: new Map(),
    kept: new Set(),
    gone: new Set(),
    arrived: new Set(),
    contradictions: [],
  };
  const items = flatten(checklist);
  matchLines(merging, items);
  addLines(merging, items);
  for (const placed of items) changeText(merging, placed.item);
  for (const placed of items) moveLine(merging, placed);
  orderLines(merging, items);
  removeGone(merging, items);
  for (const { item } of items) if (item.ticked) tick(merging, item);
  // What is above is open again once anything below it is, so that comes first.
  for (const { item } of items.toReversed()) if (!item.ticked) tick(merging, item);
  const { payloads, goals, kept, gone, contradictions } = merging;
  return { payloads, plan: merging.plan, goals, kept, gone, contradictions };
}

/** Makes a change of the plan, unless it is refused. */
function attempt(merging: Merging, payload: EventPayload): Refusal | null {
  const { by, at } = merging;
  const { plan, refused } = apply(merging.plan, {
    id: 'foreseen',
    replica: 'none',
    clock: 1,
    by,
    at,
    ...payload,
  });
  if (refused !== null) return refused;
  merging.plan = plan ?? merging.plan;
  merging.payloads.push(payload);
  return null;
}

function idOf({ plan }: Merging, suffix: string): string {
  return `${plan.header.id}-${suffix}`;
}

function nameOf({ plan }: Merging, goal: string): string {
  const found = plan.goals.get(goal);
  return found === undefined ? goalSuffix(goal) : goalInWords(plan, found);
}

function refusedLine(merging: Merging, goal: string, what: string, refusal: Refusal): void {
  merging.kept.add(goal);
  merging.contradictions.push(
    `${what}, which the plan refuses: ${wordRefusal(refusal, (id) => nameOf(merging, id))}`,
  );
}

/** Finds the goal of each line: by its id, or by its words and its place. A line whose goal was taken away is new if it was changed. */
function matchLines(merging: Merging, items: readonly PlacedItem[]): void {
  const named = new Set(items.map(({ item }) => (item.goal === null ? '' : idOf(merging, item.goal))));
  const taken = new Set<string>();
  for (const { item, above } of items) {
    const id = item.goal === null ? null : idOf(merging, item.goal);
    if (id !== null && merging.plan.goals.has(id) && !taken.has(id) && id !== rootOf(merging.plan).id) {
      taken.add(id);
      merging.goals.set(item, id);
      continue;
    }
    const parent = above === null ? rootOf(merging.plan).id : merging.goals.get(above);
    if (parent === undefined) continue;
    const alike = goalOf(merging.plan, parent).child_ids.find(
      (child) =>
        !taken.has(child) &&
        !named.has(child) &&
        merging.baseline?.has(child) !== true &&
        oneLine(goalOf(merging.plan, child).description).trim() === item.text,
    );
    if (alike === undefined) continue;
    taken.add(alike);
    merging.goals.set(item, alike);
  }
}

/** Whether a line stands for a goal that the plan has taken away, and says nothing that was not said before. */
function isTakenAway(merging: Merging, item: ChecklistItem): boolean {
  if (item.goal === null || merging.goals.has(item)) return false;
  const id = `${merging.plan.header.id}-${item.goal}`;
  const before = merging.baseline?.get(id);
  return !merging.plan.goals.has(id) && before?.text === item.text && (before.done || !item.ticked);
}

function addLines(merging: Merging, items: readonly PlacedItem[]): void {
  for (const { item, ancestors } of items) {
    if (merging.goals.has(item)) continue;
    if (isTakenAway(merging, item)) {
      merging.gone.add(item);
      continue;
    }
    const wasGoal = item.goal !== null && merging.baseline?.has(idOf(merging, item.goal)) === true;
    const added = addLine(merging, item, ancestors);
    if (added && wasGoal)
      merging.contradictions.push(
        `“${item.text.slice(0, 80)}” was taken away in the plan and changed in the file; it is a goal again`,
      );
  }
}

/** Makes a goal of a line, below the nearest line above it that takes one. */
function addLine(merging: Merging, item: ChecklistItem, ancestors: readonly ChecklistItem[]): boolean {
  const above = ancestors.flatMap((each) => merging.goals.get(each) ?? []);
  const shown = item.text.slice(0, 80);
  if (item.text.length > MOST_TEXT) {
    merging.contradictions.push(`“${shown}…” is longer than a goal can be; the line stays as it is`);
    return false;
  }
  let refusal: Refusal | null = null;
  for (const parent of [...above, rootOf(merging.plan).id]) {
    const id = merging.newGoalId();
    const sub_goals = [{ id, description: item.text, atomic: true, reasoning: null, dependencies: [] }];
    const refused = attempt(merging, { type: 'goals_added', parent, sub_goals });
    if (refused === null) {
      merging.goals.set(item, id);
      merging.arrived.add(id);
      if (refusal !== null)
        merging.contradictions.push(
          `“${shown}” is a goal one level higher: ${wordRefusal(refusal, (goal) => nameOf(merging, goal))}`,
        );
      return true;
    }
    refusal ??= refused;
  }
  if (refusal !== null)
    merging.contradictions.push(
      `“${shown}” cannot become a goal: ${wordRefusal(refusal, (goal) => nameOf(merging, goal))}`,
    );
  return false;
}

function changeText(merging: Merging, item: ChecklistItem): void {
  const id = merging.goals.get(item);
  if (id === undefined) return;
  const there = oneLine(goalOf(merging.plan, id).description).trim();
  const before = merging.baseline?.get(id)?.text;
  if (item.text === there || item.text === before || item.written === escapeMarkdown(there)) return;
  const what = `“${item.text.slice(0, 80)}” is another text for ${nameOf(merging, id)}`;
  const fields = { description: item.text };
  const refused =
    item.text.length > MOST_TEXT ? null : attempt(merging, { type: 'goal_edited', goal: id, fields });
  if (refused !== null) refusedLine(merging, id, what, refused);
  else if (item.text.length > MOST_TEXT) merging.kept.add(id);
  else if (before !== there) merging.contradictions.push(`${what}; the file’s counts, the log has the other`);
}

/** Moves the goal of a line to where the line is, if it was not there before. */
function moveLine(merging: Merging, { item, above }: PlacedItem): void {
  const id = merging.goals.get(item);
  const parent = above === null ? rootOf(merging.plan).id : merging.goals.get(above);
  if (id === undefined || parent === undefined) return;
  const there = goalOf(merging.plan, id).parent_id;
  const before = merging.baseline?.get(id)?.parent;
  if (parent === there || parent === before || before === undefined) return;
  const what = `${nameOf(merging, id)} stands elsewhere in the file`;
  const refused = attempt(merging, { type: 'goal_moved', goal: id, parent });
  if (refused === null) merging.arrived.add(id);
  if (refused !== null) merging.contradictions.push(refusalOfMove(merging, what, refused));
  else if (there !== before) merging.contradictions.push(`${what} and in the plan; the file’s place counts`);
}

function refusalOfMove(merging: Merging, what: string, refused: Refusal): string {
  return `${what}, which the plan refuses: ${wordRefusal(refused, (goal) => nameOf(merging, goal))}`;
}

/** Brings the siblings below each goal into the order of the file, where that is another than before. */
function orderLines(merging: Merging, items: readonly PlacedItem[]): void {
  const lines = new Map<string, string[]>();
  for (const { item, above } of items) {
    const id = merging.goals.get(item);
    const said = above === null ? rootOf(merging.plan).id : merging.goals.get(above);
    const parent = id === undefined ? null : goalOf(merging.plan, id).parent_id;
    // One that the plan has put elsewhere has its place from there; one that came from the file has it from its line.
    if (id === undefined || parent === null || (parent !== said && !merging.arrived.has(id))) continue;
    lines.set(parent, lines.get(parent) ?? []);
    lines.get(parent)?.push(id);
  }
  for (const [parent, order] of lines) {
    const goal = merging.plan.goals.get(parent);
    if (goal === undefined) continue;
    for (const { id, index } of moveInto(goal.child_ids, orderedChildren(goal, order, merging)))
      attempt(merging, { type: 'goal_moved', goal: id, parent, at_index: index });
  }
}

/** Takes away the goals whose lines are gone, if nothing has happened to them since, nor to anything below them. */
function removeGone(merging: Merging, items: readonly PlacedItem[]): void {
  const { baseline } = merging;
  if (baseline === null || items.length === 0) return;
  const there = new Set(merging.goals.values());
  for (const id of baseline.keys()) {
    const goal = merging.plan.goals.get(id);
    if (goal === undefined || there.has(id) || goal.parent_id === null) continue;
    const below = subtree(merging.plan, goal);
    // A goal below it that has a line was moved there, or is new; it keeps what is above it.
    const isChanged = below.some((each) => there.has(each.id) || !isAsBefore(each, baseline));
    const refused = isChanged ? null : attempt(merging, { type: 'goal_removed', goal: id });
    if (isChanged)
      merging.contradictions.push(
        `the line of ${nameOf(merging, id)} is gone, but the goal has changed; it is back`,
      );
    else if (refused !== null)
      merging.contradictions.push(
        `the line of ${nameOf(merging, id)} is gone, but ${wordRefusal(refused, (each) => nameOf(merging, each))}; it is back`,
      );
  }
}

function isAsBefore(goal: Goal, baseline: Baseline): boolean {
  const before = baseline.get(goal.id);
  const isDone = goal.status === 'complete';
  return (
    before !== undefined &&
    before.text === oneLine(goal.description).trim() &&
    before.done === isDone &&
    before.parent === goal.parent_id
  );
}

/** A tick completes the goal and all below it; one that was taken away opens it again. */
function tick(merging: Merging, item: ChecklistItem): void {
  const id = merging.goals.get(item);
  const goal = id === undefined ? undefined : merging.plan.goals.get(id);
  if (id === undefined || goal === undefined) return;
  const isDone = goal.status === 'complete';
  const wasDone = merging.baseline?.get(id)?.done ?? false;
  if (item.ticked === wasDone || item.ticked === isDone) return;
  const what = `${nameOf(merging, id)} is ${item.ticked ? '' : 'not '}ticked`;
  if (item.ticked) complete(merging, goal, what);
  else {
    const refused = attempt(merging, { type: 'goal_reopened', goal: id });
    if (refused !== null) merging.contradictions.push(refusalOfMove(merging, what, refused));
  }
}

function complete(merging: Merging, top: Goal, what: string): void {
  for (const { id, child_ids, status } of subtree(merging.plan, top)) {
    if (child_ids.length > 0 || status === 'complete') continue;
    if (status === 'failed') attempt(merging, { type: 'goal_reopened', goal: id });
    const refused = attempt(merging, { type: 'goal_completed', goal: id });
    if (refused !== null) refusedLine(merging, top.id, what, refused);
  }
}
