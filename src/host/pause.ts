/**
 * Waits until so many milliseconds have passed or a signal aborts, whichever is first. Unlike the timer of Node it makes
 * no error when it ends early, which takes longer than the timer itself where nearly every one does.
 * @param ms at most 2^31 - 1
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });

    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
