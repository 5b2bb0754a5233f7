import { errorCode } from '../files/storage-error.js';
import { processStat } from './process-stat.js';

/** When a process started, in the kernel's ticks, where the system tells; it sets it apart from a later one of the same pid. */
export async function processStart(pid: number): Promise<string | undefined> {
  return (await processStat(String(pid)))?.start;
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
