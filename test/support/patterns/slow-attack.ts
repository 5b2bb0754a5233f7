import { attacksOn } from './attacks-on.js';
import type { Attack, Variety } from './attacks-on.js';
import { cpuMs, least, SEEN, tooMuchGrowth } from './growth.js';

/** Lengths of a text at which a slow pattern shows itself; each is tried only where the one before was quick. */
const LENGTHS = [16, 24, 36, 54, 80, 320, 1280];
const SHORT = 80;
/** At the end a text has so many characters, and repeats its part so many times at least. */
const [LONGEST, OFTEN] = [2560, 500];
/** What is quicker at those lengths is linear, however slow the machine, in milliseconds. */
const AT_ONCE = 0.4;
/** So many texts of a pattern, those that it takes longest for, are measured with care: on a busy machine many look slow. */
const MEASURED = 6;
/** They are told from others at so many characters, where the square of the length shows, but no higher power that has not shown before. */
const RANKED = 10_240;
const SOON = 320;

/** How much is tried of a pattern, and how many texts at most: evenly chosen among those that can be made of it. */
export interface Effort extends Variety {
  readonly most?: number;
}

/**
 * The first text on which a pattern takes longer than the text grows; nothing where there is none.
 * @param once whether nothing is read any more where a sticky pattern has failed
 */
export function slowAttackOn(
  pattern: RegExp,
  { once = false, most = Infinity, ...variety }: Effort & { readonly once?: boolean },
): (Attack & { readonly growth: number }) | undefined {
  const sought = new RegExp(pattern.source, pattern.flags.replace('g', '') + (pattern.sticky ? '' : 'g'));
  const run = (attack: Attack) => (length: number) => goThrough(sought, textOf(attack, length), once);
  const measured = (attack: Attack) => {
    const growth = growthOn(run(attack));
    return growth === undefined ? undefined : { ...attack, growth };
  };
  const suspects = [];
  const attacks = attacksOn(pattern, variety);
  const step = Math.ceil(attacks.length / most);
  for (const attack of attacks.filter((_, index) => step <= 1 || index % step === 0)) {
    const over = firstOver(attack, run(attack));
    if (over === undefined) continue;
    // What is slow so soon is not tried with more.
    const found = over.length <= SOON ? measured(attack) : undefined;
    if (found !== undefined) return found;
    suspects.push({ attack, ms: over.length <= SOON ? 0 : least(() => run(attack)(RANKED)) });
  }
  suspects.sort((one, other) => other.ms - one.ms);
  for (const { attack } of suspects.slice(0, MEASURED)) {
    const found = measured(attack);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What takes so long for a few characters is more than a power of their number. */
function growthOn(run: (length: number) => void): number | undefined {
  const isEndless = LENGTHS.some((length) => length <= SHORT && isSlow(() => run(length)));
  return isEndless
    ? Infinity
    : tooMuchGrowth(run, { from: 2 * SHORT, to: 40_000, misses: 3, hits: 1, steady: 10 });
}

/** Whether an action takes long each of three times: once, a collector or a compiler may have been at work. */
function isSlow(action: () => void): boolean {
  return cpuMs(action) > SEEN && least(action) > SEEN;
}

/** The first length at which work on an attack takes longer than what is linear may, and how long; nothing where it is quick at all of them. */
function firstOver(
  attack: Attack,
  run: (length: number) => void,
): { readonly length: number; readonly ms: number } | undefined {
  const last = Math.max(LONGEST, OFTEN * attack.repeated.length);
  for (const length of [...LENGTHS, last]) {
    const start = performance.now();
    run(length);
    // Only the processor's time counts, but to ask for it each time takes longer than most patterns.
    if (performance.now() - start <= AT_ONCE) continue;
    const first = cpuMs(() => run(length));
    const ms =
      first > SEEN
        ? first
        : Math.min(
            first,
            cpuMs(() => run(length)),
          );
    if (ms > AT_ONCE) return { length, ms };
  }
  return undefined;
}

function textOf({ before, repeated, after }: Attack, length: number): string {
  return before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
}

/** Finds all matches, as whoever replaces, splits or looks for the first one does; a sticky one goes on behind what does not match. */
function goThrough(pattern: RegExp, text: string, once: boolean): void {
  for (let at = 0; at <= text.length;) {
    pattern.lastIndex = at;
    const isFound = pattern.test(text) && (!pattern.sticky || pattern.lastIndex > at);
    if (!isFound && (once || !pattern.sticky)) return;
    at = Math.max(at + 1, isFound ? pattern.lastIndex : 0);
  }
}
