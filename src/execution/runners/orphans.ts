import { execFile } from 'node:child_process';
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
 * Ends every process of an attempt: asked first, then killed. They are known by their environment,
 * which Linux shows in `/proc` and others by `ps`; what neither shows is not found.
 * @param graceMs how long they may take to end by themselves; 0 kills at once
 * @returns how many there were
 */
export function endOrphansOfAttempt(attempt: string, graceMs = GRACE_MS): Promise<number> {
  return endMarkedOrphans((mark) => mark === attempt, graceMs);
}

/** The same for whatever marks are asked for. */
export async function endMarkedOrphans(
  isMeant: (mark: string) => boolean,
  graceMs = GRACE_MS,
): Promise<number> {
  const found = await processesOf(isMeant);
  if (found.length === 0) return 0;
  if (graceMs > 0) {
    for (const pid of found) signal(pid, 'SIGTERM');
    for (let waited = 0; waited < graceMs; waited += LOOK_MS) {
      if ((await processesOf(isMeant)).length === 0) return found.length;
      await wait(LOOK_MS);
    }
  }
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const left = await processesOf(isMeant);
    if (left.length === 0) break;
    for (const pid of left) signal(pid, 'SIGKILL');
    await wait(look < 10 ? 1 : LOOK_MS);
  }
  return found.length;
}

/** The processes whose mark is meant and that are alive, this one left out. */
async function processesOf(isMeant: (mark: string) => boolean): Promise<readonly number[]> {
  const marked = (await markedInProc()) ?? (await orphansByPs());
  return marked.filter(({ pid, mark }) => isMeant(mark) && pid !== process.pid).map(({ pid }) => pid);
}

/** A process that is alive, and its mark. */
interface Marked {
  readonly pid: number;
  readonly mark: string;
}

/** Every process with a mark, as Linux tells it; null where there is no `/proc` that does. */
async function markedInProc(): Promise<readonly Marked[] | null> {
  if (process.platform !== 'linux') return null;
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const mark = await markOf(pid);
      return mark !== null && (await isAlive(pid)) ? [{ pid, mark }] : [];
    }),
  );
  return marked.flat();
}

/** How `ps` is asked for every process with its environment: macOS has an option of its own. */
const PS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['-A', '-E', '-ww', '-o', 'pid=,stat=,command='],
};
const PS_BSD: readonly string[] = ['axeww', '-o', 'pid=,stat=,command='];

/** Every process with a mark, as `ps` tells it: none where it does not show the environment of a process. */
export async function orphansByPs(): Promise<readonly Marked[]> {
  const text = await new Promise<string>((resolve) => {
    const args = PS[process.platform] ?? PS_BSD;
    const environment = { PATH: '/bin:/usr/bin', LC_ALL: 'C' };
    execFile('ps', args, { maxBuffer: MOST_PS, env: environment }, (cause, out) => {
      resolve(cause === null ? out : '');
    });
  });
  return text.split('\n').flatMap((line) => {
    const [, pid, state = '', rest = ''] = /^ *(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    const [, mark] = MARK_IN_PS.exec(rest) ?? [];
    return pid === undefined || mark === undefined || /^[ZX]/.test(state) ? [] : [{ pid: Number(pid), mark }];
  });
}

/** So much of what `ps` says is read, in bytes. */
const MOST_PS = 64 * 1024 * 1024;
// Marks hold no blanks. A word of the command line may look like one; then it is a mark that nobody gave.
const MARK_IN_PS = new RegExp(String.raw`(?:^| )${ATTEMPT_VARIABLE}=(run-\S+)(?= |$)`);

const BEFORE_MARK = `\0${ATTEMPT_VARIABLE}=`;

async function markOf(pid: number): Promise<string | null> {
  // Of another user's process nothing can be read; it is not ours.
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
  const whole = Buffer.concat([Buffer.from('\0'), environment]);
  const start = whole.indexOf(BEFORE_MARK);
  if (start === -1) return null;
  const from = start + BEFORE_MARK.length;
  const end = whole.indexOf(0, from);
  return whole.subarray(from, end === -1 ? undefined : end).toString('utf8');
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
