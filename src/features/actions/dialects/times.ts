import * as z from 'zod';

const rfc3339 = z.iso.datetime({ offset: true });
/** The milliseconds that have a date of four digits. */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Whether a value is a time as RFC 3339 writes it, with as many digits of a second as it has. */
export function isRfc3339Time(value: unknown): value is string {
  return rfc3339.safeParse(value).success;
}

/** Whether a time says its seconds, which RFC 3339 asks for and ISO 8601 does not. */
export function hasSeconds(time: string): boolean {
  return /T\d\d:\d\d:/.test(time);
}

/** A time from milliseconds since 1970, or undefined where it has no date of four digits. */
export function timeOfMilliseconds(milliseconds: number): string | undefined {
  if (!Number.isSafeInteger(milliseconds) || milliseconds < EARLIEST || milliseconds > LATEST)
    return undefined;
  return new Date(milliseconds).toISOString();
}

/** Milliseconds since 1970 of a time; digits beyond milliseconds are cut off. */
export function millisecondsOfTime(time: string): number {
  return Date.parse(time);
}
