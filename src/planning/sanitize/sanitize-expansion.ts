import { oneLine } from '../../kernel/text/safe-text.js';
import { saysSomething } from '../../kernel/text/says-something.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { SubGoal } from '../../plan/expansion.js';
import { ancestors } from '../../plan/tree.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { plansOutOfScope } from '../out-of-scope.js';
import { numberBefore, type ReducedExpansion } from './filler.js';
import { sanitizeDecisions } from './sanitize-decisions.js';
import type { SanitizedDecision } from './sanitize-decisions.js';
import { isSameInOtherWords, wordKey } from './same-words.js';
import { MAX_REASONING, sanitizeTexts, type SanitizedTexts, type Warn } from './sanitize-texts.js';
import { keptDependencies, type Numbered, type Telling, type Told } from './sub-goal-dependencies.js';

/** A sub-goal that passed the guards; dependencies are indices into the guarded list, counted from 0. */
interface GuardedSubGoal extends SanitizedTexts {
  readonly dependencies: readonly number[];
  /** Ids of goals that stay and that it depends on. */
  readonly staying: readonly string[];
}

/** A goal that is there already and that was proposed again in the same words, with what it is to depend on. */
interface RepeatedGoal {
  readonly goal: Goal;
  /** Indices into the guarded list, counted from 0. */
  readonly dependencies: readonly number[];
  /** Ids of goals that are there already. */
  readonly staying: readonly string[];
}

/** What was decided; the goal that makes a choice is one of the guarded list, by its index, or one that stays, by its id. */
interface GuardedDecision {
  readonly what: string;
  readonly choice: string | null;
  readonly decidedBy: number | string | null;
}

export interface SanitizedExpansion {
  readonly atomic: boolean;
  readonly reasoning: string;
  readonly subGoals: readonly GuardedSubGoal[];
  readonly repeated: readonly RepeatedGoal[];
  readonly decisions: readonly GuardedDecision[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What a goal has already when it is planned again; {@link NOTHING_THERE} the first time. */
export interface Existing {
  /** Children that stay whatever is proposed. */
  readonly staying: readonly Goal[];
  /** Children that go, unless they are proposed again. */
  readonly replaced: readonly Goal[];
  /** Finished goals that the expander was told of: a copy of one is no work that is left. */
  readonly finished: readonly Goal[];
  /** Goals that were moved away, and are planned where they stand now. */
  readonly moved: readonly Goal[];
}

/** Columns of a text that a warning quotes. */
const MAX_QUOTED = 200;

export const NOTHING_THERE: Existing = { staying: [], replaced: [], finished: [], moved: [] };

/**
 * What of an expansion may enter the plan, so that planning always ends and the tree stays valid: no more
 * than `maxChildren` sub-goals; none that is empty, restates an ancestor or repeats a sibling; no
 * dependency that is out of range or closes a cycle. What was left out is said in the warnings.
 * @param existing what the goal has when it is replanned: what is proposed again of it is not added
 */
export function sanitizeExpansion(
  expansion: ReducedExpansion,
  plan: Plan,
  goal: Goal,
  maxChildren: number,
  existing: Existing = NOTHING_THERE,
): SanitizedExpansion {
  const warnings: { code: string; message: string }[] = [];
  const warn: Warn = (code, message) => warnings.push({ code, message });
  const told: Told = (number) => numberBefore(expansion.dropped ?? [], number);
  const reasoning = truncate(expansion.reasoning.trim(), MAX_REASONING);
  const nothing = { reasoning, subGoals: [], repeated: [], decisions: [], warnings };
  if (expansion.atomic) {
    const unused = sanitizeDecisions(expansion.decisions ?? [], () => undefined).map(({ what }) => what);
    if (unused.length > 0)
      warn(
        'unused_decisions',
        `decisions are kept with a goal that is divided, and this one is not: ${truncate(unused.join('; '), MAX_QUOTED)}`,
      );
    return { atomic: true, ...nothing };
  }

  const above = [...ancestors(plan, goal), goal];
  const sorted = withoutRestatements(expansion.sub_goals, above, existing, { warn, told });
  const fresh = onlyRestates(sorted, goal) ? [] : sorted.fresh;
  if (fresh.length === 0 && sorted.repeats.size === 0) {
    if (existing.staying.length > 0) return { atomic: false, ...nothing };
    warn('restated', 'its only sub-goals restated it, so it was taken as atomic');
    return { atomic: true, ...nothing };
  }
  const most = Math.max(0, maxChildren - sorted.repeats.size);
  const chosen = fresh.slice(0, most);
  if (fresh.length > chosen.length) {
    warn(
      'too_many_children',
      `${fresh.length} sub-goals were proposed; the first ${chosen.length} were kept`,
    );
  }
  for (const { subGoal } of chosen) {
    const text = plansOutOfScope(subGoal.description, above);
    if (text !== null)
      warn(
        'out_of_scope',
        `“${truncate(oneLine(subGoal.description), MAX_QUOTED)}” looks like what must not be planned: “${truncate(text, MAX_QUOTED)}”`,
      );
  }
  const decisions = sanitizeDecisions(expansion.decisions ?? [], warn).map((decision) => ({
    ...decision,
    decidedBy: deciderOf(decision, expansion.sub_goals.length, { chosen, sorted, warn, told }),
  }));
  return {
    atomic: false,
    reasoning,
    ...linked(expansion.sub_goals, chosen, sorted, { warn, told }),
    decisions,
    warnings,
  };
}

/** Who makes a choice that a numbered sub-goal was to make; null where that one did not come into the plan. */
function deciderOf(
  { what, decidedBy: number }: SanitizedDecision,
  proposed: number,
  among: Telling & { readonly chosen: readonly Numbered[]; readonly sorted: Sorted },
): number | string | null {
  const { chosen, sorted, warn, told } = among;
  const { repeats, staysAs, standsFor } = sorted;
  if (number === null) return null;
  if (number < 1 || number > proposed)
    warn(
      'bad_decider',
      `“${what}” cannot be decided by sub-goal ${told(number)}, which is not there; it stays open`,
    );
  const stands = standsFor.get(number) ?? number;
  const index = chosen.findIndex((entry) => entry.number === stands);
  return index < 0 ? (repeats.get(stands)?.id ?? staysAs.get(number) ?? null) : index;
}

function onlyRestates({ fresh, repeats }: Sorted, goal: Goal): boolean {
  const [only] = fresh;
  return (
    fresh.length === 1 &&
    repeats.size === 0 &&
    only !== undefined &&
    isSameInOtherWords(only.subGoal.description, goal.description)
  );
}

/** The chosen sub-goals and the repeated goals, with what each depends on. */
function linked(
  proposed: readonly SubGoal[],
  chosen: readonly Numbered[],
  { repeats, standsFor, staysAs }: Sorted,
  telling: Telling,
): Pick<SanitizedExpansion, 'subGoals' | 'repeated'> {
  const again = [...repeats.keys()].flatMap((number) => {
    const subGoal = proposed[number - 1];
    return subGoal === undefined ? [] : { number, subGoal };
  });
  const entries = [...chosen, ...again].toSorted((a, b) => a.number - b.number);
  const found = keptDependencies(entries, proposed.length, standsFor, telling);
  const positions = new Map(chosen.map(({ number }, index) => [number, index]));
  const linksOf = (entry: Numbered) => {
    const numbers = (found[entries.indexOf(entry)] ?? []).flatMap((index) => entries[index]?.number ?? []);
    const there = [...new Set(entry.subGoal.depends_on)].flatMap((number) => staysAs.get(number) ?? []);
    return {
      dependencies: numbers.flatMap((number) => positions.get(number) ?? []),
      staying: [...new Set([...numbers.flatMap((number) => repeats.get(number)?.id ?? []), ...there])],
    };
  };
  const entryOf = (wanted: number) => entries.find(({ number }) => number === wanted);
  return {
    subGoals: chosen.map((entry) => ({ ...sanitizeTexts(entry.subGoal, telling.warn), ...linksOf(entry) })),
    repeated: [...repeats].flatMap(([number, goal]) => {
      const entry = entryOf(number);
      return entry === undefined ? [] : { goal, ...linksOf(entry) };
    }),
  };
}

/** The proposed sub-goals, sorted by what is to become of each; all of them by number, counted from 1. */
interface Sorted {
  readonly fresh: readonly Numbered[];
  /** Children that would go and are proposed again. */
  readonly repeats: ReadonlyMap<number, Goal>;
  /** The number of the one that stands for each. */
  readonly standsFor: ReadonlyMap<number, number>;
  /** The id of the goal that is there already and stays. */
  readonly staysAs: ReadonlyMap<number, string>;
}

function withoutRestatements(
  subGoals: readonly SubGoal[],
  above: readonly Goal[],
  { staying, replaced, finished, moved }: Existing,
  { warn, told }: Telling,
): Sorted {
  const there = byKey(staying);
  const going = byKey(replaced);
  const done = byKey(finished);
  const away = byKey(moved);
  const taken = new Map(above.map((ancestor) => [wordKey(ancestor.description), null as number | null]));
  const fresh: Numbered[] = [];
  const repeats = new Map<number, Goal>();
  const staysAs = new Map<number, string>();
  const standsFor = new Map<number, number>();
  for (const [index, subGoal] of subGoals.entries()) {
    const number = index + 1;
    const key = wordKey(subGoal.description);
    const earlier = taken.get(key);
    const [stays] = there.get(key) ?? [];
    const [again] = going.get(key) ?? [];
    const [copied] = done.get(key) ?? [];
    const [elsewhere] = away.get(key) ?? [];
    if (!saysSomething(subGoal.description))
      warn('empty', `sub-goal ${told(number)} had no description and was dropped`);
    else if (stays !== undefined) staysAs.set(number, stays.id);
    else if (again !== undefined) {
      // Such a part may have the words of the goal above, whose own work it is.
      going.set(key, (going.get(key) ?? []).slice(1));
      repeats.set(number, again);
      standsFor.set(number, number);
      if (earlier === undefined) taken.set(key, number);
    } else if (earlier === null)
      warn('restated', `sub-goal ${told(number)} restated a goal above it and was dropped`);
    else if (earlier !== undefined) {
      standsFor.set(number, earlier);
      warn('repeated', `sub-goal ${told(number)} repeated sub-goal ${told(earlier)} and was dropped`);
    } else if (copied !== undefined) {
      staysAs.set(number, copied.id);
      warn('finished', `sub-goal ${told(number)} repeated finished work and was dropped`);
    } else if (elsewhere !== undefined) {
      staysAs.set(number, elsewhere.id);
      warn('moved_away', `sub-goal ${told(number)} repeated what was moved to another part and was dropped`);
    } else {
      taken.set(key, number);
      standsFor.set(number, number);
      fresh.push({ number, subGoal });
    }
  }
  return { fresh, repeats, standsFor, staysAs };
}

function byKey(goals: readonly Goal[]): Map<string, Goal[]> {
  const found = new Map<string, Goal[]>();
  for (const goal of goals) {
    const key = wordKey(goal.description);
    found.set(key, [...(found.get(key) ?? []), goal]);
  }
  return found;
}
