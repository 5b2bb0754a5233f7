import { readdir, readFile, stat } from 'node:fs/promises';

/** The program of a terminal, as the system knows it. */
export interface TtyProgram {
  /** Its process, and when that began, in the kernel's ticks. */
  readonly leader: string;
  /** The name of the program in the foreground. */
  readonly command: string;
}

interface Stat {
  readonly pid: string;
  readonly name: string;
  readonly session: string;
  readonly tty: number;
  readonly foreground: string;
  readonly start: string;
}

/**
 * Returns the program of a terminal by the processes of this machine.
 * @param device such as /dev/pts/3
 * @returns null where no program has it
 * @throws what reading says, where there is no such device or the system does not tell of its processes
 */
export async function programOfTty(device: string): Promise<TtyProgram | null> {
  const { rdev } = await stat(device);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const one = await statOf(pid);
    if (one === null || one.tty !== rdev || one.session !== pid) continue;
    const front = await statOf(one.foreground);
    return { leader: `${pid}:${one.start}`, command: (front ?? one).name };
  }
  return null;
}

async function statOf(pid: string): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is the command in parentheses, which may hold spaces and parentheses.
  const end = text.lastIndexOf(')');
  const rest = text.slice(end + 2).split(' ');
  const [, , , session = '', tty = '', foreground = ''] = rest;
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, end),
    session,
    tty: Number(tty),
    foreground,
    start: rest[19] ?? '',
  };
}
