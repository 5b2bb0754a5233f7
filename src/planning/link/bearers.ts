import { spanned } from '../../kernel/text/said-needs.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import { readItemName, sequenceNumber } from '../documents/item-names.js';
import { BEGINS_WITH_NUMBER, NAMED_BEFORE, NUMBERS } from './said-in-goals.js';

/** The numbers that a document gives goals and that are no tags, by the ids of the goals: "1.2" of "1.2 Search". */
export type Numbers = ReadonlyMap<string, readonly string[]>;

/** What is found of a need: the goals that it names, and what of it no goal is called. */
interface Found {
  readonly goals: readonly Goal[];
  /** Numbers that no goal bears, though others bear such. */
  readonly numbers: readonly string[];
  /** Names that no goal has. */
  readonly names: readonly string[];
  /** Whether a goal was found by its name. */
  readonly byName: boolean;
}

/** The goals of a plan by what a document calls them. */
export interface Bearers {
  /** Returns which goals a goal means by numbers and names in a list, or by one name. */
  readonly find: (goal: Goal, said: string, isName?: boolean) => Found;
}

const NONE: Found = { goals: [], numbers: [], names: [], byName: false };

export function bearersOf(plan: Plan, numbers: Numbers): Bearers {
  const tagged = new Map<string, Goal[]>();
  const numbered = new Map<string, Goal[]>();
  const named = new Map<string, Goal[]>();
  const remarked = new Map<string, Goal[]>();
  for (const goal of plan.goals.values()) {
    if (goal.parent_id === null) continue;
    const tags = [...(goal.tags ?? []), ...(NAMED_BEFORE.exec(goal.description)?.slice(1) ?? [])];
    addTo(tagged, tags.map(plainId), goal);
    addTo(numbered, [...(numbers.get(goal.id) ?? []), ...placeOf(goal)].map(plainId), goal);
    const { text } = readItemName(goal.description);
    addTo(named, [goal.description, text].map(wordsOf), goal);
    addTo(remarked, [text.split(/\s?[(:（[–—]|\s-\s/)[0] ?? ''].map(wordsOf), goal);
  }
  const kinds = new Set([...tagged.keys(), ...numbered.keys()].map(kindOfId));

  const nearest = (goal: Goal, all: readonly Goal[]): readonly Goal[] => {
    const others = all.filter((each) => each !== goal);
    if (others.length < 2) return others;
    for (const each of [goal, ...ancestors(plan, goal)]) {
      const beside = others.filter(({ parent_id }) => parent_id === each.parent_id);
      if (beside.length > 0) return beside.length === 1 ? beside : [];
    }
    return [];
  };
  const byId = (goal: Goal, id: string): readonly Goal[] | undefined => {
    const [inTags, inNumbers] = [tagged.get(id) ?? [], numbered.get(id) ?? []];
    if (inTags.length + inNumbers.length === 0) return undefined;
    const all = nearest(goal, [...new Set([...inTags, ...inNumbers])]);
    return all.length > 0 ? all : nearest(goal, inTags);
  };
  const byNumber = (goal: Goal, said: string): Found => {
    const whole = byId(goal, plainId(said));
    const ids = whole === undefined ? (spanned(said) ?? said.match(NUMBERS) ?? [said]) : [said];
    const each = ids.map((id) => ({
      id,
      goals: byId(goal, plainId(id)) ?? byId(goal, plainId(id).replace(COUNTED, '')),
    }));
    return {
      ...NONE,
      goals: each.flatMap(({ goals = [] }) => goals),
      numbers: each.flatMap(({ id, goals }) =>
        goals === undefined && kinds.has(kindOfId(plainId(id))) ? [id] : [],
      ),
    };
  };
  const byName = (goal: Goal, said: string): readonly Goal[] => {
    const words = wordsOf(said);
    const all = named.get(words) ?? remarked.get(words) ?? [];
    return words === '' ? [] : nearest(goal, all);
  };
  const find: Bearers['find'] = (goal, said, isName = false) => {
    const text = said.replace(MARKS, '').trim();
    if (text === '' || NOTHING.test(text)) return NONE;
    const goals = byName(goal, text);
    if (goals.length > 0) return { ...NONE, goals, byName: true };
    const parts = [/[,;]/, /\s(?:[&+/]|and|then)\s/i]
      .map((by) => text.split(by))
      .find(({ length }) => length > 1);
    if (parts !== undefined) return parts.map((part) => find(goal, part, isName)).reduce(joined, NONE);
    const [number] = BEGINS_WITH_NUMBER.exec(text) ?? [];
    if (number === undefined) return { ...NONE, names: [text] };
    return isName ? NONE : byNumber(goal, number);
  };
  return { find };
}

function joined(one: Found, other: Found): Found {
  return {
    goals: [...one.goals, ...other.goals],
    numbers: [...one.numbers, ...other.numbers],
    names: [...one.names, ...other.names],
    byName: one.byName || other.byName,
  };
}

function addTo(map: Map<string, Goal[]>, keys: readonly string[], goal: Goal): void {
  for (const key of new Set(keys)) if (key !== '') map.set(key, [...(map.get(key) ?? []), goal]);
}

/** "phase 2" of "Phase 2: Import". */
function placeOf({ description }: Goal): readonly string[] {
  const place = sequenceNumber(description);
  return place === null || place.word.length === 1 ? [] : [`${place.word} ${place.position.join('.')}`];
}

/** What stands around a name or a number in a list. */
const MARKS = /^[\s*_`"“„«‘'[]+|(?<![\s*_`"”“»’'\].])[\s*_`"”“»’'\].]+$/gu;
/** What says that nothing is waited for. */
const NOTHING = /^\P{L}*(?:none|n\/?a|nothing|no|tbd|tba|todo)\P{L}*$|^\P{N}?$/iu;
/** What counts goals that bear the number alone: "step 3". */
const COUNTED = /^(?:task|feature|epic|requirement|stor(?:y|ies)|step|item|section|part)s?/;

/** What stands before the digits of a number; a dot for one of several parts. */
function kindOfId(id: string): string {
  const [kind = ''] = id.split(/\d/, 1);
  return kind === '' && id.includes('.') ? '.' : kind;
}

/** "US-1" and "US1" are one number. */
function plainId(id: string): string {
  return id.toLowerCase().replaceAll(/[\s#-]/g, '');
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{1,1000}/gu) ?? []).join(' ');
}
