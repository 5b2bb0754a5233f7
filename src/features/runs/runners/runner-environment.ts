import type { SandboxKind } from '../../actions/tools/bindings.js';

/** Where the tools of a run work, and what they may use of the machine. */
export interface RunnerEnvironment {
  /** The real path of the workspace, which file tools never leave. */
  readonly root: string;
  /** Real paths of folders that no file tool looks at or changes: the store, and where the user keeps whom he trusts. */
  readonly forbidden: readonly string[];
  /** Of these the ones that a command in a sandbox cannot even read. */
  readonly hidden: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Variables that tools may set although they choose a program, as the user's own config says. */
  readonly allowedVariables?: readonly string[] | undefined;
  /** Keeps the content of a file that is about to be replaced or removed, and says by what name it is found again. */
  readonly keep: (content: Buffer) => Promise<string>;
  /** The least sandbox of every command, when the tools file asks for less. */
  readonly sandbox?: SandboxKind | undefined;
  /** Whether a sandbox that is asked for and cannot be had is refused. */
  readonly requireSandbox?: boolean | undefined;
}
