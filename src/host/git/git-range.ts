import { messageOf, PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { workingTreeOf } from './git-folder.js';
import { runGit } from './run-git.js';

const MOST_BYTES = 16 * 1024 * 1024;

/** What a range of commits did. */
export interface GitRange {
  /** The top of the working tree. */
  readonly top: string;
  /** Oldest first. */
  readonly commits: readonly { readonly id: string; readonly subject: string }[];
  /** Names, from the top, of the files that differ and are still there. */
  readonly files: readonly string[];
}

export interface WorkingFolder {
  /** A folder of the working tree. */
  readonly folder: string;
  /** The environment variables that git runs with. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Asks git what a range of commits (`main..HEAD`), or a single commit, did. Runs `git` without a shell.
 * @throws PlanError INVALID_INPUT outside a repository, without git, and for a range that git does not know
 */
export async function readGitRange(range: string, working: WorkingFolder): Promise<GitRange> {
  if (range === '' || range.startsWith('-') || range.includes('\0'))
    throw noRange(range, 'it names no commit');
  const top = await topOf(working);
  const isRange = range.includes('..');
  const ask = (args: readonly string[]) =>
    run(args, top, working).catch((cause: unknown) => {
      throw noRange(range, firstLine(cause));
    });
  const log = await ask([
    'log',
    '--no-show-signature',
    '--reverse',
    '--format=%H %s',
    ...(isRange ? [] : ['--no-walk']),
    range,
    '--',
  ]);
  const same = ['--name-only', '--no-ext-diff', '--diff-filter=d', '-z'];
  const files = isRange
    ? await ask(['diff', ...same, range, '--'])
    : await ask(['log', '--no-walk', '-m', '--first-parent', '--format=', ...same, range, '--']);
  return {
    top,
    commits: log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ id: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) })),
    files: [...new Set(files.split('\0').filter((name) => name !== ''))],
  };
}

async function run(args: readonly string[], top: string, { variables }: WorkingFolder): Promise<string> {
  return (await runGit(args, { top, variables, mostBytes: MOST_BYTES })).toString('utf8');
}

/** The top of the working tree, as git itself sees it. */
async function topOf(working: WorkingFolder): Promise<string> {
  const top = workingTreeOf(working.folder)?.top ?? null;
  const options = { top, variables: working.variables, mostBytes: MOST_BYTES };
  // Without a working tree there is nothing to look for; git says no more than whether it is there.
  const asked = top === null ? ['--version'] : ['rev-parse', '--show-toplevel'];
  const said = await runGit(asked, options).catch(noRepository(working.folder));
  if (top === null) return noRepository(working.folder)(null);
  return said.toString('utf8').trimEnd();
}

function noRepository(folder: string): (cause: unknown) => never {
  return (cause) => {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new PlanError(
      'INVALID_INPUT',
      missing ? 'git could not be started' : `${folder} is not in a git repository`,
      {
        hint: {
          commandLine: missing
            ? '--from-git needs `git` on the PATH.'
            : '--from-git reads the repository of the working folder; run it there.',
        },
        cause,
      },
    );
  };
}

function noRange(range: string, reason: string): PlanError {
  return new PlanError(
    'INVALID_INPUT',
    `git knows no range ${JSON.stringify(truncate(range, 200))}: ${reason}`,
    {
      hint: ['Give a range such as main..HEAD, or one commit.'],
      details: { range },
    },
  );
}

/** What git said, without its own prefix. */
function firstLine(cause: unknown): string {
  const said =
    typeof cause === 'object' && cause !== null && 'stderr' in cause && Buffer.isBuffer(cause.stderr)
      ? cause.stderr.toString('utf8')
      : messageOf(cause);
  return (said.split('\n').find((line) => line.trim() !== '') ?? 'no reason given').replace(/^fatal: /, '');
}
