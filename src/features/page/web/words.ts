import { stateInWords } from '../../../plan/readiness/goal-state.js';
import type { PlanSummary } from './wire.js';

/** A state as a class of the style sheet. */
export const stateWordClass = (state: string): string => `s-${state.replaceAll('_', '-')}`;

/** How it stands with a plan, in a word, and why it is paused; how much is done stands beside it as a bar. */
export function planWords({
  progress,
  paused_because,
}: Pick<PlanSummary, 'progress' | 'paused_because'>): string {
  if (progress === 'working') return 'in progress';
  if (progress !== 'paused' || paused_because === null) return stateInWords(progress);
  return `paused (${PAUSES[paused_because] ?? paused_because})`;
}

const PAUSES: Readonly<Record<string, string>> = {
  user: 'stopped by hand',
  budget: 'the budget is reached',
  model: 'the model failed',
  agent: 'waits for an agent’s answers',
};

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZoneName: 'short',
});
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** A time in words, as it is from now: `5 min. ago`, `in 20 min.` */
export function timeFromNow(at: string, now: number): string {
  const distance = Date.parse(at) - now;
  if (Number.isNaN(distance)) return at;
  const [unit, size] = UNITS.find(([, least]) => Math.abs(distance) >= least) ?? ['second', 1000];
  return unit === 'second' && Math.abs(distance) < 10_000
    ? 'now'
    : RELATIVE.format(Math.trunc(distance / size), unit);
}

const formatted = (format: Intl.DateTimeFormat) => (at: string) =>
  Number.isNaN(Date.parse(at)) ? at : format.format(new Date(at));

export const clockOf = formatted(CLOCK);
export const dayOf = formatted(DAY);
export const fullTime = formatted(FULL);

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A number as it is read. */
export const numberWords = (value: number): string => WHOLE.format(value);

/** An amount in dollars. */
export const dollarsInWords = (value: number): string => `$${value.toFixed(value < 1 ? 4 : 2)}`;

/** `1 goal`, `2 goals`. */
export const countInWords = (count: number, noun: string, plural = `${noun}s`): string =>
  `${numberWords(count)} ${count === 1 ? noun : plural}`;

/** A text with the times in it as they are here. */
export const wordsWithLocalTimes = (text: string): string =>
  text.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, fullTime);
