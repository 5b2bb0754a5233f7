import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { findHelper } from './find-helper.js';

/** By what processes are found again: a variable that they hand on to whatever they start. */
export interface Marking {
  readonly variable: string;
  /** What every mark begins with. No mark holds a blank. */
  readonly prefix: string;
}

/** A process that is alive, and its mark. */
export interface MarkedProcess {
  readonly pid: number;
  readonly mark: string;
}

/**
 * Every process with a mark, this one left out. They are known by their environment, which Linux shows in `/proc` and
 * others by `ps`; what neither shows is not found.
 */
export async function markedProcesses(marking: Marking): Promise<readonly MarkedProcess[]> {
  const marked = (await markedInProc(marking)) ?? (await markedByPs(marking));
  return marked.filter(({ pid }) => pid !== process.pid);
}

/** Every process with a mark, as Linux tells it; null where there is no `/proc` that does. */
async function markedInProc({ variable }: Marking): Promise<readonly MarkedProcess[] | null> {
  if (process.platform !== 'linux') return null;
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const mark = await markOf(pid, variable);
      return mark !== null && (await isAlive(pid)) ? [{ pid, mark }] : [];
    }),
  );
  return marked.flat();
}

async function markOf(pid: number, variable: string): Promise<string | null> {
  const environment = await environmentOf(pid);
  const whole = Buffer.concat([Buffer.from('\0'), environment]);
  const before = `\0${variable}=`;
  const start = whole.indexOf(before);
  if (start === -1) return null;
  const from = start + before.length;
  const end = whole.indexOf(0, from);
  return whole.subarray(from, end === -1 ? undefined : end).toString('utf8');
}

/** How often, and every how many milliseconds, a process is looked at that shows no environment. */
const LOOKS = 20;
const LOOK_MS = 1;

/** Returns the environment of a process; empty for one that has none, and for another user's, which is not ours. */
async function environmentOf(pid: number): Promise<Buffer> {
  const path = `/proc/${pid}/environ`;
  for (let look = 1; ; look += 1) {
    const environment = await readFile(path).catch(() => null);
    // While a process becomes another program it has no environment for a moment. Threads of the kernel never have a program.
    const isBetween = environment?.length === 0 && look < LOOKS && (await hasProgram(pid));
    if (!isBetween) return environment ?? Buffer.alloc(0);
    await wait(LOOK_MS);
  }
}

async function hasProgram(pid: number): Promise<boolean> {
  return (await readlink(`/proc/${pid}/exe`).catch(() => null)) !== null && (await isAlive(pid));
}

/** What has ended and waits for its parent to notice runs no more. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/^[ZX]?$/.test(status.slice(status.lastIndexOf(')') + 2, status.lastIndexOf(')') + 3));
}

/** How `ps` is asked for every process with its environment: macOS has an option of its own. */
const PS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['-A', '-E', '-ww', '-o', 'pid=,stat=,command='],
};
const PS_BSD: readonly string[] = ['axeww', '-o', 'pid=,stat=,command='];
/** So much of what `ps` says is read, in bytes. */
const MOST_PS = 64 * 1024 * 1024;

/** Every process with a mark, as `ps` tells it: none where it does not show the environment of a process. */
export async function markedByPs({ variable, prefix }: Marking): Promise<readonly MarkedProcess[]> {
  const ps = findHelper('ps', { variables: process.env, folder: process.cwd() });
  if (ps === null) return [];
  const text = await new Promise<string>((resolve) => {
    const args = PS[process.platform] ?? PS_BSD;
    execFile(ps, args, { maxBuffer: MOST_PS, env: { LC_ALL: 'C' } }, (cause, out) => {
      resolve(cause === null ? out : '');
    });
  });
  // A word of the command line may look like one; then it is a mark that nobody gave.
  const markInLine = new RegExp(String.raw`(?:^| )${variable}=(${prefix}\S+)(?= |$)`);
  return text.split('\n').flatMap((line) => {
    const [, pid, state = '', rest = ''] = /^ *(\d+) +(\S+) +([^]*)$/.exec(line) ?? [];
    const [, mark] = markInLine.exec(rest) ?? [];
    return pid === undefined || mark === undefined || /^[ZX]/.test(state) ? [] : [{ pid: Number(pid), mark }];
  });
}
