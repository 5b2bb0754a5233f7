import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

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
  // Of another user's process nothing can be read; it is not ours.
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
  const whole = Buffer.concat([Buffer.from('\0'), environment]);
  const before = `\0${variable}=`;
  const start = whole.indexOf(before);
  if (start === -1) return null;
  const from = start + before.length;
  const end = whole.indexOf(0, from);
  return whole.subarray(from, end === -1 ? undefined : end).toString('utf8');
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
