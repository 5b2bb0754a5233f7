import type { Expansion, Size, SubGoal } from '../plan/expansion.js';
import { ancestors } from '../plan/tree.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';
import { plansOutOfScope } from './out-of-scope.js';

/** The longest description that is kept, in characters. */
const MAX_DESCRIPTION = 2000;
/** The longest reasoning that is kept, in characters. */
const MAX_REASONING = 2000;
/** The longest criterion that is kept, in characters, and the most of one sub-goal. */
const MAX_CRITERION = 500;
const MAX_CRITERIA = 3;
/** Words that an only sub-goal may add to its parent's, or leave out, and still say the same. */
const EMPTY_WORDS = new Set(
  (
    'again all and be completely correctly do entirely ensure for full fully fulfil in is it just make now of ' +
    'on please properly really simply successfully sure that this to we well whole will with'
  ).split(' '),
);
/** Verbs that say of a goal no more than that it is to be done. */
const MAKING = /^(?:accomplish|achieve|build|complete|construct|create|develop|implement|make|produce)$/;

/** A sub-goal that passed the guards; dependencies are indices into the guarded list, counted from 0. */
interface GuardedSubGoal {
  readonly description: string;
  readonly atomic: boolean;
  readonly reasoning: string;
  /** What shows that it is done, a line each; empty when nothing was said. */
  readonly acceptance: readonly string[];
  readonly size: Size | null;
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

export interface GuardedExpansion {
  readonly atomic: boolean;
  readonly reasoning: string;
  readonly subGoals: readonly GuardedSubGoal[];
  readonly repeated: readonly RepeatedGoal[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** What a goal has already when it is planned again. */
export interface Existing {
  /** Children that stay whatever is proposed. */
  readonly staying: readonly Goal[];
  /** Children that go, unless they are proposed again. */
  readonly replaced: readonly Goal[];
  /** Finished goals that the expander was told of: a copy of one is no work that is left. */
  readonly finished: readonly Goal[];
}

const NOTHING_THERE: Existing = { staying: [], replaced: [], finished: [] };

interface Numbered {
  readonly number: number;
  readonly subGoal: SubGoal;
}

type Warn = (code: string, message: string) => void;

/**
 * What of an expansion may enter the plan, so that planning always ends and the tree stays valid: no more
 * than `maxChildren` sub-goals; none that is empty, restates an ancestor or repeats a sibling; no
 * dependency that is out of range or closes a cycle. What was left out is said in the warnings.
 * @param existing what the goal has when it is replanned: what is proposed again of it is not added
 */
export function guardExpansion(
  expansion: Expansion,
  plan: Plan,
  goal: Goal,
  maxChildren: number,
  existing: Existing = NOTHING_THERE,
): GuardedExpansion {
  const warnings: { code: string; message: string }[] = [];
  const warn: Warn = (code, message) => warnings.push({ code, message });
  const reasoning = shorten(expansion.reasoning.trim(), MAX_REASONING);
  const nothing = { reasoning, subGoals: [], repeated: [], warnings };
  if (expansion.atomic) return { atomic: true, ...nothing };

  const above = [...ancestors(plan, goal), goal];
  const sorted = withoutRestatements(expansion.sub_goals, above, existing, warn);
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
      warn('out_of_scope', `“${subGoal.description.trim()}” looks like what must not be planned: “${text}”`);
  }
  return { atomic: false, reasoning, ...linked(expansion.sub_goals, chosen, sorted, warn), warnings };
}

function onlyRestates({ fresh, repeats }: Sorted, goal: Goal): boolean {
  const [only] = fresh;
  return (
    fresh.length === 1 && repeats.size === 0 && only !== undefined && isSameInOtherWords(only.subGoal, goal)
  );
}

/** The chosen sub-goals and the repeated goals, with what each depends on. */
function linked(
  proposed: readonly SubGoal[],
  chosen: readonly Numbered[],
  { repeats, standsFor, staysAs }: Sorted,
  warn: Warn,
): Pick<GuardedExpansion, 'subGoals' | 'repeated'> {
  const again = [...repeats.keys()].flatMap((number) => {
    const subGoal = proposed[number - 1];
    return subGoal === undefined ? [] : { number, subGoal };
  });
  const entries = [...chosen, ...again].toSorted((a, b) => a.number - b.number);
  const found = chosenDependencies(entries, proposed.length, standsFor, warn);
  const places = new Map(chosen.map(({ number }, index) => [number, index]));
  const linksOf = (entry: Numbered) => {
    const numbers = (found[entries.indexOf(entry)] ?? []).flatMap((index) => entries[index]?.number ?? []);
    const there = [...new Set(entry.subGoal.depends_on)].flatMap((number) => staysAs.get(number) ?? []);
    return {
      dependencies: numbers.flatMap((number) => places.get(number) ?? []),
      staying: [...new Set([...numbers.flatMap((number) => repeats.get(number)?.id ?? []), ...there])],
    };
  };
  const entryOf = (wanted: number) => entries.find(({ number }) => number === wanted);
  return {
    subGoals: chosen.map((entry) => ({ ...guarded(entry.subGoal, warn), ...linksOf(entry) })),
    repeated: [...repeats].flatMap(([number, goal]) => {
      const entry = entryOf(number);
      return entry === undefined ? [] : { goal, ...linksOf(entry) };
    }),
  };
}

/** Letters, numbers and signs such as `<`, `€` and emoji; the minus of a number; an operator that stands alone. */
const WORD =
  /(?:(?<=^|[\s(=,])-(?=\p{N}))?[\p{L}\p{M}\p{N}\p{Sm}\p{Sc}\p{So}#]+|(?<=[\s"'`(])[*/%&^@\\]+(?=[\s"'`),.;:]|$)/gu;

/**
 * The words of a description as far as they carry meaning: case, punctuation, articles and courtesies do
 * not. `C`, `C++` and `C#`, the numbers `1.2` and `12`, and the operators `<` and `*` stay different.
 */
export function normalizedWords(text: string): readonly string[] {
  const words = text.normalize('NFKC').match(WORD) ?? [];
  const shouted = !/\p{Ll}/u.test(text);
  return words
    .filter((word, index) => !isSilent(word, words[index + 1], shouted || index === 0))
    .map((word) => word.toLowerCase());
}

/** An article or a courtesy, as opposed to the name in `Part A` and `Node a b`. */
function isSilent(word: string, next: string | undefined, capitalIsNoName: boolean): boolean {
  if (next === undefined || !/^\p{L}{3,}$/u.test(next)) return false;
  return /^(?:an|the|please)$/i.test(word) || word === 'a' || (word === 'A' && capitalIsNoName);
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
  { staying, replaced, finished }: Existing,
  warn: Warn,
): Sorted {
  const there = byKey(staying);
  const going = byKey(replaced);
  const done = byKey(finished);
  const taken = new Map(above.map((ancestor) => [keyOf(ancestor.description), null as number | null]));
  const fresh: Numbered[] = [];
  const repeats = new Map<number, Goal>();
  const staysAs = new Map<number, string>();
  const standsFor = new Map<number, number>();
  for (const [index, subGoal] of subGoals.entries()) {
    const number = index + 1;
    const key = keyOf(subGoal.description);
    const earlier = taken.get(key);
    const [stays] = there.get(key) ?? [];
    const [again] = going.get(key) ?? [];
    const [copied] = done.get(key) ?? [];
    if (subGoal.description.trim() === '')
      warn('empty', `sub-goal ${number} had no description and was dropped`);
    else if (earlier === null)
      warn('restated', `sub-goal ${number} restated a goal above it and was dropped`);
    else if (stays !== undefined) staysAs.set(number, stays.id);
    else if (again !== undefined) {
      going.set(key, (going.get(key) ?? []).slice(1));
      repeats.set(number, again);
      standsFor.set(number, number);
      taken.set(key, number);
    } else if (earlier !== undefined) {
      standsFor.set(number, earlier);
      warn('repeated', `sub-goal ${number} repeated sub-goal ${earlier} and was dropped`);
    } else if (copied !== undefined) {
      staysAs.set(number, copied.id);
      warn('finished', `sub-goal ${number} repeated finished work and was dropped`);
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
    const key = keyOf(goal.description);
    found.set(key, [...(found.get(key) ?? []), goal]);
  }
  return found;
}

/** Dependencies on earlier sub-goals are kept before those on later ones, which may close a cycle. */
function chosenDependencies(
  chosen: readonly Numbered[],
  proposed: number,
  standsFor: ReadonlyMap<number, number>,
  warn: Warn,
): readonly (readonly number[])[] {
  const indexOf = new Map(chosen.map(({ number }, index) => [number, index]));
  const accepted: Set<number>[] = chosen.map(() => new Set());
  const wanted = chosen.flatMap(({ number, subGoal }, from) =>
    [...new Set(subGoal.depends_on)].map((dependency) => ({
      number,
      from,
      dependency,
      to: indexOf.get(standsFor.get(dependency) ?? 0),
    })),
  );
  for (const { number, dependency, to, from } of wanted) {
    if (dependency < 1 || dependency > proposed || to === from) {
      warn('bad_dependency', `sub-goal ${number} cannot depend on ${dependency}`);
    } else if (to !== undefined && to < from) accepted[from]?.add(to);
  }
  for (const { number, dependency, to, from } of wanted) {
    if (to === undefined || to <= from) continue;
    if (reaches(accepted, to, from))
      warn('cyclic_dependency', `that sub-goal ${number} depends on ${dependency} would close a cycle`);
    else accepted[from]?.add(to);
  }
  return accepted.map((set) => [...set].toSorted((a, b) => a - b));
}

function reaches(dependencies: readonly ReadonlySet<number>[], from: number, target: number): boolean {
  const seen = new Set<number>();
  const stack = [from];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at === target) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    stack.push(...(dependencies[at] ?? []));
  }
  return false;
}

function guarded(subGoal: SubGoal, warn: Warn): Omit<GuardedSubGoal, 'staying' | 'dependencies'> {
  const description = onOneLine(subGoal.description);
  if (description.length > MAX_DESCRIPTION) {
    warn(
      'long_description',
      `a description of ${description.length} characters was cut to ${MAX_DESCRIPTION}`,
    );
  }
  return {
    description: shorten(description, MAX_DESCRIPTION),
    atomic: subGoal.atomic,
    reasoning: shorten(subGoal.reasoning.trim(), MAX_REASONING),
    acceptance: guardedAcceptance(subGoal.acceptance ?? [], warn),
    size: subGoal.size ?? null,
  };
}

function guardedAcceptance(criteria: readonly string[], warn: Warn): readonly string[] {
  const lines = [...new Set(criteria.map((text) => shorten(onOneLine(text), MAX_CRITERION)))];
  const said = lines.filter((line) => line !== '');
  if (said.length > MAX_CRITERIA)
    warn(
      'too_many_criteria',
      `a sub-goal came with ${said.length} criteria; the first ${MAX_CRITERIA} were kept`,
    );
  return said.slice(0, MAX_CRITERIA);
}

/** A description is one line: it stands in lists, and a line break in it would end an item there. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/g, ' ').trim();
}

/**
 * Whether both hold the same words in any order, empty ones aside. A word more or another one may well be
 * what makes it a goal of its own: `Stage one` and `Stage two`, `Task A` and `Task A A`.
 */
function isSameInOtherWords(subGoal: SubGoal, goal: Goal): boolean {
  return meaningOf(subGoal.description) === meaningOf(goal.description);
}

function meaningOf(description: string): string {
  const words = normalizedWords(description);
  const telling = words.filter((word) => !EMPTY_WORDS.has(word) && !MAKING.test(word));
  return (telling.length === 0 ? words : telling).toSorted().join(' ');
}

function keyOf(description: string): string {
  const beginning = description.slice(0, 10 * MAX_DESCRIPTION);
  const words = normalizedWords(beginning);
  return words.length === 0 ? beginning.trim() : words.join(' ');
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
