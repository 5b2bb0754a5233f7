import type { ResultOf } from '../registry.js';

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

/** What the status of a run is called where people read it. */
export function runWord(status: Status, requiresApproval = true): string {
  return status === 'prepared' && !requiresApproval ? 'prepared, not begun' : STATUS_WORDS[status];
}

/** What a state of a step is called where people read it. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'nobody knows whether it took effect',
  started: 'under way',
  pending: 'not begun',
};

/** How far a run is, in words: `3 done, 1 failed`, and with items of a loop `5 done; items: 3 done`. */
export function progressText({ steps, items }: ResultOf<'runs list'>['runs'][number]['parts']): string {
  return `${countsText(steps)}${Object.keys(items).length === 0 ? '' : `; items: ${countsText(items)}`}`;
}

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
