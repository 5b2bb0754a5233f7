import type { Line } from './line-codec.js';

/** A line as it is kept, without its newline; `offset` is the position of its first byte, `end` the one after it. */
export interface RawLine {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly end: number;
}

/** A line of a log and where it stands. */
export type LogLine<Event> = Line<Event> & { readonly raw: RawLine };
