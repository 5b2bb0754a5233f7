import { oneLine } from '../../../../kernel/text/safe-text.js';
import { truncate } from '../../../../kernel/text/truncate.js';
import type { ResultOf } from '../../../../operations/registry.js';
import type { Colors } from '../../terminal.js';

type Status = ResultOf<'runs list'>['runs'][number]['status'];
type State = ResultOf<'runs show'>['steps'][number]['state'];

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  prepared: 'prepared, not approved',
  approved: 'approved, not begun',
  running: 'running',
  waiting: 'waits for a person',
  interrupted: 'interrupted',
  succeeded: 'succeeded',
  failed: 'failed',
  aborted: 'aborted',
  expired: 'expired before it was begun',
};

/** What the status of a run is called on the screen. */
export function runWord(status: Status, requiresApproval = true): string {
  return status === 'prepared' && !requiresApproval ? 'prepared, not begun' : STATUS_WORDS[status];
}

/** The words for the status of a run on the screen, coloured. */
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

/** The symbol of a step of a run by its state, coloured. */
export function stepSymbol(state: State, colors: Colors): string {
  const mark = MARKS[state];
  if (state === 'succeeded') return colors.green(mark);
  if (state === 'failed') return colors.red(mark);
  if (state === 'unknown') return colors.yellow(mark);
  return state === 'started' ? colors.cyan(mark) : colors.dim(mark);
}

/** What a state is called on the screen. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'nobody knows whether it took effect',
  started: 'under way',
  pending: 'not begun',
};

/** How many steps of a run are in which state, in words: `3 done, 1 failed`. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${SHORT[state] ?? state}`);
  return parts.length === 0 ? 'nothing was begun' : parts.join(', ');
}

const SHORT: Readonly<Record<string, string>> = {
  succeeded: 'done',
  started: 'under way',
  pending: 'not begun',
};

/** A text of a tool on one line, cut where it would fill the screen. `--json` has it whole. */
export function said(text: string): string {
  return truncate(oneLine(text), MOST_COLUMNS);
}

const MOST_COLUMNS = 300;
