/**
 * Slots for jobs, and leave to look for one. While looks find jobs, whoever has a slot may look. Once a look has found
 * none, one more may look for each job that is told of, and one after each pause: else everybody would look for every job.
 */
export interface JobSlots {
  /** Resolves when a slot was taken and there is leave to look, or when they are closed. */
  take(): Promise<void>;
  /** What is known when a look begins, for `empty`. */
  begin(): number;
  /** A look has found a job. */
  found(): void;
  /** A look that has begun so has found none; its slot is free. */
  empty(begun: number): void;
  /** Gives a slot back. */
  free(): void;
  /** So many jobs were told of. */
  told(count: number): void;
  /** Has nobody wait any more. */
  close(): void;
}

/** @param pauseMs how long nobody looks who was told of nothing */
export function createJobSlots(count: number, pauseMs: number): JobSlots {
  const waiting: (() => void)[] = [];
  let left = count;
  let looks = Infinity;
  let tellings = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOpen = true;
  const mayGoOn = () => waiting.length > 0 && (!isOpen || (left > 0 && looks > 0));
  const goOn = () => {
    for (; mayGoOn(); left -= 1, looks -= 1) waiting.shift()?.();
  };
  const allow = (more: number) => {
    looks += more;
    goOn();
  };
  return {
    take: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        goOn();
      }),
    begin: () => tellings,
    found: () => allow(Infinity),
    empty(begun) {
      left += 1;
      if (begun === tellings) {
        looks = 0;
        clearTimeout(timer);
        timer = setTimeout(() => allow(1), pauseMs).unref();
      }
      goOn();
    },
    free() {
      left += 1;
      goOn();
    },
    told(jobs) {
      tellings += 1;
      allow(jobs);
    },
    close() {
      isOpen = false;
      clearTimeout(timer);
      goOn();
    },
  };
}
