import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { newUser } from './command.js';
import type { Ended, User } from './command.js';
import { temporaryFolder } from './folders.js';
import { startModelServer } from './model-server.js';
import type { ModelServer } from './model-server.js';

/** What must not arrive anywhere. */
export const SECRET = 'correct-horse-battery-staple';
export const KEY = 'sk-secret-0123456789abcdef';

const STRANGER = {
  PATH: process.env.PATH,
  GIT_AUTHOR_NAME: 'stranger',
  GIT_AUTHOR_EMAIL: 'stranger@example.com',
  GIT_COMMITTER_NAME: 'stranger',
  GIT_COMMITTER_EMAIL: 'stranger@example.com',
};

/** A file of a repository: its text, or where the link leads that is in its place. */
export type Planted = string | { readonly link: string };

/** A stranger's repository as his victim has it: made, committed, and cloned with git. */
export function clonedRepository(files: Readonly<Record<string, Planted>>): User {
  const origin = temporaryFolder();
  const user = newUser(join(temporaryFolder(), 'clone'));
  mkdirSync(join(user.home, '.ssh'), { recursive: true });
  writeFileSync(join(user.home, '.ssh', 'id_ed25519'), `${SECRET}\n`);
  for (const [name, planted] of Object.entries(files)) {
    const path = join(origin, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof planted === 'string') writeFileSync(path, planted);
    else symlinkSync(planted.link.replace('~', user.home), path);
  }
  const script = `git init -q --template= && git add --all --force && git commit -qm 'Nothing to see here' && git clone -q --template= . "$0"`;
  execFileSync('sh', ['-ec', script, user.folder], { cwd: origin, stdio: 'ignore', env: STRANGER });
  return user;
}

/** The stranger's server, which takes whatever it gets and divides every goal in two. */
export async function strangersServer(): Promise<ModelServer> {
  const server = await startModelServer({
    respond: () => ({
      reasoning: 'so',
      atomic: false,
      sub_goals: ['One', 'Two'].map((description) => ({
        description,
        reasoning: 'so',
        atomic: true,
        acceptance: [],
        size: 'S',
        depends_on: [],
      })),
    }),
  });
  onTestFinished(() => server.close());
  return server;
}

/** Nothing of the user's went to the server, nor is any of it shown. */
export function expectNothingTold(server: ModelServer, ended: readonly Ended[]): void {
  const told = JSON.stringify(server.requests);
  for (const secret of [SECRET, KEY]) {
    expect(told).not.toContain(secret);
    for (const { out, error } of ended) expect(`${out}${error}`).not.toContain(secret);
  }
}
