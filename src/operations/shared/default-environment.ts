import { homedir, hostname, userInfo } from 'node:os';
import process from 'node:process';

import { PlanError } from '../../kernel/errors.js';
import { randomIds } from './environment.js';
import type { Environment } from './environment.js';

/** The environment of this process. */
export function defaultEnvironment(): Environment {
  return {
    variables: process.env,
    workingFolder: workingFolder(),
    homeFolder: homedir(),
    user: userName(),
    host: hostname(),
    pid: process.pid,
    ids: randomIds(),
    now: Date.now,
    random: Math.random,
  };
}

/** @throws PlanError INVALID_INPUT where the folder has been removed since */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new PlanError('INVALID_INPUT', 'the folder where the command was started is gone', {
      hint: ['Change to a folder that is there.'],
      cause,
    });
  }
}

// A container may run as a user that no file knows.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER ?? 'user';
  }
}
