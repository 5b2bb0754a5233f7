import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { digestOfFile } from '../../src/features/runs/operations/trust/trusted-files.js';
import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { newDatabase } from '../support/postgres.js';

const GOALS = 6;
const TOOLS = 'tools: [{ name: ok, effects: none, run: { command: [sh, -c, "test ! -e broken.txt"] } }]\n';

/** Makes a remote whose one commit says that plans are kept in a database. */
function newRemote(): string {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  outputFileSync(join(folder, '.plans/config.json'), '{"store": "postgres"}\n');
  outputFileSync(join(folder, '.plans/tools.yaml'), TOOLS);
  git('add', '-A');
  git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', 'commit', '-qm', 'Base');
  const remote = join(temporaryFolder(), 'remote.git');
  git('clone', '-q', '--bare', folder, remote);
  return remote;
}

/** A machine with its clone of a remote, and an agent that writes a file named after its goal. */
interface Machine {
  readonly user: User;
  readonly variables: Readonly<Record<string, string>>;
  readonly git: (...args: readonly string[]) => string;
  readonly plan: (...args: readonly string[]) => Promise<Awaited<ReturnType<User['run']>>>;
}

function newMachine(remote: string, url: string, script: string): Machine {
  const folder = join(temporaryFolder(), 'clone');
  execFileSync('git', ['clone', '-q', remote, folder], { stdio: 'ignore' });
  const user = newUser(folder);
  const { home } = user;
  const variables = {
    FRCTL_DATABASE_URL: url,
    XDG_STATE_HOME: join(home, 'state'),
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: home, ...variables },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('config', '--global', 'user.name', 'Ana');
  git('config', '--global', 'user.email', 'ana@example.org');
  const agent = join(home, 'agent.sh');
  writeFileSync(agent, `#!/bin/sh\ncat > /dev/null\n${script}\n`);
  chmodSync(agent, 0o755);
  mkdirSync(join(home, '.config/frctl'), { recursive: true });
  const work = { with: 'mine', sandbox: 'none', checks: ['ok'], agents: { mine: { command: [agent] } } };
  const file = join(realpathSync(folder), '.plans/tools.yaml');
  const trusted_tools = [{ file, digest: digestOfFile({ text: TOOLS }) }];
  writeFileSync(join(home, '.config/frctl/config.json'), JSON.stringify({ work, trusted_tools }));
  const plan = async (...args: readonly string[]) => user.start(args, variables).ended;
  return { user, variables, git, plan };
}

test('on two machines with one database every goal is worked on once, and git merges what each has landed', async () => {
  const url = await newDatabase();
  const remote = newRemote();
  const script = 'sleep 0.3; echo "$FRCTL_GOAL" > "$FRCTL_GOAL.txt"';
  const one = newMachine(remote, url, script);
  const two = newMachine(remote, url, script);

  const made = await one.plan('init', 'Six files', '--no-decompose', '--json');
  expect(made.status).toBe(0);
  for (let number = 1; number <= GOALS; number += 1)
    expect(await one.plan('add', `Write file ${number}`)).toMatchObject({ status: 0 });

  const ended = await Promise.all(
    [one, two].map((machine) => machine.plan('work', '--review', 'none', '--json')),
  );
  // Whoever finds nothing free while the other is at the last one ends.
  for (const end of ended)
    expect(end.json()).toMatchObject({ ended: expect.stringMatching(/^(?:all_done|nothing_ready)$/) });

  const landedBy = ({ git }: Machine) =>
    git('log', '--format=%(trailers:key=Plan-Goal,valueonly,separator=)', 'main')
      .split('\n')
      .filter((line) => line !== '');
  const landed = [landedBy(one), landedBy(two)];
  // Each has done some, together all, none twice.
  for (const goals of landed) expect(goals.length).toBeGreaterThan(0);
  expect(new Set(landed.flat()).size).toBe(GOALS);
  expect(landed.flat()).toHaveLength(GOALS);
  expect(JSON.stringify((await two.plan('list', '--json')).json())).toContain('"progress":"done"');

  one.git('push', '-q', 'origin', 'main');
  two.git('pull', '-q', '--no-rebase', 'origin', 'main');
  const files = two.git('ls-files').split('\n');
  for (const goal of landed.flat()) expect(files).toContain(`${goal}.txt`);
});

test('what has landed on one machine alone is waited for on the other, until it is merged', async () => {
  const url = await newDatabase();
  const remote = newRemote();
  const script = 'sed s/^/x/ base.txt > "$FRCTL_GOAL.txt"; cat ./*-*.txt >> base.txt';
  const one = newMachine(remote, url, script);
  const two = newMachine(remote, url, script);
  await one.plan('init', 'Two files', '--no-decompose');
  await one.plan('add', 'Write the first file');
  await one.plan('add', 'Write the second file', '--depends-on', '1');
  await one.plan('add', 'Write another file');
  expect((await one.plan('work', '--goal', '1', '--json')).json()).toMatchObject({ ended: 'all_done' });
  const landed = one.git('rev-parse', 'main').trim();

  const dry = await two.plan('work', '--dry-run', '--parallel', '3');
  expect(dry.out).toMatch(/^3 {2}mine/m);
  expect(dry.out).toContain(`2  waits for ${landed.slice(0, 10)}`);
  expect(dry.out).not.toMatch(/^2 {2}mine/m);
  const held = await two.plan('work', '--json');
  expect(held.status).toBe(1);
  expect(held.json()).toMatchObject({
    ended: 'nothing_ready',
    goals: [{ number: '3', outcome: 'landed' }],
    missing: [{ number: '2', needs: [{ commit: landed }] }],
  });

  one.git('push', '-q', 'origin', 'main');
  // Also where it has got another name by it.
  two.git('pull', '-q', '--rebase', 'origin', 'main');
  expect((await two.plan('work', '--json')).json()).toMatchObject({
    ended: 'all_done',
    goals: [{ number: '2', outcome: 'landed' }],
  });
});

test('what was done by hand is looked for nowhere', async () => {
  const url = await newDatabase();
  const one = newMachine(newRemote(), url, 'echo x > "$FRCTL_GOAL.txt"');
  await one.plan('init', 'Two files', '--no-decompose');
  await one.plan('add', 'Write the first file');
  await one.plan('add', 'Write the second file', '--depends-on', '1');
  await one.plan('complete', '1', '--summary', 'By hand');
  expect((await one.plan('work', '--json')).json()).toMatchObject({ ended: 'all_done' });
});

test('what was landed, taken away and done by hand is looked for no more', async () => {
  const url = await newDatabase();
  const one = newMachine(newRemote(), url, 'echo x > "$FRCTL_GOAL.txt"');
  await one.plan('init', 'Two files', '--no-decompose');
  await one.plan('add', 'Write the first file');
  await one.plan('add', 'Write the second file', '--depends-on', '1');
  expect((await one.plan('work', '--goal', '1')).out).toContain(
    'What was asked for is done; of the plan, 1 of 2 goals are.',
  );
  one.git('reset', '-q', '--hard', 'HEAD~1');
  expect((await one.plan('work', '--json')).json()).toMatchObject({
    ended: 'nothing_ready',
    missing: [{ number: '2' }],
  });
  expect(await one.plan('reopen', '1')).toMatchObject({ status: 0 });
  expect(await one.plan('complete', '1', '--summary', 'By hand')).toMatchObject({ status: 0 });
  expect((await one.plan('work', '--json')).json()).toMatchObject({ ended: 'all_done' });
});
