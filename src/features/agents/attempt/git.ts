import { resolve } from 'node:path';

import * as z from 'zod';

import { runGit } from '../../../host/git/run-git.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';

const MOST_BYTES = 256 * 1024 * 1024;
const OLDEST = [2, 38] as const;

const endedSchema = z.object({
  code: z.number(),
  stdout: z.instanceof(Buffer),
  stderr: z.instanceof(Buffer),
});

type Variables = Readonly<Record<string, string | undefined>>;

/** What git prints, and what it says beside it. */
interface GitAnswer {
  readonly isOk: boolean;
  readonly out: string;
  readonly said: string;
}

/** Git on one repository. */
export interface Git {
  /** Returns what git prints. @throws PlanError STORAGE_FAILED */
  (args: readonly string[], input?: string | Buffer): Promise<string>;
  /** The same as bytes. */
  bytes(args: readonly string[], input?: string | Buffer): Promise<Buffer>;
  /** The same; null where git ends with a status other than 0. */
  tried(args: readonly string[]): Promise<string | null>;
  /** Returns what git prints, whatever its status. @throws PlanError STORAGE_FAILED where it cannot be started */
  answer(args: readonly string[]): Promise<GitAnswer>;
}

// Hooks, monitors and signing programs that a repository's settings name are not run, also where they are the user's own. Filters are: what lands must look as the user's git writes it.
const SAFE = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'gc.auto=0', 'commit.gpgSign=false'];

/** Returns git for a working tree, or for a git folder that lies elsewhere, with words that are put first. */
export function gitIn(top: string | null, variables: Variables, first: readonly string[] = []): Git {
  const safe = SAFE.flatMap((setting) => ['-c', setting]);
  const run = async (args: readonly string[], input?: string | Buffer) =>
    runGit([...safe, ...first, ...args], { top, variables, mostBytes: MOST_BYTES, input });
  const bytes = async (args: readonly string[], input?: string | Buffer) => {
    try {
      return await run(args, input);
    } catch (cause) {
      throw gitFailed(args, cause);
    }
  };
  const answer = async (args: readonly string[]) =>
    run(args).then(
      (out) => ({ isOk: true, out: out.toString('utf8'), said: '' }),
      (cause: unknown) => {
        const ended = endedSchema.safeParse(cause);
        if (ended.success)
          return { isOk: false, out: ended.data.stdout.toString('utf8'), said: wordsOf(ended.data.stderr) };
        throw gitFailed(args, cause);
      },
    );
  return Object.assign(
    async (args: readonly string[], input?: string | Buffer) => (await bytes(args, input)).toString('utf8'),
    {
      bytes,
      answer,
      async tried(args: readonly string[]) {
        const { isOk, out } = await answer(args);
        return isOk ? out : null;
      },
    },
  );
}

function gitFailed(args: readonly string[], cause: unknown): PlanError {
  const ended = endedSchema.safeParse(cause);
  // What git says is after the whole command in the message.
  const own = ended.success ? wordsOf(ended.data.stderr) : '';
  const said = own === '' ? wordsOf(messageOf(cause)) : own;
  return new PlanError('STORAGE_FAILED', `git ${args[0] ?? ''} failed: ${said}`, { cause });
}

/** What git says, on one line. */
function wordsOf(said: Buffer | string): string {
  return truncate(said.toString('utf8').trim().replaceAll(/\s+/g, ' '), 400);
}

/** Returns where files of a repository are, by their names in its git folder. */
export async function gitPaths(git: Git, top: string, names: readonly string[]): Promise<readonly string[]> {
  const printed = await git(['rev-parse', ...names.flatMap((name) => ['--git-path', name])]);
  return printed.split('\n').flatMap((line) => (line === '' ? [] : [resolve(top, line)]));
}

/** Refuses a git that cannot merge without a working tree. @throws PlanError REFUSED, STORAGE_FAILED without git */
export async function refuseOldGit(git: Git): Promise<void> {
  const version = await git(['version']);
  const [, major = '0', minor = '0'] = /(\d{1,9})\.(\d{1,9})/.exec(version) ?? [];
  const [least, leastMinor] = OLDEST;
  if (Number(major) > least || (Number(major) === least && Number(minor) >= leastMinor)) return;
  throw new PlanError(
    'REFUSED',
    `\`plan work\` needs git ${OLDEST.join('.')} or newer, not ${version.trim()}`,
  );
}
