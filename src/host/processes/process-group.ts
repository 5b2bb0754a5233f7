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

/** Starts a program without a shell. @throws what `spawn` throws, for arguments that no system takes */
export function startProgram({ argv, folder, variables, group, hasInput }: ProgramStart): ChildProcess {
  const [program = '', ...rest] = argv;
  return spawn(program, rest, {
    cwd: folder,
    env: { ...variables },
    detached: group === 'own',
    shell: false,
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
}

/** Signals the whole group that a process began. What is gone is not missed. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}
