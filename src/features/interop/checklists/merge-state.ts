import { truncate } from '../../../kernel/text/truncate.js';
import type { EventPayload } from '../../../plan/events.js';
import { simulate } from '../../../plan/simulate.js';
import { goalSuffix } from '../../../plan/ids.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { wordRefusal } from '../../../plan/refusals.js';
import type { Refusal } from '../../../plan/refusals.js';
import type { Baseline } from './baseline.js';
import type { ChecklistItem } from './checklist.js';

/** Who merges, and where new ids come from. */
export interface MergeStamp {
  readonly newGoalId: () => string;
  readonly by: string;
  readonly at: string;
  /** Goals that were made and taken back by `undo`, which nobody removed. */
  readonly undone: ReadonlySet<string>;
  /** Goals that this log never had: nobody removed those here either. */
  readonly elsewhere: ReadonlySet<string>;
}

/** What a merge has come to so far: the plan as it would be, and what was found out about the lines. */
export interface MergeState extends MergeStamp {
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

/** Makes a change of the plan in a merge, unless it is refused. */
export function attemptMerge(state: MergeState, payload: EventPayload): Refusal | null {
  const { by, at } = state;
  const { plan, refused } = simulate(state.plan, payload, { by, at });
  if (refused !== null) return refused;
  state.plan = plan ?? state.plan;
  state.payloads.push(payload);
  return null;
}

/** The id of the goal of the plan that a line to be merged names. */
export function goalIdOf({ plan }: MergeState, suffix: string): string {
  return `${plan.header.id}-${suffix}`;
}

/**
 * The goal that the place of a line puts it below in the merge; undefined where the line above it is none of a goal.
 */
export function parentOfLine(
  { plan, goals }: Pick<MergeState, 'plan' | 'goals'>,
  above: ChecklistItem | null,
): string | undefined {
  return above === null ? rootOf(plan).id : goals.get(above);
}

/** A goal as a merge names it to people. */
export function mergedGoalLabel({ plan }: MergeState, goal: string): string {
  const found = plan.goals.get(goal);
  return found === undefined ? goalSuffix(goal) : goalInWords(plan, found);
}

/** A line of the checklist as a merge names it to people. */
export function mergedLineInWords({ lineNumber, text }: ChecklistItem): string {
  return `line ${lineNumber}${text === '' ? '' : ` “${truncate(text, 80)}”`}`;
}

/** Why the plan refuses a change of a merge. */
export function reasonFor(state: MergeState, refusal: Refusal): string {
  return wordRefusal(refusal, (id) => mergedGoalLabel(state, id));
}

/** Says of a merge that the plan refuses what a line says. */
export function sayRefused(state: MergeState, what: string, refusal: Refusal): void {
  state.contradictions.push(`${what}, which the plan refuses: ${reasonFor(state, refusal)}`);
}
