import { readFile } from 'node:fs/promises';

import { errorCode } from '../files/storage-error.js';

/** When a process started, in the kernel's ticks, where the system tells; it sets it apart from a later one of the same pid. */
export async function processStart(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The second field is the command in parentheses, which may hold spaces; the start time is field 22.
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19];
}

/** A process as it was recorded. */
export interface RecordedProcess {
  readonly pid: number;
  /** What `processStart` said then; undefined where the system did not tell. */
  readonly process_start?: string | undefined;
}

/** Whether the process of a run on this machine is still there. */
export async function isRunning(run: RecordedProcess): Promise<boolean> {
  try {
    process.kill(run.pid, 0);
  } catch (cause) {
    if (errorCode(cause) !== 'EPERM') return false;
  }
  const started = await processStart(run.pid);
  return run.process_start === undefined || started === undefined || started === run.process_start;
}
