/** Lets so many agents run at once. Whoever tries again comes before a new goal. */
export interface Turns {
  /** Whether an agent could begin now. */
  readonly isFree: () => boolean;
  readonly take: () => Promise<void>;
  readonly giveBack: () => void;
  /** Fulfilled, for who asked last, when a turn is given back that nobody waits for. */
  readonly freed: () => Promise<void>;
}

/** Returns so many turns, none of them taken. */
export function createTurns(most: number): Turns {
  let free = most;
  const waiting: (() => void)[] = [];
  let onFree: (() => void) | null = null;
  return {
    isFree: () => free > 0,
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    giveBack() {
      const next = waiting.shift();
      if (next !== undefined) {
        next();
        return;
      }
      free += 1;
      onFree?.();
    },
    freed: async () =>
      new Promise((resolve) => {
        onFree = resolve;
      }),
  };
}
