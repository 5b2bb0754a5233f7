import type { ServerError } from './error-text.js';

/** A reset that is further away than this, in milliseconds, says when a limit is whole again, not when to go on. */
const LONGEST_RESET_MS = 60_000;
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/**
 * The wait a server asks for, in milliseconds, or undefined when it asks for none or for something that is no time:
 * `retry-after-ms`, `Retry-After`, Google's `RetryInfo`, "try again in 20s" in the message, and last the headers that
 * say when a limit resets (`x-ratelimit-reset…` and the like) of those limits that are used up.
 */
export function waitAsked(headers: Headers, error: ServerError, now: number): number | undefined {
  return (
    numberIn(headers.get('retry-after-ms')) ??
    waitUntil(headers.get('retry-after'), now)?.ms ??
    error.retryDelayMs ??
    waitInWords(error.message) ??
    waitForReset(headers, now)
  );
}

interface Wait {
  readonly ms: number;
  /** Whether a moment was named, as opposed to a duration. */
  readonly absolute: boolean;
}

const RESET = /^(?:x-|anthropic-)?ratelimit-(?:.+-)?reset(?:-|$)|^x-ratelimit-timeremaining$/;

// Durations tell when all of a limit is there again, and a part of it is earlier; a moment ends a window.
function waitForReset(headers: Headers, now: number): number | undefined {
  const resets = [...headers]
    .filter(([name]) => RESET.test(name))
    .map(([name, value]) => ({ left: remaining(headers, name), wait: waitUntil(value, now) }))
    .flatMap(({ left, wait }) => (wait === undefined ? [] : [{ left, ...wait }]));
  const usedUp = resets.filter(({ left }) => left === undefined || left <= 0);
  const longest = Math.max(...usedUp.map(({ ms }) => ms));
  const shortest = Math.min(...resets.map(({ ms }) => ms));
  const ms = usedUp.length > 0 ? longest : shortest;
  const found = resets.find((reset) => reset.ms === ms);
  return found === undefined || (ms > LONGEST_RESET_MS && !found.absolute) ? undefined : ms;
}

function remaining(headers: Headers, name: string): number | undefined {
  const value = headers.get(name.replace('reset', 'remaining'));
  return name.includes('reset') ? numberIn(value) : undefined;
}

/** Reads seconds, a duration such as `6m0s` or `250ms`, seconds or milliseconds since 1970, or a date. */
function waitUntil(value: string | null, now: number): Wait | undefined {
  if (value === null) return undefined;
  const number = numberIn(value);
  if (number !== undefined) {
    if (number < EPOCH_SECONDS) return { ms: number * 1000, absolute: false };
    return { ms: Math.max(0, (number < EPOCH_MS ? number * 1000 : number) - now), absolute: true };
  }
  const duration = durationMs(value.trim());
  if (duration !== undefined) return { ms: duration, absolute: false };
  const date = /^-?[\d.]+$/.test(value.trim()) ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : { ms: Math.max(0, date - now), absolute: true };
}

const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^m(?:s|illi)/, 1],
  [/^s/, 1000],
  [/^m/, 60_000],
  [/^h/, 3_600_000],
  [/^d/, 86_400_000],
];
const PARTS = String.raw`(?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)[\s,]{0,2}(?:and )?){1,5}`;
const DURATION = new RegExp(`^${PARTS}$`, 'i');
const IN_WORDS = new RegExp(
  String.raw`(?:again|retry|wait|resets?)\b[^.\d]{0,40}?(${PARTS})(?![a-z\d])`,
  'i',
);

function waitInWords(message: string): number | undefined {
  const found = IN_WORDS.exec(message)?.[1];
  return found === undefined ? undefined : durationMs(found.trim());
}

function durationMs(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const parts = text.toLowerCase().matchAll(/(?<![\d.])(\d+(?:\.\d+)?)\s?([a-z]+)/g);
  return [...parts].reduce((sum, [, number = '', unit = '']) => sum + Number(number) * factorOf(unit), 0);
}

function factorOf(unit: string): number {
  return FACTORS.find(([names]) => names.test(unit))?.[1] ?? 0;
}

function numberIn(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
