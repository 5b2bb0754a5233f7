import { readdir, stat } from 'node:fs/promises';

import { processStat } from './process-stat.js';
import type { ProcessStat } from './process-stat.js';

/** The program of a terminal, as the system knows it. */
export interface TtyProgram {
  /** Its process, and when that began, in the kernel's ticks. */
  readonly leader: string;
  /** The name of the program in the foreground; empty where nobody can tell. */
  readonly command: string;
}

/**
 * Returns the program of a terminal by the processes of this machine.
 * @param device such as /dev/pts/3
 * @returns null where no program has it
 * @throws what reading says, where there is no such device or the system does not tell of its processes
 */
export async function programOfTty(device: string): Promise<TtyProgram | null> {
  const { rdev } = await stat(device);
  const there: ProcessStat[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const one = await processStat(pid);
    if (one?.tty === rdev) there.push(one);
  }
  const leader = there.find(({ pid, session }) => pid === session);
  if (leader === undefined) return null;
  // The first program of a pipeline, by whose number the group is called, may have ended.
  const front = there.filter(({ group }) => group === leader.foreground);
  const shown = front.find(({ pid }) => pid === leader.foreground) ?? front.at(-1);
  return { leader: `${leader.pid}:${leader.start}`, command: shown?.name ?? '' };
}
