import process from 'node:process';

import type { OutputStream } from './terminal.js';

const ESCAPE = '\u001B[';
const OPEN = `${ESCAPE}?1049h${ESCAPE}?25l`;
const CLOSE = `${ESCAPE}?1049l${ESCAPE}?25h`;

/** A screen of its own, as editors have it, which leaves what was on the terminal as it was. */
export interface OwnScreen {
  /** Draws lines from the top; what the screen has no room for is left out at the end. */
  show(text: string): void;
  /** Goes back to what was there before; a screen that never showed anything was never opened. */
  end(): void;
}

/**
 * A screen that is opened when something is first shown, and closed with the process at the latest. It is drawn as a
 * whole, so that resizing leaves nothing behind: how a terminal breaks the lines that it already shows cannot be known.
 */
export function ownScreen(stream: Pick<OutputStream, 'write' | 'rows'>): OwnScreen {
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    process.off('exit', end);
    stream.write(CLOSE);
  };
  return {
    show(text) {
      if (!isOpen) {
        stream.write(OPEN);
        process.once('exit', end);
      }
      isOpen = true;
      const lines = text
        .trimEnd()
        .split('\n')
        .slice(0, stream.rows || 24);
      // Each line is cleared to its end, and what is below the last: nothing flickers.
      stream.write(`${ESCAPE}H${lines.map((line) => `${line}${ESCAPE}K`).join('\r\n')}${ESCAPE}J`);
    },
    end,
  };
}
