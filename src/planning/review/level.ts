/** A sub-goal as it is proposed. */
export interface ProposedGoal {
  readonly description: string;
  /** Places of the siblings that it waits for, counted from 1. */
  readonly after: readonly number[];
}

/** A goal that is about to be divided, and how. Nothing of it is stored yet. */
export interface ProposedLevel {
  readonly goal: {
    readonly description: string;
    /** Its number in the tree; empty for the root. */
    readonly number: string;
  };
  readonly reasoning: string;
  readonly subGoals: readonly ProposedGoal[];
}

/** A sub-goal as it is wanted: one that was proposed, perhaps in other words, or a new one. */
export interface WantedGoal {
  /** Its place among those proposed, counted from 1; null for a new one. */
  readonly from: number | null;
  readonly description: string;
}

/** What a person says of a proposed level. */
export type LevelVerdict =
  /** These sub-goals are stored, in this order; those that are missing are not. */
  | { readonly kind: 'accepted'; readonly subGoals: readonly WantedGoal[] }
  /** The goal is not divided. */
  | { readonly kind: 'dropped' }
  /** Nothing is decided, and planning pauses. */
  | { readonly kind: 'stopped' };

/** Asks about a proposed level before it is stored; it is asked about one level at a time. */
export type ReviewLevel = (level: ProposedLevel) => Promise<LevelVerdict>;

/** What is said of a goal whose division was dropped. */
export const NOT_DIVIDED = 'Its division was dropped in review.';
/** What is said of a goal that a person added. */
export const ADDED = 'Added in review.';

/** A sub-goal that is kept: what was proposed for it, and the places among the kept that it waits for, from 0. */
export interface KeptGoal<Proposed> {
  /** Null for a new one. */
  readonly proposed: Proposed | null;
  readonly description: string;
  readonly after: readonly number[];
}

/**
 * The sub-goals of a reviewed level that are wanted. What waited for one that is dropped waits for what that
 * waited for; a sub-goal that now is before what it waited for no longer waits for it. Words that are empty leave
 * their sub-goal out.
 */
export function keptGoals<Proposed>(
  proposed: readonly Proposed[],
  afterOf: (proposed: Proposed) => readonly number[],
  wanted: readonly WantedGoal[],
): readonly KeptGoal<Proposed>[] {
  const kept = wanted.filter(({ description }) => description.trim() !== '');
  const positionOf = new Map(
    kept.flatMap(({ from }, position) => (from === null ? [] : [[from, position] as const])),
  );
  const reached = (number: number, seen: Set<number>): readonly number[] => {
    const one = proposed[number - 1];
    if (one === undefined || seen.has(number)) return [];
    seen.add(number);
    const position = positionOf.get(number);
    return position === undefined ? afterOf(one).flatMap((each) => reached(each, seen)) : [position];
  };
  return kept.map(({ from, description }, position) => {
    const one = from === null ? undefined : proposed[from - 1];
    const seen = new Set<number>();
    const after = one === undefined ? [] : afterOf(one).flatMap((each) => reached(each, seen));
    return {
      proposed: one ?? null,
      description: description.trim(),
      after: after.filter((each) => each < position).toSorted((a, b) => a - b),
    };
  });
}
