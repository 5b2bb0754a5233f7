import type { Expansion, Size, SubGoal } from '../plan/expansion.js';
import { ancestors } from '../plan/tree.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';

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

export interface GuardedExpansion {
  readonly atomic: boolean;
  readonly reasoning: string;
  readonly subGoals: readonly GuardedSubGoal[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

interface Numbered {
  readonly number: number;
  readonly subGoal: SubGoal;
}

type Warn = (code: string, message: string) => void;

/**
 * What of an expansion may enter the plan, so that planning always ends and the tree stays valid: no more
 * than `maxChildren` sub-goals; none that is empty, restates an ancestor or repeats a sibling; no
 * dependency that is out of range or closes a cycle. What was left out is said in the warnings.
 * @param staying children that the goal keeps when it is replanned; one that is proposed again is not added
 */
export function guardExpansion(
  expansion: Expansion,
  plan: Plan,
  goal: Goal,
  maxChildren: number,
  staying: readonly Goal[] = [],
): GuardedExpansion {
  const warnings: { code: string; message: string }[] = [];
  const warn: Warn = (code, message) => warnings.push({ code, message });
  const reasoning = shorten(expansion.reasoning.trim(), MAX_REASONING);
  if (expansion.atomic) return { atomic: true, reasoning, subGoals: [], warnings };

  const { kept, standsFor, staysAs } = withoutRestatements(
    expansion.sub_goals,
    [...ancestors(plan, goal), goal],
    staying,
    warn,
  );
  if (
    kept.length === 0 ||
    (kept.length === 1 && kept[0] !== undefined && isSameInOtherWords(kept[0].subGoal, goal))
  ) {
    if (staying.length > 0) return { atomic: false, reasoning, subGoals: [], warnings };
    warn('restated', 'its only sub-goals restated it, so it was taken as atomic');
    return { atomic: true, reasoning, subGoals: [], warnings };
  }
  const chosen = kept.slice(0, maxChildren);
  if (kept.length > chosen.length) {
    warn('too_many_children', `${kept.length} sub-goals were proposed; the first ${chosen.length} were kept`);
  }
  const dependencies = chosenDependencies(chosen, expansion.sub_goals.length, standsFor, warn);
  return {
    atomic: false,
    reasoning,
    subGoals: chosen.map(({ subGoal }, index) => ({
      ...guarded(subGoal, dependencies[index] ?? [], warn),
      staying: [...new Set(subGoal.depends_on)].flatMap((number) => staysAs.get(number) ?? []),
    })),
    warnings,
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

function withoutRestatements(
  subGoals: readonly SubGoal[],
  above: readonly Goal[],
  staying: readonly Goal[],
  warn: Warn,
) {
  const there = new Map(staying.map((goal) => [keyOf(goal.description), goal]));
  const taken = new Map(above.map((ancestor) => [keyOf(ancestor.description), null as number | null]));
  const kept: Numbered[] = [];
  /** For the number of a proposed sub-goal the id of the goal that is there already and stays. */
  const staysAs = new Map<number, string>();
  /** For the number of each proposed sub-goal the number of the kept one that stands for it. */
  const standsFor = new Map<number, number>();
  for (const [index, subGoal] of subGoals.entries()) {
    const number = index + 1;
    const key = keyOf(subGoal.description);
    const earlier = taken.get(key);
    const stays = there.get(key);
    if (subGoal.description.trim() === '')
      warn('empty', `sub-goal ${number} had no description and was dropped`);
    else if (earlier === null)
      warn('restated', `sub-goal ${number} restated a goal above it and was dropped`);
    else if (stays !== undefined) staysAs.set(number, stays.id);
    else if (earlier !== undefined) {
      standsFor.set(number, earlier);
      warn('repeated', `sub-goal ${number} repeated sub-goal ${earlier} and was dropped`);
    } else {
      taken.set(key, number);
      standsFor.set(number, number);
      kept.push({ number, subGoal });
    }
  }
  return { kept, standsFor, staysAs };
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

function guarded(
  subGoal: SubGoal,
  dependencies: readonly number[],
  warn: Warn,
): Omit<GuardedSubGoal, 'staying'> {
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
    dependencies,
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
