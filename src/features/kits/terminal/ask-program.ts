import { findHelper, helperPath } from '../../../host/processes/find-helper.js';
import { runProgram } from '../../../host/processes/run-program.js';
import { messageOf } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { KitCall } from '../../runs/runners/kit-carrier.js';
import { ATTEMPT_VARIABLE } from '../../runs/runners/programs/orphans.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';

/** Milliseconds that a program is given to answer. */
const ANSWER_MS = 10_000;
const MOST = { out: 8 * 1024 * 1024, error: 16 * 1024 };

/** A program that has panes. */
interface PaneProgram {
  readonly name: string;
  /** The variables of the user that it is given. */
  readonly passed: readonly string[];
  /** Variables that it is given besides. */
  readonly more?: Readonly<Record<string, string>>;
}

/** One question to it. */
interface Question {
  readonly args: readonly string[];
  readonly input?: string | undefined;
  /** Marks the process with the attempt that it is of. */
  readonly attempt?: string | undefined;
}

/** What it answered: its output, or the first line of what it said where it failed. */
type Answer = { readonly out: string } | { readonly said: string };

/** Asks a program that has panes, without a shell. @throws RefusedCall NOT_STARTED, NO_ANSWER */
export async function askProgram(
  { name, passed, more = {} }: PaneProgram,
  { args, input, attempt }: Question,
  { environment: { variables, root } }: KitCall,
): Promise<Answer> {
  const search = { variables, folder: root };
  const program = findHelper(name, search);
  if (program === null) throw new RefusedCall('NOT_STARTED', `there is no ${name} on the PATH`);
  const given = passed.flatMap((one) =>
    variables[one] === undefined ? [] : [[one, variables[one]] as const],
  );
  const end = await runProgram({
    argv: [program, ...args],
    folder: root,
    variables: {
      ...Object.fromEntries(given),
      PATH: helperPath(search),
      ...more,
      ...(attempt === undefined ? {} : { [ATTEMPT_VARIABLE]: attempt }),
    },
    ...(input === undefined ? {} : { input }),
    group: 'own',
    timeoutMs: ANSWER_MS,
    most: MOST,
    lingerMs: { beforeKill: 0, afterKill: 1000 },
  });
  if (end.kind === 'not_started')
    throw new RefusedCall('NOT_STARTED', `${name} was not started: ${messageOf(end.cause)}`);
  if (end.kind !== 'exited') throw new RefusedCall('NO_ANSWER', `${name} did not answer in ${ANSWER_MS} ms`);
  if (end.status === 0) return { out: end.out.bytes.toString('utf8') };
  return { said: truncate(end.error.bytes.toString('utf8').trim().split('\n')[0] ?? '', 300) };
}
