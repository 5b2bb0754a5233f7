/** The longest time that a timer of Node waits, in milliseconds; with a longer one it fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
