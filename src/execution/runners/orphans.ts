import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** By this variable whatever a command starts can be found again. */
export const ATTEMPT_VARIABLE = 'FRCTL_ATTEMPT';

/** How long what is asked to end may take, in milliseconds. */
const GRACE_MS = 5000;
const LOOK_MS = 25;
/** Killing is repeated until nothing is found: what forks while it is looked for is found the next time. */
const MOST_LOOKS = 400;

/**
 * Ends every process of an attempt: asked first, then killed. Where the system does not show the environment of
 * processes (anything but Linux) none is found.
 * @param graceMs how long they may take to end by themselves; 0 kills at once
 * @returns how many there were
 */
export async function endAttempt(attempt: string, graceMs = GRACE_MS): Promise<number> {
  const found = await processesOf(attempt);
  if (found.length === 0) return 0;
  if (graceMs > 0) {
    for (const pid of found) signal(pid, 'SIGTERM');
    for (let waited = 0; waited < graceMs; waited += LOOK_MS) {
      if ((await processesOf(attempt)).length === 0) return found.length;
      await wait(LOOK_MS);
    }
  }
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const left = await processesOf(attempt);
    if (left.length === 0) break;
    for (const pid of left) signal(pid, 'SIGKILL');
    await wait(look < 10 ? 1 : LOOK_MS);
  }
  return found.length;
}

/** The processes of an attempt that are alive, this one left out. */
async function processesOf(attempt: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => (await isMarked(pid, attempt)) && (await isAlive(pid))),
  );
  return pids.filter((pid, index) => marked[index] === true && pid !== process.pid);
}

async function isMarked(pid: number, attempt: string): Promise<boolean> {
  // Of another user's process nothing can be read; it is not ours.
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return `\0${environment}`.includes(
    `\0${ATTEMPT_VARIABLE}=${Buffer.from(attempt, 'utf8').toString('latin1')}\0`,
  );
}

/** What has ended and waits for its parent to notice runs no more. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^[ZX]?$/.test(status.slice(status.lastIndexOf(')') + 2, status.lastIndexOf(')') + 3));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
