import process from 'node:process';
import { createInterface } from 'node:readline';

import type { Terminal } from '../terminal.js';

/** Somebody at a terminal who is asked line after line; what he types ahead is not lost. */
export interface AskedLines {
  /** The next line, without white space around it; null once input has ended. */
  readonly ask: (question: string) => Promise<string | null>;
  readonly end: () => void;
}

/** Asks on standard error, so that standard output stays data. Ctrl-C ends the input and is passed on to the process. */
export function askLines({ stdin, stderr }: Terminal): AskedLines {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  const waiting: string[] = [];
  let isOver = false;
  let answer: ((line: string | null) => void) | null = null;
  const give = (line: string | null) => {
    const asked = answer;
    answer = null;
    if (asked !== null) asked(line);
    else if (line !== null) waiting.push(line);
  };
  lines.on('line', (line) => give(line.trim()));
  lines.on('SIGINT', () => {
    lines.close();
    process.emit('SIGINT', 'SIGINT');
  });
  lines.on('close', () => {
    isOver = true;
    // What is said next does not stand behind the question.
    if (answer !== null) stderr.write('\n');
    give(null);
  });
  return {
    async ask(question) {
      const typed = waiting.shift();
      if (typed !== undefined) {
        stderr.write(`${question}${typed}\n`);
        return typed;
      }
      if (isOver) return null;
      lines.setPrompt(question);
      lines.prompt();
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    end: () => lines.close(),
  };
}
