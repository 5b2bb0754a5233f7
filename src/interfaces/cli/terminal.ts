import process from 'node:process';

import picocolors from 'picocolors';

import { wrapped } from './render/parts/wrapped.js';

/** Where a command reads and writes. */
export interface Terminal {
  /** Data: what a program reads. */
  out(text: string): void;
  /** Everything else. */
  error(text: string): void;
  /** Colours for data; they do nothing unless standard output is a terminal. */
  readonly colors: Colors;
  /** Colours for everything else. */
  readonly errorColors: Colors;
  /** The width of what people see, as it is now; undefined where data goes to a file or a pipe, whose lines are not broken. */
  readonly columns: number | undefined;
  /** Whether a person watches: only then there is live progress. */
  readonly isLive: boolean;
  readonly stderr: NodeJS.WriteStream;
  readonly stdout: NodeJS.WriteStream;
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** The terminal of this process. `NO_COLOR` and `--no-color` are honoured, and so is `FORCE_COLOR`. */
export function processTerminal(color: boolean): Terminal {
  const { stdout, stderr, env } = process;
  const wanted = color && (env.NO_COLOR ?? '') === '';
  const forced = (env.FORCE_COLOR ?? '') !== '' && env.FORCE_COLOR !== '0';
  const colorsFor = (stream: NodeJS.WriteStream) =>
    picocolors.createColors(wanted && (forced || (stream.isTTY && env.TERM !== 'dumb')));
  return {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(wrapped(text, stderr.isTTY ? stderr.columns : undefined)),
    colors: colorsFor(stdout),
    errorColors: colorsFor(stderr),
    get columns() {
      return widthOf(stdout, env.COLUMNS);
    },
    isLive: stderr.isTTY && env.TERM !== 'dumb' && (env.CI ?? '') === '',
    stderr,
    stdout,
  };
}

/** The width of a terminal, or the one that the user says outright with `COLUMNS`. */
function widthOf(stdout: NodeJS.WriteStream, columns = ''): number | undefined {
  if (stdout.isTTY && stdout.columns > 0) return stdout.columns;
  const given = Number(columns);
  return Number.isInteger(given) && given > 0 ? given : undefined;
}
