import { PlanError } from '../kernel/errors.js';
import { oneLine } from '../kernel/text/safe-text.js';
import { truncate } from '../kernel/text/truncate.js';
import { wrapped } from './render/parts/wrapped.js';
import type { Confirmation } from './renderer.js';
import type { Terminal } from './terminal.js';

/**
 * Asks a person whether to go on, on a terminal; without one nobody can be asked.
 * @throws PlanError REFUSED when the answer is not yes, or nobody can be asked
 */
export async function confirm(
  { question, name }: Pick<Confirmation, 'question' | 'name'>,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  if (!canAsk(terminal, json))
    throw new PlanError('REFUSED', `not confirmed: ${question}`, {
      hint: { commandLine: `Nobody can be asked here. Name the plan (${name}), or add --yes.` },
    });
  if (!(await isYes(`${question} [y/N] `, terminal)))
    throw new PlanError('REFUSED', 'nothing is changed', {
      hint: { commandLine: '`plan list` shows the other plans.' },
    });
}

/** Whether a person sits at a terminal who can be asked to confirm something. */
export function canAsk(terminal: Terminal, json: boolean): boolean {
  return !json && terminal.stderr.isTTY === true && terminal.stdin.isTTY === true;
}

/** Whether the answer begins with y; the end of input is no. */
async function isYes(question: string, terminal: Terminal): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askOnTerminal(question, terminal)) ?? '');
}

/**
 * Asks a person to confirm or to answer a question, and gives what is typed without white space around it; null at
 * the end of input, and when the signal says that no answer is needed any more.
 * @throws PlanError INTERRUPTED on Ctrl-C
 */
export async function askOnTerminal(
  question: string,
  { stdin, stderr }: Terminal,
  signal?: AbortSignal,
): Promise<string | null> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  const close = () => lines.close();
  signal?.addEventListener('abort', close, { once: true });
  const interrupted = new Promise<'interrupted'>((resolve) =>
    lines.once('SIGINT', () => resolve('interrupted')),
  );
  const prompt = `${wrapped(question.trimEnd(), stderr.isTTY === true ? stderr.columns : undefined)} `;
  const asked = lines.question(prompt).then((answer) => ({ answer: answer.trim() }));
  try {
    const given = await Promise.race([asked, closed, interrupted]);
    if (given !== null && given !== 'interrupted') return given.answer;
    // What is said next does not stand behind the question.
    stderr.write('\n');
    if (given === null) return null;
    throw new PlanError('INTERRUPTED', 'nothing is changed', { details: { asked: question } });
  } finally {
    signal?.removeEventListener('abort', close);
    lines.close();
  }
}

/** Why an answer does not confirm, where the word yes alone does. */
export function notTheWord(answer: string | null): string {
  return answer === null || answer === ''
    ? 'there was no answer, and only the word yes agrees'
    : `the answer was “${truncate(oneLine(answer), LONGEST_ANSWER)}”, and only the word yes agrees`;
}

const LONGEST_ANSWER = 40;
