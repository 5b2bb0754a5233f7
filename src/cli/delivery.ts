import process from 'node:process';

/** So much is said again where a reader has closed the pipe; who closes it later has read what he wanted. */
const MOST_SAID_AGAIN = 64 * 1024;

/** What a command prints on standard output, should that fail. */
export interface Delivery {
  /** Keeps what is printed, to be said elsewhere if it cannot be written. */
  readonly keep: (text: string) => void;
  /** Says that the command that runs may change something: what it prints must not be lost. */
  mustArrive(): void;
}

/**
 * Watches whether standard output is delivered, and ends the process where it fails: with status 7 and what was to
 * be printed on standard error, for a change may be stored of which only that tells, such as the token of a claim.
 * A pipe that the reader closed is no error: status 0. Where standard error fails nothing more can be said, and
 * the command goes on.
 */
export function watchOutput(): Delivery {
  const said: string[] = [];
  let isNeeded = false;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosed = error.code === 'EPIPE';
    const text = said.join('');
    const isTold = isNeeded && text !== '' && !(isClosed && text.length > MOST_SAID_AGAIN);
    if (!isClosed || isTold)
      process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
    if (isTold)
      process.stderr.write(
        `  Whatever the command changed is stored. It was to print:\n${text.replace(/\n?$/, '\n')}`,
      );
    process.exit(isClosed ? 0 : 7);
  });
  return {
    keep: (text) => void said.push(text),
    mustArrive() {
      isNeeded = true;
    },
  };
}
