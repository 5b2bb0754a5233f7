import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { onTestFinished } from 'vitest';

import { newUser } from './command.js';
import type { User } from './command.js';

/** A user whose project keeps its plans in a database. @param within see `newUser` */
export function databaseUser(within?: readonly string[]): User {
  const user = newUser(undefined, undefined, within);
  outputFileSync(join(user.folder, '.plans', 'config.json'), '{"store": "postgres"}\n');
  return user;
}

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** What it said on standard error, once it has ended. */
  readonly ended: Promise<string>;
}

/** Starts `plan worker`, which ends when nothing is left to workers, or with the test. */
export function startWorker(
  environment: Readonly<Record<string, string>>,
  { concurrency = 2, preload }: { readonly concurrency?: number; readonly preload?: string } = {},
): WorkerProcess {
  const variables = {
    ...environment,
    ...(preload === undefined ? {} : { NODE_OPTIONS: `--import=${preload}` }),
  };
  const { process, ended } = databaseUser().start(
    ['worker', '--concurrency', String(concurrency), '--until-done'],
    variables,
  );
  onTestFinished(() => void process.kill('SIGKILL'));
  return { process, ended: ended.then(({ error }) => error) };
}
