import process from 'node:process';

/** What shows growth above the noise, in milliseconds of the processor. */
export const SEEN = 5;
/** Linear work takes 4 times as long for 4 times the length, with a logarithm a little more, quadratic work 16 times. */
const MOST = 9;
/** Linear work takes 8 times as long for 8 times the length, quadratic work 64 times. */
const FAR = 24;
/** More than any noise makes of linear work. */
const PLAIN = 40;
/** What takes so many times as long for 4 times the length is more than quadratic, on any machine. */
const CERTAIN = 40;
/** What takes so long is no noise, in milliseconds of the processor. */
const SURE = 100;

/** Milliseconds of the processor that an action takes. */
export function cpuMs(action: () => unknown): number {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Says how work grows that takes too long for its input: how many times as long it takes for four times the length. Nothing where it grows
 * by no more than a logarithm above its input, or where it is done before it can be measured.
 * @param run does the work on an input of about so many characters
 * @param sure milliseconds that are no noise
 * @param hits at how many lengths in a row it has to grow too much
 * @param steady milliseconds from which on growth is confirmed
 * @param misses how often work may look linear, on a busy machine, before it counts as that
 */
export function tooMuchGrowth(
  run: (length: number) => unknown,
  {
    from,
    to,
    misses = 0,
    sure = SURE,
    hits = 2,
    steady = 150,
  }: {
    readonly from: number;
    readonly to: number;
    readonly misses?: number;
    readonly sure?: number;
    readonly hits?: number;
    readonly steady?: number;
  },
): number | undefined {
  let ratios: number[] = [];
  let missed = 0;
  for (let length = from; length <= to; length *= 2) {
    // The first time is that of a compiler too.
    if (cpuMs(() => run(length)) < SEEN) continue;
    const longer = least(() => run(4 * length));
    // Within a few milliseconds a compiler or collector may have been at work.
    if (longer < sure) continue;
    const ratio =
      longer /
      Math.max(
        least(() => run(length)),
        0.1,
      );
    if (ratio < MOST) {
      missed += 1;
      if (missed > misses) return undefined;
      ratios = [];
      continue;
    }
    // A step at one length is no growth: it goes on at the double of it.
    ratios.push(ratio);
    if (ratios.length === hits)
      return Math.min(...ratios) > CERTAIN || stillGrows(run, length, steady)
        ? Math.min(...ratios)
        : undefined;
  }
  return undefined;
}

/**
 * Says whether work grows too much from a length on at which it takes so long that a step of a collector of memory
 * changes little. What is not plain is asked up to three times.
 */
function stillGrows(run: (length: number) => unknown, start: number, steady: number): boolean {
  let length = start;
  while (least(() => run(length)) < steady) {
    length = Math.ceil(1.5 * length);
    // It took longer than that at four times the start: something else was at work then.
    if (length > 16 * start) return false;
  }
  for (let asked = 0; asked < 3; asked += 1) {
    const times = [least(() => run(length)), least(() => run(length)), SEEN];
    const ratio = cpuMs(() => run(8 * length)) / Math.max(...times);
    if (ratio <= FAR) return false;
    if (ratio > PLAIN) return true;
  }
  return true;
}

/** Milliseconds of the processor that an action takes at least: of two times, where it is quick. */
export function least(action: () => unknown): number {
  const first = cpuMs(action);
  return first < SURE ? Math.min(first, cpuMs(action)) : first;
}
