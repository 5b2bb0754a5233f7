/**
 * Does something again and again, each time so many milliseconds after the last time has ended, so that what takes long
 * does not pile up. What it throws is dropped: whoever does the same otherwise meets that trouble and reports it.
 * @param ref false for what keeps no process from ending
 * @returns ends it; what is under way goes on
 */
export function repeatedly(
  everyMs: number,
  work: () => Promise<void>,
  { ref = true }: { readonly ref?: boolean } = {},
): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  const next = () => {
    if (isOver) return;
    timer = setTimeout(() => void work().then(next, next), everyMs);
    if (!ref) timer.unref();
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
