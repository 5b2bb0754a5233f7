import { tmpdir } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';

import { findHelper, helperPath } from '../processes/find-helper.js';
import type { HelperSearch } from '../processes/find-helper.js';

export interface GitOptions {
  /** The top of a working tree: git begins there, so that a repository below it is not looked at. Null: no repository. */
  readonly top: string | null;
  /** The environment variables of the user. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Variables for git beside these, such as a mark by which its process is found again. */
  readonly more?: Readonly<Record<string, string>>;
  /** What git reads on standard input. */
  readonly input?: string | Buffer | undefined;
  /** Ends git, with an error whose code is ABORT_ERR. */
  readonly signal?: AbortSignal | undefined;
  /** The most bytes that are taken of what git prints. */
  readonly mostBytes: number;
}

/** What of a user's variables git hears: who the user is, and where its configuration and its programs are. */
const HEARD =
  /^(?:HOME|USER|LOGNAME|SUDO_UID|XDG_CONFIG_HOME|TMPDIR|TZ|SystemRoot|USERPROFILE|HOMEDRIVE|HOMEPATH|ProgramData|EMAIL|GIT_(?:AUTHOR_NAME|AUTHOR_EMAIL|COMMITTER_NAME|COMMITTER_EMAIL|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH))$/i;

/**
 * Asks git something about the working tree around a folder, and about no other: variables that name a repository
 * (`GIT_DIR` in a hook) do not count, a bare repository that somebody committed is not used, and nothing is fetched,
 * whatever the configuration of the repository says and however old git is. Runs the user's `git`, none of the working
 * tree, without a shell and with few variables.
 * @throws the error of `execFile`, with `stderr`; its code is ENOENT without git
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<Buffer> {
  // Loaded when git is asked something, for most changes of a plan ask it nothing.
  const { execFile } = process.getBuiltinModule('node:child_process');
  const search = { variables: options.variables, folder: options.top };
  const git = findHelper('git', search);
  if (git === null) throw Object.assign(new Error('there is no git on the PATH'), { code: 'ENOENT' });
  const running = promisify(execFile)(git, ['--no-pager', '-c', 'safe.bareRepository=explicit', ...args], {
    cwd: options.top ?? tmpdir(),
    encoding: 'buffer',
    maxBuffer: options.mostBytes,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    env: { ...variablesOfGit(search), ...options.more },
  });
  if (options.input !== undefined) running.child.stdin?.on('error', () => undefined).end(options.input);
  const { stdout } = await running;
  return stdout;
}

function variablesOfGit(search: HelperSearch): Record<string, string | undefined> {
  const kept = Object.entries(search.variables).filter(([name]) => HEARD.test(name));
  return {
    ...Object.fromEntries(kept),
    PATH: helperPath(search),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    // A git that does not know the line above asks this before it starts what fetches.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
  };
}
