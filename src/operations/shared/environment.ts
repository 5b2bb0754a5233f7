import { isAbsolute, join } from 'node:path';

import { customAlphabet } from 'nanoid';

import { realFolder } from '../../host/files/folders.js';
import type { IdSource } from '../../plan/ids.js';

/** All that a workspace takes from the world around it, so that a test can give it another. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly homeFolder: string;
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly ids: IdSource;
  /** What tells a log file from a later one, in the ids of replicas; drawn for each when left out. */
  readonly logMark?: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const LETTERS_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Draws ids at random with nanoid, as the real environment does. */
export function randomIds(): IdSource {
  return {
    planId: customAlphabet('0123456789abcdef', 8),
    goalSuffix: customAlphabet(LETTERS_AND_DIGITS, 6),
    eventId: customAlphabet(LETTERS_AND_DIGITS, 16),
  };
}

/** Who acts in this environment, as events and claims name it. */
export function actorOfEnvironment(environment: Environment): string {
  const { FRCTL_BY: named } = environment.variables;
  return named === undefined || named === '' ? `${environment.user}@${environment.host}` : named;
}

/** The time that the environment's clock has, as events carry it. */
export function timeNow({ now }: Pick<Environment, 'now'>): string {
  return new Date(now()).toISOString();
}

/** Plans of a database have its time, whatever the clocks of the machines say that work on them. */
export function withClockOfStore(own: Environment): {
  readonly environment: Environment;
  readonly noteClock: (found: () => number | null) => void;
} {
  let clock: (() => number | null) | null = null;
  return {
    environment: { ...own, now: () => clock?.() ?? own.now() },
    noteClock(found) {
      clock = found;
    },
  };
}

/**
 * Where the user's own config is in this environment: `$XDG_CONFIG_HOME/frctl/config.json`, else under
 * `~/.config`.
 */
export function userConfigPath({ variables, homeFolder }: Environment): string {
  const base = variables.XDG_CONFIG_HOME;
  // A relative one is none, as the XDG specification says: it would lead into whatever repository the user is in.
  return join(
    base !== undefined && isAbsolute(base) ? base : join(homeFolder, '.config'),
    'frctl',
    'config.json',
  );
}

/** Returns the folder in which attempts are kept: of the user, outside of every repository. */
export function stateFolder({ variables, homeFolder }: Environment): string {
  const base = variables.XDG_STATE_HOME;
  const own = base !== undefined && isAbsolute(base) ? base : join(homeFolder, '.local', 'state');
  return join(realFolder(own), 'frctl', 'work');
}
