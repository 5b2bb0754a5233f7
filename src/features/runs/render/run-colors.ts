import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { ResultOf } from '../registry.js';
import { runWord } from './run-words.js';
import type { Colors } from '../../../cli/terminal.js';

type Status = ResultOf<'runs list'>['runs'][number]['status'];
type State = ResultOf<'runs show'>['steps'][number]['state'];

/** The status of a run in words on the screen, in its colour. */
export function runText(status: Status, colors: Colors, requiresApproval = true): string {
  const word = runWord(status, requiresApproval);
  if (status === 'succeeded') return colors.green(word);
  if (status === 'failed' || status === 'aborted') return colors.red(word);
  return status === 'running' ? colors.cyan(word) : colors.yellow(word);
}

const MARKS: Readonly<Record<State, string>> = {
  succeeded: '✓',
  failed: '✗',
  skipped: '–',
  unknown: '?',
  started: '›',
  pending: '·',
};

/** The symbol of a step of a run by its state, in its colour. */
export function stepSymbol(state: State, colors: Colors): string {
  const mark = MARKS[state];
  if (state === 'succeeded') return colors.green(mark);
  if (state === 'failed') return colors.red(mark);
  if (state === 'unknown') return colors.yellow(mark);
  return state === 'started' ? colors.cyan(mark) : colors.dim(mark);
}

/**
 * A text of a tool of a run on one line without colours of its own, cut where it would fill the screen. `--json` has
 * it whole.
 */
export function toolTextInRun(text: string): string {
  return truncate(oneLine(text), MOST_COLUMNS);
}

const MOST_COLUMNS = 300;
