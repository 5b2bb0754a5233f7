/** Has a controller abort when a signal does. Returns what ends that. No signal aborts nothing. */
export function forwardAbort(from: AbortSignal | undefined, to: AbortController): () => void {
  const abort = () => to.abort();
  if (from?.aborted === true) abort();
  from?.addEventListener('abort', abort, { once: true });
  return () => from?.removeEventListener('abort', abort);
}
