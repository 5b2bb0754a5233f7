import { PlanError } from '../../../kernel/errors.js';
import type { Git } from './git.js';

/** What a commit becomes on the base as it is. */
export type Merge =
  | { readonly kind: 'merged'; readonly onto: string; readonly commit: string }
  | {
      readonly kind: 'conflict';
      readonly onto: string;
      readonly tree: string;
      readonly files: readonly string[];
    };

/** Brings a commit and what it needs from one repository into another, where a reference holds it. */
export async function bringCommit(
  from: Git,
  to: Git,
  { commit, base, ref }: { readonly commit: string; readonly base: string; readonly ref: string },
): Promise<void> {
  const pack = await from.bytes(['pack-objects', '--stdout', '--revs', '-q'], `${commit}\n^${base}\n`);
  await to(['unpack-objects', '-q'], pack);
  await to(['update-ref', ref, commit]);
}

/**
 * Puts what a commit changes onto what the base is, without a working tree: nothing else comes along, also where the base
 * has lost commits since.
 */
export async function mergeOnto(
  git: Git,
  {
    onto,
    from,
    commit,
    message,
    identity,
  }: {
    readonly onto: string;
    /** The parent of the commit. */
    readonly from: string;
    readonly commit: string;
    readonly message: string;
    readonly identity: readonly string[];
  },
): Promise<Merge> {
  if (from === onto) return { kind: 'merged', onto, commit };
  const commitTree = async (tree: string, parent: string, text: string) =>
    (await git([...identity, 'commit-tree', tree, '-p', parent, '-F', '-'], text)).trim();
  // As if the base had come of the commit that the work began on, whatever it came of: git 2.38 takes no other merge base.
  const base = await commitTree(`${onto}^{tree}`, from, 'Base');
  // With a clean merge the tree alone is printed.
  const merge = ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', base, commit];
  const { isOk, out, said } = await git.answer(merge);
  const [tree = '', ...rest] = out.split('\0').map((word) => word.trim());
  if (!isOk && tree === '') throw new PlanError('STORAGE_FAILED', `git merge-tree failed: ${said}`);
  if (!isOk) return { kind: 'conflict', onto, tree, files: rest.filter((path) => path !== '') };
  return { kind: 'merged', onto, commit: await commitTree(tree, onto, message) };
}

/** Returns the commit of a branch; null where there is none of that name. */
export async function findHead(git: Git, branch: string): Promise<string | null> {
  return (await git.tried(['rev-parse', '--verify', '-q', `refs/heads/${branch}^{commit}`]))?.trim() ?? null;
}

/** Returns the commit of a branch. @throws PlanError STORAGE_FAILED where there is none of that name */
export async function headOf(git: Git, branch: string): Promise<string> {
  const head = await findHead(git, branch);
  if (head !== null) return head;
  throw new PlanError('STORAGE_FAILED', `there is no branch ${branch} any more`, {
    hint: { commandLine: `Make it again (\`git branch ${branch} COMMIT\`), then continue.` },
  });
}

/** Returns the files that differ between two commits. */
export async function changedBetween(git: Git, from: string, to: string): Promise<readonly string[]> {
  const printed = await git(['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', from, to, '--']);
  return printed.split('\0').filter((path) => path !== '');
}

/** Whether a commit of an attempt is in a branch, by the trailer that it bears. */
export async function isLanded(
  git: Git,
  { branch, token, from }: { readonly branch: string; readonly token: string; readonly from: string },
): Promise<boolean> {
  const head = await headOf(git, branch);
  const found = await git([
    'log',
    '-1',
    '--format=%H',
    '--fixed-strings',
    `--grep=Plan-Attempt: ${token}`,
    `${from}..${head}`,
    '--',
  ]);
  return found.trim() !== '';
}
