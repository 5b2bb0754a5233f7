import { readFile } from 'node:fs/promises';

/** What the system tells of a process. */
export interface ProcessStat {
  readonly pid: string;
  readonly name: string;
  readonly group: string;
  readonly session: string;
  /** The number of the device of its terminal. */
  readonly tty: number;
  /** The group in the foreground of that terminal. */
  readonly foreground: string;
  /** When it began, in the kernel's ticks. */
  readonly start: string;
}

/** Returns what the system tells of a process; null where there is none, or the system has no `/proc`. */
export async function processStat(pid: string): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is the command in parentheses, which may hold spaces and parentheses; the start time is field 22.
  const end = text.lastIndexOf(')');
  const rest = text.slice(end + 2).split(' ');
  const [, , group = '', session = '', tty = '', foreground = ''] = rest;
  const name = text.slice(text.indexOf('(') + 1, end);
  return { pid, name, group, session, tty: Number(tty), foreground, start: rest[19] ?? '' };
}
