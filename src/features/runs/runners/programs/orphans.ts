import { endProcesses } from '../../../../host/processes/end-processes.js';
import { markedProcesses } from '../../../../host/processes/marked-processes.js';

/** By this variable whatever a command starts can be found again. */
export const ATTEMPT_VARIABLE = 'FRCTL_ATTEMPT';

/** How long what is asked to end may take, in milliseconds. */
const GRACE_MS = 5000;

/**
 * Ends every process of an attempt: asked first, then killed.
 * @param graceMs how long they may take to end by themselves; 0 kills at once
 * @returns how many there were
 */
export function endOrphansOfAttempt(attempt: string, graceMs = GRACE_MS): Promise<number> {
  return endMarkedOrphans((mark) => mark === attempt, graceMs);
}

/** The same for whatever marks are asked for. */
export function endMarkedOrphans(isMeant: (mark: string) => boolean, graceMs = GRACE_MS): Promise<number> {
  return endProcesses(async () => {
    // A mark begins with the id of its run.
    const marked = await markedProcesses({ variable: ATTEMPT_VARIABLE, prefix: 'run-' });
    return marked.flatMap(({ pid, mark }) => (isMeant(mark) ? [pid] : []));
  }, graceMs);
}
