import { oneLine } from '../kernel/text/safe-text.js';
import { truncate } from '../kernel/text/truncate.js';

/** What a number of a goal begins with that was no text. */
const DECIMAL = '~';

/** A number, in brackets or not, perhaps with the goal's words behind it; with more digits there it may name several goals. */
const NUMBER = /^[[~]?(\d+(?:\.\d+)*)\]?[.:)]?(?:\s\D*)?$/;

/**
 * Returns the id of the goal that an answer means by a number; undefined where it means none, or
 * where a number with a point may mean two, as 1.1 does where there is a goal 1.10.
 */
export function goalNamed(name: string, goals: ReadonlyMap<string, string>): string | undefined {
  const number = numberNamed(name);
  return name.startsWith(DECIMAL) && goals.has(`${number}0`) ? undefined : goals.get(number);
}

/** Returns the number in what an answer calls a goal. */
export function numberNamed(name: string): string {
  const text = name.trim();
  return NUMBER.exec(text)?.[1] ?? text;
}

/** Returns a number of a goal as a text; one with a point is marked, for the number 1.1 may stand for goal 1.1 or 1.10. */
export function numberAsText(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) ? String(value) : `${DECIMAL}${value}`;
}

/** Returns a text of a goal as a line of a question, of so many columns at most. */
export function shortened(text: string, columns: number): string {
  return truncate(oneLine(text.slice(0, 4 * columns)), columns);
}
