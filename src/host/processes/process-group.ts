import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { Writable } from 'node:stream';

/** How a program is started. */
export interface ProgramStart {
  readonly argv: readonly string[];
  /** Where it runs; where this process does when left out. */
  readonly folder?: string | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /**
   * `own`: it begins a process group, which can be ended as a whole; `ours`: it stays in that of this process, so that it can
   * ask on the terminal.
   */
  readonly group: 'own' | 'ours';
  /** Whether it can be written to; else its input is empty. */
  readonly hasInput: boolean;
  /** What it reads on descriptor 3, where it is told to: others can see its command line and not this. */
  readonly options?: string | undefined;
}

/** The groups that were started and not killed yet. */
const groups = new Set<number>();

/**
 * Starts a program without a shell. When this process exits, nothing is left of a program that has a group of its own.
 * @throws what `spawn` throws, for arguments that no system takes
 */
export function startProgram({
  argv,
  folder,
  variables,
  group,
  hasInput,
  options,
}: ProgramStart): ChildProcess {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...variables },
    detached: group === 'own',
    shell: false,
    stdio: [
      hasInput ? 'pipe' : 'ignore',
      'pipe',
      'pipe',
      ...(options === undefined ? [] : ['pipe' as const]),
    ],
  });
  const third = child.stdio[3];
  if (third instanceof Writable) third.on('error', () => undefined).end(options);
  if (group === 'own' && child.pid !== undefined) hold(child.pid);
  return child;
}

function hold(pid: number): void {
  if (groups.size === 0) process.once('exit', killGroups);
  groups.add(pid);
}

function letGo(pid: number): void {
  groups.delete(pid);
  if (groups.size === 0) process.off('exit', killGroups);
}

/** On the way out nobody waits for what ignores a request to end. */
function killGroups(): void {
  for (const pid of groups) killGroup({ pid }, 'SIGKILL');
}

/** Signals the whole group that a process began; SIGKILL is the last that it gets. What is gone is not missed. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (signal === 'SIGKILL') letGo(pid);
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
