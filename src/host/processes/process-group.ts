import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

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
}

/** The groups that were started and not killed yet. */
const groups = new Set<number>();

/**
 * Starts a program without a shell. When this process exits, nothing is left of a program that has a group of its own.
 * @throws what `spawn` throws, for arguments that no system takes
 */
export function startProgram({ argv, folder, variables, group, hasInput }: ProgramStart): ChildProcess {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...variables },
    detached: group === 'own',
    shell: false,
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
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
