import type { Context } from '../../../operations/shared/context.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import { gitIn } from '../attempt/git.js';
import { readAllAttempts } from '../attempt/state.js';

/** An attempt of which no record can be read: power or the disk failed, or the folder was removed. */
export interface LostAttempt {
  readonly goal: string;
  /** The record that cannot be read; null where none is there. */
  readonly file: string | null;
  /** The name that holds what was made; null where nothing was. */
  readonly ref: string | null;
}

const FORMAT = '--format=%(refname) %(contents:trailers:key=Plan-Goal,valueonly)';

/** Returns the attempts of this repository of which no record can be read. */
export async function lostAttempts({
  environment,
  projectFolder,
}: Pick<Context, 'environment' | 'projectFolder'>): Promise<readonly LostAttempt[]> {
  const git = gitIn(projectFolder() ?? environment.workingFolder, environment.variables);
  const printed = await git.tried(['for-each-ref', FORMAT, 'refs/frctl/attempts']).catch(() => null);
  const { attempts, unreadable } = await readAllAttempts(stateFolder(environment));
  const known = new Set(attempts.map(({ token }) => token));
  const held = (printed ?? '').split('\n').flatMap((line) => {
    const [ref = '', goal = ''] = line.trim().split(' ');
    return ref === '' || goal === '' || known.has(ref.slice(ref.lastIndexOf('/') + 1)) ? [] : [{ goal, ref }];
  });
  return [
    ...held.map(({ goal, ref }) => ({ goal, ref, file: fileOf(unreadable, goal) })),
    ...unreadable.flatMap(({ goal, file }) =>
      held.some((one) => one.goal === goal) ? [] : [{ goal, ref: null, file }],
    ),
  ];
}

const fileOf = (unreadable: readonly { readonly goal: string; readonly file: string }[], goal: string) =>
  unreadable.find((one) => one.goal === goal)?.file ?? null;
