import { homedir, hostname, userInfo } from 'node:os';
import process from 'node:process';

import { randomIds } from './environment.js';
import type { Environment } from './environment.js';

/** The environment of this process. */
export function defaultEnvironment(): Environment {
  return {
    variables: process.env,
    workingFolder: process.cwd(),
    homeFolder: homedir(),
    user: userName(),
    host: hostname(),
    pid: process.pid,
    ids: randomIds(),
    now: Date.now,
    random: Math.random,
  };
}

// A container may run as a user that no file knows.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env.USER ?? 'user';
  }
}
