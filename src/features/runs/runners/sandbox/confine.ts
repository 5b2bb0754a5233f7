import { realFolder } from '../../../../host/files/folders.js';
import type { CommandBinding } from '../../../actions/tools/bindings.js';
import { ATTEMPT_VARIABLE } from '../programs/orphans.js';
import { RefusedCall } from '../outcomes.js';
import type { RunnerEnvironment } from '../runner-environment.js';
import { guardWorkspace } from './guard.js';
import type { RenamedFile, WorkspaceGuard } from './guard.js';
import { findSandbox, narrower, sandboxed } from './sandbox.js';

/** A program of a tools file, as it would be started. */
interface PlainCommand {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A program as it is started: in a sandbox, where it is to have one. */
export interface ConfinedCommand extends PlainCommand {
  /** What it reads on descriptor 3. */
  readonly options?: string | undefined;
  /** To be called once it has ended: what was made that would run by its name later gets another. */
  readonly release: () => Promise<readonly RenamedFile[]>;
}

type Confining = Pick<CommandBinding, 'sandbox' | 'network' | 'read'>;

/**
 * The command line as it is run: under bubblewrap where that is asked for and there.
 * @throws RefusedCall E_SANDBOX_MISSING where it is demanded and not there, or cannot be made
 */
export async function confinedCommand(
  command: PlainCommand,
  { sandbox = 'none', network = false, read = [] }: Confining,
  environment: RunnerEnvironment,
): Promise<ConfinedCommand> {
  const { root, hidden, variables: own } = environment;
  const kind = narrower(sandbox, environment.sandbox ?? 'none');
  const plain = { ...command, release: async () => Promise.resolve([]) };
  if (kind === 'none') return plain;
  const program = await findSandbox(own, root);
  if (program === null) {
    if (environment.requireSandbox !== true) return plain;
    throw new RefusedCall(
      'E_SANDBOX_MISSING',
      'a sandbox is demanded, and bubblewrap (bwrap) is not there or may make none',
    );
  }
  const guard = kind === 'workspace' ? await guardOf(environment) : NO_GUARD;
  const { folder, variables } = command;
  const reach = { program, kind, root, guard, hidden, read, network, folder, variables };
  const { argv, options } = sandboxed(command.argv, reach);
  // By its mark a process is found that outlives its executor; bubblewrap needs nothing else.
  const { [ATTEMPT_VARIABLE]: mark = '' } = variables;
  return { argv, folder, options, variables: { [ATTEMPT_VARIABLE]: mark }, release: guard.release };
}

const NO_GUARD: WorkspaceGuard = { pinned: [], readOnly: [], release: async () => Promise.resolve([]) };

function guardOf({ root, forbidden, variables }: RunnerEnvironment): Promise<WorkspaceGuard> {
  const home = realFolder(variables.HOME ?? '/');
  return guardWorkspace({ root, skip: forbidden, home, variables }, forbidden);
}

/** What is said of files that were renamed; null where none was. */
export function renamedMessage(renamed: readonly RenamedFile[]): string | null {
  if (renamed.length === 0) return null;
  const told = renamed.map(({ from, to }) =>
    to === null ? `${from} (which could not be renamed: look at it)` : `${from} (now ${to})`,
  );
  return `it made ${told.slice(0, 10).join(', ')}${told.length > 10 ? ` and ${told.length - 10} more` : ''}, which would run programs by name later; what a sandbox may write must not`;
}
