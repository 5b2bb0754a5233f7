/** What is kept of the output of a command, in bytes. */
export const MOST_OUTPUT = 1024 * 1024;

/** The largest file, response or message, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024;

/** What an error says of what a tool said, in characters. */
export const MOST_ERROR = 2000;
