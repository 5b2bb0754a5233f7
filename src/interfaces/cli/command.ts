import type { Workspace } from '../../operations/workspace.js';
import type { Terminal } from './terminal.js';

/** What a command gets when it runs. */
export interface Invocation {
  /** Arguments in order; one that was left out is undefined. */
  readonly args: readonly (string | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly workspace: Workspace;
  readonly terminal: Terminal;
  /** Whether standard output must hold exactly one JSON document. */
  readonly json: boolean;
}

/** What a command came to: data for `--json`, text for people, and the exit status. */
export interface CommandOutcome {
  readonly data: unknown;
  /** What people see instead of the data; nothing when the command has written already. */
  readonly text: string;
  /** 0 unless a check found problems. */
  readonly status?: number;
}

export type RunCommand = (invocation: Invocation) => Promise<CommandOutcome>;

export interface OptionSpec {
  /** As commander reads it: `-o, --output <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** May be given several times, or with several values. */
  readonly many?: boolean;
  /** Takes a number of at least 0. */
  readonly numeric?: boolean;
}

export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** As commander reads them: `[plan]`, `<goal>`, and last `<others...>` for many. */
  readonly args?: readonly {
    readonly name: string;
    readonly description: string;
    readonly choices?: readonly string[];
  }[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Imported only when the command runs. */
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}
