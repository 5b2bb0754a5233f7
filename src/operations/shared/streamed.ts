/** Work under way: iterate it for what happens, await `result` for what it came to. */
export interface Streamed<Event, Result> extends AsyncIterable<Event> {
  readonly result: Promise<Result>;
}

/** Until iteration begins, so many last events wait. */
const MOST_WAITING = 1000;

/**
 * Starts work that tells events and makes a result. Either may be used alone. What is told after a reader has left is kept
 * for nobody.
 */
export function streamed<Event, Result>(
  work: (tell: (this: void, event: Event) => void) => Promise<Result>,
): Streamed<Event, Result> {
  const waiting: Event[] = [];
  let wake: (() => void) | null = null;
  let over = false;
  let iterated = false;
  let isLeft = false;
  const notify = () => wake?.();
  const result = work((event) => {
    if (isLeft) return;
    waiting.push(event);
    if (!iterated && waiting.length > MOST_WAITING) waiting.shift();
    notify();
  }).finally(() => {
    over = true;
    notify();
  });
  result.catch(() => undefined);

  return {
    result,
    async *[Symbol.asyncIterator]() {
      iterated = true;
      isLeft = false;
      try {
        for (;;) {
          const next = waiting.shift();
          if (next !== undefined) yield next;
          else if (over) return;
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        isLeft = true;
        waiting.length = 0;
      }
    },
  };
}
