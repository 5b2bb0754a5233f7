import { whileLocked } from '../../../host/files/file-lock.js';
import { moveLock } from './state.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

const SHOWN = 5;

/** What can be seen of a repository from outside: names of changed files and of references, with what they hold. */
type Outside = ReadonlyMap<string, string>;

/** Looks at the user's working tree and references while the base is not moved; null with a sandbox, out of which nothing is reached, and where it is stopped. */
export async function outsideOf(
  { git, root, isSandboxed }: Work,
  now: Attempt,
  signal: AbortSignal,
): Promise<Outside | null> {
  if (isSandboxed) return null;
  return whileLocked(
    moveLock(root, now),
    async () => {
      const [status, refs] = await Promise.all([
        git.tried(['status', '--porcelain', '-z', '-uall', '--no-renames', '--ignore-submodules=all']),
        git(['for-each-ref', '--format=%(refname) is %(objectname)']),
      ]);
      // Where a filter of the user's own fails, git says nothing, and nothing is compared.
      if (status === null) return null;
      const files = status
        .split('\0')
        .flatMap((line) => (line === '' ? [] : [[line.slice(3), line.slice(0, 2)] as const]));
      const others = refs.split('\n').filter((line) => line !== '' && !isOwn(line, now));
      return new Map([...files, ...others.map((line) => [line, ''] as const)]);
    },
    { patience: 1_000_000, signal },
  ).catch((thrown: unknown) => {
    if (signal.aborted && thrown instanceof Error && thrown.name === 'AbortError') return null;
    throw thrown;
  });
}

/** References that frctl itself moves meanwhile. */
function isOwn(line: string, { branch }: Attempt): boolean {
  return line.startsWith('refs/frctl/') || line.startsWith(`refs/heads/${branch} `);
}

/** Returns what a person is told of what changed outside of the clone; nothing where none did. */
export function leakedSince(before: Outside | null, after: Outside | null): readonly string[] {
  if (before === null || after === null) return [];
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  if (changed.length === 0) return [];
  const shown = changed.slice(0, SHOWN).join(', ') + (changed.length > SHOWN ? ', …' : '');
  return [`LEAKED: while the agent ran without a sandbox, your own repository changed: ${shown}`];
}
