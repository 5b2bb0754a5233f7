const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An ISO 8601 time as the clock on the wall says it, with its zone: `2026-11-21 14:44 +01:00`. What is no time stays. */
export function localTime(at: string, { seconds = false }: { readonly seconds?: boolean } = {}): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  // A local time read as UTC has the local digits.
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString();
  return `${local.slice(0, seconds ? 19 : 16).replace('T', ' ')} ${zone(date.getTimezoneOffset())}`;
}

/** A time as people say it: `5 min ago`, `in 2 h`; more than a day away, its local time. */
export function relativeTime(at: string, now: number = Date.now()): string {
  const away = Date.parse(at) - now;
  if (Number.isNaN(away) || Math.abs(away) >= DAY_MS) return localTime(at);
  const words = durationWords(Math.abs(away));
  return away > 0 ? `in ${words}` : `${words} ago`;
}

/** When something ends: its local time, and how far away that is where it is less than a day. */
export function endText(at: string, now: number = Date.now()): string {
  const relative = relativeTime(at, now);
  const local = localTime(at);
  return relative === local ? local : `${local} (${relative})`;
}

/** A text of a program with the times in it, which are UTC, as local ones. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (at) => localTime(at));
}

function durationWords(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  return ms < HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Math.round(ms / HOUR_MS)} h`;
}

/** The zone of a local time that is so many minutes behind UTC. */
function zone(behind: number): string {
  if (behind === 0) return 'UTC';
  const minutes = Math.abs(behind);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${behind < 0 ? '+' : '-'}${hours}:${rest}`;
}
