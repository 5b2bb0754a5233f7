import { mentionsOf } from '../work/digests/names.js';
import { contentStems } from '../kernel/text/content-stems.js';
import { goalsBefore } from '../plan/readiness/dependencies.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';
import { ancestors, depthFirst } from '../plan/tree.js';

/** Two goals of which one may need the other. */
export interface GoalPair {
  readonly first: Goal;
  readonly second: Goal;
}

/** The pairs worth asking about, the likeliest first. */
export interface RankedPairs {
  readonly pairs: readonly GoalPair[];
  /** Pairs that could be compared, those that have nothing in common included. */
  readonly comparable: number;
}

/** Groups up to this size are compared pair by pair, also where two goals share no word. */
const SMALL_GROUP = 60;
/** A word of more goals than this says nothing about two of them. */
const COMMON = 60;
/** What a file or identifier that both name weighs against a word. */
const MENTION_WEIGHT = 3;

/**
 * Pairs of unfinished goals in different branches, leaves with leaves and composites with those of the same level. Those
 * that share rare words, files or identifiers come first; a pair whose order is known already is left out.
 */
export function rankPairs(plan: Plan): RankedPairs {
  const groups = new Map<string, Goal[]>();
  for (const { goal } of depthFirst(plan)) {
    if (goal.parent_id === null || goal.status === 'complete') continue;
    const group = goal.child_ids.length === 0 ? 'leaves' : `level ${goal.depth}`;
    groups.set(group, [...(groups.get(group) ?? []), goal]);
  }
  const ranked = [...groups.values()].map((goals) => rankGroup(goals));
  const before = new Map<string, ReadonlySet<string>>();
  const goalsBeforeOf = (id: string): ReadonlySet<string> => {
    const known = before.get(id) ?? goalsBefore(plan, id);
    before.set(id, known);
    return known;
  };
  const isOrdered = ({ first, second }: GoalPair): boolean =>
    goalsBeforeOf(first.id).has(second.id) ||
    goalsBeforeOf(second.id).has(first.id) ||
    ancestors(plan, first).some(({ id }) => id === second.id) ||
    ancestors(plan, second).some(({ id }) => id === first.id);
  const scored = ranked.flatMap(({ scored }) => scored).sort((a, b) => b.score - a.score);
  return {
    pairs: scored.filter((pair) => !isOrdered(pair)),
    comparable: ranked.reduce((sum, { comparable }) => sum + comparable, 0),
  };
}

interface Scored extends GoalPair {
  readonly score: number;
}

function rankGroup(goals: readonly Goal[]): {
  readonly scored: readonly Scored[];
  readonly comparable: number;
} {
  const terms = goals.map(termsOf);
  const holders = new Map<string, number[]>();
  for (const [index, own] of terms.entries()) {
    for (const term of own.keys()) holders.set(term, [...(holders.get(term) ?? []), index]);
  }
  const scores = new Map<string, Scored>();
  const add = (one: number, other: number, score: number): void => {
    const [first, second] = [goals[one], goals[other]];
    if (first === undefined || second === undefined || first.parent_id === second.parent_id) return;
    const key = `${one} ${other}`;
    scores.set(key, { first, second, score: (scores.get(key)?.score ?? 0) + score });
  };
  if (goals.length <= SMALL_GROUP) forEachPair([...goals.keys()], (one, other) => add(one, other, 0));
  for (const [term, indices] of holders) {
    if (indices.length > COMMON) continue;
    const rarity = Math.log(1 + goals.length / indices.length);
    forEachPair(indices, (one, other) => {
      const weight = Math.min(terms[one]?.get(term) ?? 0, terms[other]?.get(term) ?? 0);
      add(one, other, rarity * weight);
    });
  }
  return { scored: [...scores.values()], comparable: comparableIn(goals) };
}

function forEachPair(indices: readonly number[], visit: (one: number, other: number) => void): void {
  for (const [at, one] of indices.entries()) {
    for (const other of indices.slice(at + 1)) visit(one, other);
  }
}

function comparableIn(goals: readonly Goal[]): number {
  const families = new Map<string | null, number>();
  for (const { parent_id } of goals) families.set(parent_id, (families.get(parent_id) ?? 0) + 1);
  return [...families.values()].reduce((left, size) => left - pairsOf(size), pairsOf(goals.length));
}

function pairsOf(count: number): number {
  return (count * (count - 1)) / 2;
}

/** What a goal is about: stems of its words, and files and identifiers of its text, with their weights. */
function termsOf({ description, detail = '' }: Goal): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const stem of contentStems(description)) terms.set(stem, 1);
  for (const { kind, key } of mentionsOf(`${description} ${detail.slice(0, 4000)}`)) {
    if (kind !== 'name') terms.set(key, MENTION_WEIGHT);
  }
  return terms;
}
