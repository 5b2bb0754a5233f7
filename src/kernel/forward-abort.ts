/** Has a controller abort when a signal does. Returns what ends that. No signal aborts nothing. */
export function forwardAbort(from: AbortSignal | undefined, to: AbortController): () => void {
  const abort = () => to.abort();
  if (from?.aborted === true) abort();
  from?.addEventListener('abort', abort, { once: true });
  return () => from?.removeEventListener('abort', abort);
}

/**
 * Works with a signal that aborts when any of some does. Those forget it when the work is over, which the signals that
 * `AbortSignal.any` makes are not: one that lives long would grow with each.
 */
export async function withEither<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const either = new AbortController();
  const releases = signals.map((signal) => forwardAbort(signal, either));
  try {
    return await work(either.signal);
  } finally {
    for (const release of releases) release();
  }
}
