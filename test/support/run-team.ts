import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { outputJsonSync, writeJsonSync } from 'fs-extra/esm';
import { expect, onTestFinished } from 'vitest';

import { newUser } from './command.js';
import type { Json, Running, User } from './command.js';

/** What a tool does: notes that it was called, then waits until it may end. */
const ACT = 'echo "$1" >> effects; until [ -e "go-$1" ] || [ -e go-all ]; do sleep 0.05; done';
const LOOK = 'grep -qx -- "$1" effects';

/** A workspace whose plans and runs are in a database, and a user who trusts its tools. */
export interface RunTeam {
  readonly user: User;
  readonly environment: Readonly<Record<string, string>>;
  /** Prepares a run of such steps. */
  prepare(steps: readonly object[]): Promise<string>;
  /** Runs a command to its end, which must be this. */
  command(args: readonly string[], status?: number): Promise<Json>;
  /** Starts a worker, in another workspace or of another user where one is given. */
  worker(of?: User, more?: readonly string[]): Running;
  /** Every call of a tool, in order. */
  effects(): readonly string[];
  /** Lets a call end. */
  release(id: string): void;
  /** Waits until the run is so. */
  until(run: string, is: (shown: Json) => boolean): Promise<Json>;
}

/** A step that calls a tool with its own id. */
export const step = (id: string, tool: 'once' | 'again', more: object = {}) => ({
  id,
  tool,
  args: { id },
  ...more,
});

/** A verification that looks whether a step has acted. */
export const seen = (id: string) => ({ verifications: [{ type: 'seen', args: { id } }] });

export async function newRunTeam(url: string): Promise<RunTeam> {
  const user = newUser();
  const environment = { FRCTL_DATABASE_URL: url };
  mkdirSync(join(user.folder, '.plans'));
  outputJsonSync(join(user.home, '.config/frctl/config.json'), { unasked_tools: ['once', 'again'] });
  writeFileSync(join(user.folder, '.plans/config.json'), '{"store": "postgres"}');
  const tool = (name: string, effects: string, script: string) => ({
    name,
    effects,
    run: { command: ['sh', '-c', script, 'sh', '${id}'], settle_ms: 0 },
  });
  writeJsonSync(join(user.folder, '.plans/tools.yaml'), {
    tools: [tool('once', 'once', ACT), tool('again', 'idempotent', ACT), tool('look', 'none', LOOK)],
    checks: { seen: { tool: 'look', args: { id: '${id}' }, expect: {} } },
  });
  const command = async (args: readonly string[], status = 0): Promise<Json> => {
    const ended = await user.run([...args, '--json'], environment);
    expect({ args, status: ended.status, error: ended.error }).toMatchObject({ status });
    return ended.json();
  };
  let plans = 0;
  await command(['tools', 'trust', '--digest', String((await command(['tools', 'trust'], 4)).digest)]);
  return {
    user,
    environment,
    command,
    async prepare(steps) {
      plans += 1;
      writeJsonSync(join(user.folder, `p${plans}.json`), { schema_version: '1.0', goal: 'Do it', steps });
      return String((await command(['prepare', `p${plans}.json`])).run);
    },
    worker(of = user, more = ['--until-done']) {
      const worker = of.start(['worker', '--concurrency', '1', ...more], environment);
      onTestFinished(() => void worker.process.kill('SIGKILL'));
      return worker;
    },
    effects: () =>
      existsSync(join(user.folder, 'effects'))
        ? readFileSync(join(user.folder, 'effects'), 'utf8').trim().split('\n')
        : [],
    release: (id) => writeFileSync(join(user.folder, `go-${id}`), ''),
    async until(run, is) {
      for (;;) {
        const shown = await command(['runs', 'show', run]);
        if (is(shown)) return shown;
        await sleep(50);
      }
    },
  };
}
