/** One thing that was attempted: when it began and ended, and what came of it; null when nobody was told. */
export interface Attempt {
  readonly kind: 'claim' | 'renew' | 'release' | 'complete' | 'reopen';
  readonly token: string;
  readonly start: bigint;
  /** Null for one whose process was killed: it may have happened at any later time, or never. */
  readonly end: bigint | null;
  readonly accepted: boolean | null;
}

/** A goal as far as claims go. */
interface State {
  readonly isDone: boolean;
  readonly holder: string | null;
}

/** What an attempt comes to when it is made alone; null when it is refused. */
function outcome({ isDone, holder }: State, { kind, token }: Attempt): State | null {
  if (kind === 'claim') return isDone || holder !== null ? null : { isDone, holder: token };
  if (kind === 'reopen') return isDone ? { isDone: false, holder: null } : null;
  if (isDone || holder !== token) return null;
  if (kind === 'renew') return { isDone, holder };
  return { isDone: kind === 'complete', holder: null };
}

/**
 * Whether attempts on one goal can have been made one after the other, each at one moment between its beginning and its
 * end, with what came of them. Tries every order that the times allow.
 */
export function isLinearizable(attempts: readonly Attempt[]): boolean {
  const seen = new Set<string>();
  const isPossible = (left: readonly Attempt[], state: State): boolean => {
    const told = left.filter(({ end }) => end !== null);
    if (told.length === 0) return true;
    const key = `${left.map((one) => attempts.indexOf(one)).join(',')} ${state.isDone} ${state.holder}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const firstEnd = told.reduce(
      (least, { end }) => (end !== null && end < least ? end : least),
      told[0]?.end ?? 0n,
    );
    // Whatever began after another had ended comes after it.
    return left
      .filter(({ start }) => start <= firstEnd)
      .some((next) => {
        const after = outcome(state, next);
        if (next.accepted !== null && next.accepted !== (after !== null)) return false;
        const others = left.filter((one) => one !== next);
        return isPossible(others, after ?? state);
      });
  };
  return isPossible(
    attempts.toSorted((a, b) => (a.start < b.start ? -1 : 1)),
    { isDone: false, holder: null },
  );
}
