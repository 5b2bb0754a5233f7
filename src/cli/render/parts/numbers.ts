import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';
import type { Summary } from '../../../operations/shared/report-schemas.js';

type Usage = Summary['usage'];

/**
 * What planning has cost, in numbers of calls, tokens and dollars as far as they are known; empty when nothing was
 * asked.
 */
export function costText({ calls, input_tokens, output_tokens, cost_usd, estimated_calls }: Usage): string {
  if (calls === 0) return '';
  const lost =
    estimated_calls === undefined ? '' : ` (${groupedNumber(estimated_calls)} without a reply, at most)`;
  const price = cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(cost_usd < 1 ? 4 : 2)}`;
  return `${quantityOf(calls, 'call')}${lost} · ${quantityOf(input_tokens + output_tokens, 'token')} · ${price}`;
}

/** A number of seconds as `42 s`, `3 min 05 s`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
}

interface Range {
  readonly low: number;
  readonly high: number;
  /** The middle, a number; not known of what older versions have stored. */
  readonly likely?: unknown;
}

/** An estimate in whole numbers: `about 20 (12–40)`, or one number where it has no width. */
export function rangeText(range: Range): string {
  return inWords(range, groupedNumber);
}

/** An estimate in US dollars; null is an unknown price. */
export function costRangeText(range: Range | null): string {
  if (range === null) return 'cost unknown';
  const digits = range.high < 1 ? 4 : 2;
  return inWords(range, (dollars) => `$${dollars.toFixed(digits)}`);
}

function inWords({ low, likely, high }: Range, write: (value: number) => string): string {
  if (write(low) === write(high)) return write(low);
  const width = `${write(low)}–${write(high)}`;
  return typeof likely === 'number' ? `about ${write(likely)} (${width})` : width;
}
