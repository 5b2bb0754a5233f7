import type { Readable, Writable } from 'node:stream';

import picocolors from 'picocolors';

import { toldText } from './render/parts/told-text.js';
import type { Telling } from './render/parts/told-text.js';
import { wrapped } from './render/parts/wrapped.js';

/** Where a command reads and writes. */
export interface Terminal {
  /** Data: what a program reads. */
  out(text: string): void;
  /** Everything else, made of lines already. */
  error(text: string): void;
  /** One thing besides the data, whatever is in it: no line end and no width makes a line of it (see {@link toldText}). */
  tell(text: string, how?: Telling): void;
  /** Colours for data; they do nothing unless standard output is a terminal. */
  readonly colors: Colors;
  /** Colours for everything else. */
  readonly errorColors: Colors;
  /** The width of what people see, as it is now; undefined where data goes to a file or a pipe, whose lines are not broken. */
  readonly columns: number | undefined;
  /** Whether a person watches: only then there is live progress. */
  readonly isLive: boolean;
  readonly stdin: InputStream;
  readonly stderr: OutputStream;
  readonly stdout: OutputStream;
}

/** A stream that may be a terminal's. */
type InputStream = Readable & { readonly isTTY?: boolean };
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The streams of a terminal, and the variables that say what it can show. */
export interface TerminalStreams {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/**
 * A terminal of some streams. `NO_COLOR` and `--no-color` are honoured, and so is `FORCE_COLOR`. Standard input is opened
 * when it is first asked for, since most commands never read it.
 * @param onOut told of all data before it is written
 */
export function terminalOf(
  streams: TerminalStreams,
  color: boolean,
  onOut: (text: string) => void = () => undefined,
): Terminal {
  const { stdout, stderr, env } = streams;
  const wanted = color && (env.NO_COLOR ?? '') === '';
  const forced = (env.FORCE_COLOR ?? '') !== '' && env.FORCE_COLOR !== '0';
  const colorsFor = (stream: OutputStream) =>
    picocolors.createColors(wanted && (forced || (stream.isTTY === true && env.TERM !== 'dumb')));
  const errorColors = colorsFor(stderr);
  const errorColumns = () => (stderr.isTTY === true ? stderr.columns : undefined);
  return {
    out(text) {
      onOut(text);
      stdout.write(text);
    },
    error: (text) => void stderr.write(wrapped(text, errorColumns())),
    tell: (text, how = {}) => void stderr.write(toldText(text, how, errorColors, errorColumns())),
    colors: colorsFor(stdout),
    errorColors,
    get columns() {
      return widthOf(stdout, env.COLUMNS);
    },
    isLive: stderr.isTTY === true && env.TERM !== 'dumb' && (env.CI ?? '') === '',
    get stdin() {
      return streams.stdin;
    },
    stderr,
    stdout,
  };
}

/** The width of a terminal, or the one that the user says outright with `COLUMNS`. */
function widthOf({ isTTY, columns: width = 0 }: OutputStream, columns = ''): number | undefined {
  if (isTTY === true && width > 0) return width;
  const given = Number(columns);
  return Number.isInteger(given) && given > 0 ? given : undefined;
}
