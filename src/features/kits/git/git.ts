import * as z from 'zod';

import { runGit } from '../../../host/git/run-git.js';
import type { GitOptions } from '../../../host/git/run-git.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { Effects } from '../../actions/tools/bindings.js';
import type { SettledCall, ToolCall } from '../../runs/model/tool.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { ATTEMPT_VARIABLE } from '../../runs/runners/programs/orphans.js';
import { lostOutcome, RefusedCall, timedOutOutcome, toolFailure } from '../../runs/runners/outcomes.js';
import { asJson, problemBy, readArgs } from '../kit.js';
import type { Kit, KitTool } from '../kit.js';

/** The most bytes that one call brings. */
const MOST_BYTES = 1024 * 1024;
/** Hooks, watchers, signing and housekeeping are off; filters of the settings, such as those of Git LFS, run. */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'submodule.recurse=false',
  'core.quotePath=false',
].flatMap((setting) => ['-c', setting]);

const revision = z
  .string()
  .max(250)
  .regex(/^[\p{L}\p{N}_][^\s:?*[\\\p{Cc}]*$/u, 'must name a commit, branch or tag')
  .refine((name) => !name.includes('..'), 'must name one commit, without `..`');
const branchName = revision.refine((name) => !/[~^@{]/.test(name), 'must be the name of a branch');
const path = z.string().min(1).max(4096).describe('Relative to the project; no pattern.');
const paths = z.array(path).min(1).max(1000);
const sha = z.strictObject({ sha: z.string() });
const current = z.strictObject({
  sha: z.string().nullable().describe('The current commit; null before the first.'),
});

/** Runs git in the workspace. @throws RefusedCall for what git refuses */
type Git = (args: readonly string[], more?: Pick<GitOptions, 'input' | 'more'>) => Promise<string>;

interface GitTool<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effects: Effects;
  readonly input: Schema;
  readonly output: z.ZodType;
  /** @param key of the call: the same for each attempt of a step */
  readonly work: (args: z.output<Schema>, git: Git, key: string) => Promise<object>;
  /** Tells what came of a call whose process was killed; undefined where the repository does not tell it. */
  readonly settled?: (args: z.output<Schema>, git: Git, key: string) => Promise<object | null | undefined>;
}

function gitIn({ environment }: KitCall, call?: Pick<ToolCall, 'signal' | 'attempt'>): Git {
  const mark = call === undefined ? {} : { [ATTEMPT_VARIABLE]: call.attempt };
  return async (args, { input, more } = {}) => {
    const { root: top, variables } = environment;
    try {
      const bytes = await runGit([...SAFE, '--literal-pathspecs', ...args], {
        top,
        variables,
        signal: call?.signal,
        mostBytes: MOST_BYTES,
        input,
        more: { ...mark, ...more },
      });
      return bytes.toString('utf8');
    } catch (thrown) {
      throw refusedBy(thrown);
    }
  };
}

const failureSchema = z.object({ code: z.unknown(), stderr: z.instanceof(Buffer).optional() });

function refusedBy(thrown: unknown): unknown {
  const { success, data } = failureSchema.safeParse(thrown);
  if (!success) return thrown;
  if (data.code === 'ENOENT') return new RefusedCall('NO_GIT', 'there is no git on the PATH');
  if (data.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return new RefusedCall('TOO_LARGE', `git printed more than ${MOST_BYTES} bytes; ask for less`);
  const said = truncate((data.stderr ?? '').toString('utf8').replaceAll(/\s+/g, ' ').trim(), 300);
  if (said.includes('not a git repository'))
    return new RefusedCall('NO_REPOSITORY', 'the project is no git repository');
  return new RefusedCall('GIT_REFUSED', said === '' ? 'git refused it' : said);
}

function gitTool<Schema extends z.ZodObject>(tool: GitTool<Schema>): KitTool {
  const { input, work, settled, ...told } = tool;
  return {
    ...told,
    input,
    rev: 1,
    carry: (_options, call) => {
      const git = gitIn(call);
      return {
        problem: problemBy((args) => void readArgs(input.partial(), args)),
        async call({ args, signal, timeoutMs, key, attempt }) {
          const limit = AbortSignal.timeout(timeoutMs);
          try {
            const within = gitIn(call, { signal: AbortSignal.any([signal, limit]), attempt });
            return { outcome: 'succeeded', output: asJson(await work(readArgs(input, args), within, key)) };
          } catch (thrown) {
            if (limit.aborted) return timedOutOutcome(timeoutMs, 'git');
            if (signal.aborted) return lostOutcome('ABORTED', 'the call was dropped');
            if (!(thrown instanceof RefusedCall)) throw thrown;
            return { outcome: 'failed', error: toolFailure(thrown.code, thrown.message, false) };
          }
        },
        ...(settled === undefined
          ? {}
          : {
              settled: (args: JsonObject, _before: unknown, key: string) =>
                settledBy(settled(readArgs(input, args), git, key)),
            }),
      };
    },
  };
}

async function settledBy(asked: Promise<object | null | undefined>): Promise<SettledCall | null> {
  const found = await asked.catch(() => undefined);
  if (found === undefined) return null;
  return found === null ? { as: 'failed' } : { as: 'succeeded', output: asJson(found) };
}

const head = async (git: Git) => ({ sha: (await git(['rev-parse', '--verify', 'HEAD'])).trim() });

/** The commit of a name. @throws RefusedCall */
async function commitOf(name: string, git: Git): Promise<string> {
  return (await git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`])).trim();
}

async function isStaged(git: Git): Promise<boolean> {
  // One line a file would be too long where many are staged: one for all of them is not.
  return (await git(['diff', '--cached', '--shortstat', '--no-ext-diff', '--no-renames'])).trim() !== '';
}

const status = gitTool({
  name: 'git.status',
  description: 'Lists what differs from the last commit.',
  effects: 'none',
  input: z.strictObject({}),
  output: z.strictObject({
    branch: z.string().nullable(),
    entries: z.array(z.strictObject({ path: z.string(), index: z.string(), worktree: z.string() })),
  }),
  async work(_args, git) {
    const printed = await git([
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--',
      '.',
    ]);
    // git prints them from the top of the repository, of which the project may be a part.
    const prefix = (await git(['rev-parse', '--show-prefix'])).replace(/\n$/, '');
    const entries = printed.split('\0').filter((line) => line !== '' && line.startsWith(prefix, 3));
    const branch = (await git(['branch', '--show-current'])).trim();
    return {
      branch: branch === '' ? null : branch,
      entries: entries.map((line) => ({
        path: line.slice(3 + prefix.length),
        index: line[0] ?? ' ',
        worktree: line[1] ?? ' ',
      })),
    };
  },
});

const log = gitTool({
  name: 'git.log',
  description: 'Lists commits, the newest first.',
  effects: 'none',
  input: z.strictObject({
    max: z.int().min(1).max(1000).default(20).describe('The most commits.'),
    ref: revision.optional().describe('Where it begins; the current commit when left out.'),
    path: path.optional(),
  }),
  output: z.strictObject({
    commits: z.array(
      z.strictObject({ sha: z.string(), author: z.string(), date: z.string(), subject: z.string() }),
    ),
  }),
  async work({ max, ref = 'HEAD', path: only }, git) {
    const from = await commitOf(ref, git);
    const format = '--format=%H%x00%an <%ae>%x00%aI%x00%s%x00';
    const printed = await git(['log', `-${max}`, format, from, '--', ...(only === undefined ? [] : [only])]);
    const fields = printed.split('\0');
    const commits = Array.from({ length: Math.floor(fields.length / 4) }, (_, index) => {
      const [id = '', author = '', date = '', subject = ''] = fields.slice(4 * index, 4 * index + 4);
      return { sha: id.trim(), author, date, subject };
    });
    return { commits };
  },
});

const TEXT = z.strictObject({ text: z.string() });
/** A program that the settings name for some files prints nothing here. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color'];

const diff = gitTool({
  name: 'git.diff',
  description: 'Shows what changed: in the files, in what is staged, or between two commits.',
  effects: 'none',
  input: z.strictObject({
    staged: z.boolean().default(false),
    from: revision.optional(),
    to: revision.optional(),
    paths: paths.optional(),
  }),
  output: TEXT,
  async work({ staged, from, to, paths: only = [] }, git) {
    if (to !== undefined && (from === undefined || staged))
      throw new RefusedCall('VALIDATION_ERROR', 'to needs from, and is no part of what is staged');
    const commits = await Promise.all(
      [from, to].flatMap((name) => (name === undefined ? [] : [commitOf(name, git)])),
    );
    return {
      text: await git(['diff', ...PLAIN, ...(staged ? ['--cached'] : []), ...commits, '--', ...only]),
    };
  },
});

const show = gitTool({
  name: 'git.show',
  description: 'Shows a commit, or a file as it was in a commit.',
  effects: 'none',
  input: z.strictObject({ ref: revision, path: path.optional() }),
  output: TEXT,
  async work({ ref, path: file }, git) {
    const commit = await commitOf(ref, git);
    const wanted =
      file === undefined ? ['show', ...PLAIN, commit, '--'] : ['cat-file', 'blob', `${commit}:./${file}`];
    return { text: await git(wanted) };
  },
});

const add = gitTool({
  name: 'git.add',
  description: 'Stages files as they are now.',
  effects: 'once',
  input: z.strictObject({ paths }),
  output: current,
  async work({ paths: files }, git) {
    await git(['add', '--', ...files]);
    return {
      sha: await head(git).then(
        (found) => found.sha,
        () => null,
      ),
    };
  },
  // What is staged already is staged again without harm.
  settled: async () => null,
});

/** What git notes of a commit of a call, beside the new state of the branch. */
const actionOf = (key: string) => `frctl ${key}`;

const commit = gitTool({
  name: 'git.commit',
  description: 'Commits what is staged. Hooks do not run.',
  effects: 'once',
  input: z.strictObject({ message: z.string().trim().min(1).max(100_000) }),
  output: sha,
  async work({ message }, git, key) {
    if (!(await isStaged(git))) throw new RefusedCall('NOTHING_STAGED', 'nothing is staged');
    const logged = ['-c', 'core.logAllRefUpdates=true'];
    await git([...logged, 'commit', '--quiet', '--cleanup=verbatim', '--file=-'], {
      input: message,
      more: { GIT_REFLOG_ACTION: actionOf(key) },
    });
    return head(git);
  },
  // By the message nobody knows it: others may have it too, and what is staged may have been staged since.
  async settled(_args, git, key) {
    const isFirst = await git(['rev-parse', '--verify', '--quiet', 'HEAD']).then(
      () => false,
      () => true,
    );
    if (isFirst) return null;
    const search = ['--walk-reflogs', '--fixed-strings', `--grep-reflog=${actionOf(key)}`];
    const made = (await git(['log', '-1', '--format=%H', ...search, 'HEAD'])).trim();
    if (made === '') return null;
    // The line is written before the branch moves.
    const isLost = (await git(['rev-list', '-1', made, '--not', '--all'])).trim() !== '';
    return isLost ? undefined : { sha: made };
  },
});

const branch = gitTool({
  name: 'git.branch',
  description: 'Makes a branch, and stays on the current one.',
  effects: 'once',
  input: z.strictObject({
    name: branchName,
    from: revision.optional().describe('The current commit when left out.'),
  }),
  output: sha,
  async work({ name, from = 'HEAD' }, git) {
    const at = await commitOf(from, git);
    await git(['branch', '--no-track', '--end-of-options', name, at]);
    return { sha: at };
  },
  async settled({ name, from = 'HEAD' }, git) {
    const at = await commitOf(from, git);
    const made = (await git(['for-each-ref', '--format=%(objectname)', `refs/heads/${name}`])).trim();
    return made === '' ? null : made === at ? { sha: at } : undefined;
  },
});

const switchTo = gitTool({
  name: 'git.switch',
  description: 'Goes to a branch; what would be overwritten is refused.',
  effects: 'once',
  input: z.strictObject({ name: branchName }),
  output: sha,
  async work({ name }, git) {
    await git(['switch', '--quiet', '--no-guess', '--end-of-options', name]);
    return head(git);
  },
  async settled({ name }, git) {
    return (await git(['branch', '--show-current'])).trim() === name ? head(git) : null;
  },
});

/** The project's git repository: looking, staging, committing and branches; nothing that removes or sends. */
export const git: Kit = {
  name: 'git',
  options: z.strictObject({}),
  programs: ['git'],
  tools: [status, log, diff, show, add, commit, branch, switchTo],
};
