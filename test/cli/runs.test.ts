import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { outputJsonSync, writeJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';

/** A user with tools that he has trusted, and that his own config lets run unasked. */
async function userWithTools(): Promise<User> {
  const user = newUser();
  const append = 'echo "$0" >> effects';
  const noise = "printf '\\033[2J' >&2; head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1";
  const slow = `${append}; exec sleep 60`;
  mkdirSync(join(user.folder, '.plans'));
  outputJsonSync(join(user.home, '.config/frctl/config.json'), { unasked_tools: ['append', 'slow'] });
  writeJsonSync(join(user.folder, '.plans/tools.yaml'), {
    tools: [
      { name: 'append', effects: 'once', run: { command: ['sh', '-c', append, '${id}'] } },
      { name: 'slow', effects: 'once', run: { command: ['sh', '-c', slow, '${id}'] } },
      { name: 'noise', effects: 'none', run: { command: ['sh', '-c', noise] } },
      { name: 'list', effects: 'none', run: { command: ['echo', '["x","y","z"]'], output: 'json' } },
      { name: 'guarded', effects: 'once', run: { command: ['sh', '-c', append, '${id}'] } },
    ],
  });
  await trustTools(user);
  return user;
}

async function trustTools(user: User): Promise<void> {
  const { json } = await user.run(['tools', 'trust', '--json']);
  const digest = String(json().digest);
  expect(await user.run(['tools', 'trust', '--digest', digest])).toMatchObject({ status: 0 });
}

const step = (id: string, tool = 'append', more: object = {}) => ({ id, tool, args: { id }, ...more });

async function prepared(user: User, steps: readonly object[]): Promise<string> {
  writeJsonSync(join(user.folder, 'p.json'), { schema_version: '1.0', goal: 'Do it', steps });
  const { json, status, error } = await user.run(['prepare', 'p.json', '--json']);
  expect({ status, error }).toEqual({ status: 0, error: '' });
  return String(json().run);
}

const effectsOf = ({ folder }: User) =>
  existsSync(join(folder, 'effects')) ? readFileSync(join(folder, 'effects'), 'utf8').trim().split('\n') : [];

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

describe('plan prepare, run, runs, abort', () => {
  test('carry a plan out, say what happened, and do it once', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [step('a'), step('b')]);
    const done = await user.run(['run', run, '--json']);
    expect(done).toMatchObject({ status: 0 });
    expect(done.json()).toMatchObject({ status: 'succeeded', counts: { succeeded: 2 } });
    expect(effectsOf(user)).toEqual(['a', 'b']);
    const again = await user.run(['commit', run, '--json']);
    expect(again).toMatchObject({ status: 4 });
    expect(again.json()).toMatchObject({ error: { code: 'E_PLAN_CONSUMED' } });
    const shown = await user.run(['runs', 'show', run]);
    expect(shown.out).toContain(`${run} succeeded`);
    expect(shown.out).toContain('✓ a (append): done');
    expect((await user.run(['runs'])).out).toContain(run);
    expect((await user.run(['runs', 'log', run])).out.split('\n').length).toBeGreaterThan(6);
    expect(await user.run(['run', 'run-00000000'])).toMatchObject({ status: 3 });
  });

  test('count the steps of the plan, and the items of a loop apart', async () => {
    const user = await userWithTools();
    const each = { foreach: { from: '$steps.a.json', item_name: 'one' } };
    const run = await prepared(user, [step('a', 'list'), step('b', 'append', each)]);
    const ran = await user.run(['run', run]);
    expect(ran.out).toContain(`${run} succeeded (2 done; items: 3 done)\n`);
    expect((await user.run(['runs'])).out).toContain('  2 done; items: 3 done  ');
    const { runs } = (await user.run(['runs', '--json'])).json();
    expect(runs).toMatchObject([{ counts: { succeeded: 5 } }]);
    const kept = await user.run(['runs', 'prune']);
    expect(kept.out).toMatch(/^Removed 0, kept 1\. Only runs that are over, and have been for 30 days,/);
    expect((await user.run(['runs', 'prune', '--json'])).json()).toEqual({ removed: [], kept: 1 });
  });

  test('name the goal that is still to do after its run, and how it is completed', async () => {
    const user = await userWithTools();
    await user.run(['init', 'Write a note', '--no-decompose']);
    await user.run(['split', 'root', '--into', 'Write it', 'Print it']);
    writeJsonSync(join(user.folder, 'p.json'), { schema_version: '1.0', steps: [step('a')] });
    const { json } = await user.run(['prepare', 'p.json', '--goal', '2', '--json']);
    const run = String(json().run);
    const wrong = await user.run(['run', run, '--complete', 'nonsense']);
    expect(wrong).toMatchObject({ status: 4 });
    expect(wrong.error).toContain('nothing was run');
    expect(effectsOf(user)).toEqual([]);
    expect((await user.run(['run', run])).out).toBe(
      `${run} succeeded (1 done)\n  Ran: a\nStill to do:  2 Print it\nComplete it:  plan complete 2 --summary "…"\n`,
    );
    expect((await user.run(['run', run])).error).toContain('Nothing is left to run');
  });

  test('say to whom was not there what it was for and what failed, and fill no screen', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [
      step('a'),
      step('b', 'noise'),
      step('c', 'append', { depends_on: ['b'] }),
    ]);
    const said = await user.run(['run', run]);
    const shown = await user.run(['runs', 'show', run]);
    const log = await user.run(['runs', 'log', run]);
    expect(shown.out).toContain('To do:     Do it');
    expect(shown.out).toContain('– c (append): skipped; it needs b');
    expect(shown.out).toContain('Then this step acts a second time: a. If that must not be, take it out');
    for (const { out } of [said, shown, log]) {
      expect(out).toContain('xxx…');
      expect(out).not.toContain('\x1b');
      expect(out.length).toBeLessThan(2500);
    }
    const whole = JSON.stringify((await user.run(['runs', 'log', run, '--json'])).json());
    expect(whole).toContain('x'.repeat(1000));
  });

  test('say in the first line that a run which succeeded has left something out, and who had to agree', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [step('a', 'noise', { on_error: { strategy: 'skip' } }), step('b')]);
    expect((await user.run(['run', run])).status).toBe(0);
    const { out } = await user.run(['runs', 'show', run]);
    expect(out.split('\n')[0]).toBe(`${run} succeeded; 1 skipped, see below`);
    expect(out).toContain('– a (noise): skipped; it failed, and the plan goes on without it; ');
    expect(out).toContain('ended with status 1: ');
    expect(out).toContain('  Approved:  nobody had to agree\n');
  });

  test('what acts and is not waived waits for an approval', async () => {
    const user = await userWithTools();
    writeJsonSync(join(user.folder, 'p.json'), {
      schema_version: '1.0',
      goal: 'Do it',
      steps: [step('a', 'guarded')],
    });
    const { json } = await user.run(['prepare', 'p.json', '--json']);
    expect(json()).toMatchObject({ requires_approval: true, approval: { code: expect.any(String) } });
    const refused = await user.run(['run', String(json().run), '--json']);
    expect(refused).toMatchObject({ status: 4 });
    expect(refused.json()).toMatchObject({ error: { code: 'E_PLAN_APPROVAL_MISSING' } });
    expect(effectsOf(user)).toEqual([]);
  });

  test('a run that was killed during a call asks what became of it, and goes on when a person has said it', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [step('a'), step('b', 'slow'), step('c')]);
    const first = user.start(['run', run]);
    await until(() => effectsOf(user).includes('b'));
    first.process.kill('SIGKILL');
    await first.ended;
    const asked = await user.run(['run', run, '--json']);
    expect(asked).toMatchObject({ status: 8 });
    expect(asked.json()).toMatchObject({ status: 'waiting', waiting: [{ step: 'b', for: 'outcome' }] });
    const shown = await user.run(['runs', 'show', run]);
    expect(shown.out).toContain('Nobody knows whether these took effect');
    expect(shown.out).toContain(`plan runs settle ${run} b --as done`);
    expect(await user.run(['runs', 'settle', run, 'c', '--as', 'done'])).toMatchObject({ status: 4 });
    expect(await user.run(['runs', 'settle', run, 'b', '--as', 'done'])).toMatchObject({ status: 0 });
    expect(await user.run(['run', run])).toMatchObject({ status: 0 });
    expect(effectsOf(user)).toEqual(['a', 'b', 'c']);
  });

  test('Ctrl-C twice drops the call, and the run can be gone on with', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [step('a', 'slow'), step('b')]);
    const first = user.start(['run', run, '--json']);
    await until(() => effectsOf(user).includes('a'));
    first.process.kill('SIGINT');
    await sleep(300);
    expect(first.process.exitCode).toBeNull();
    first.process.kill('SIGINT');
    const ended = await first.ended;
    expect(ended).toMatchObject({ status: 130 });
    expect(ended.json()).toMatchObject({ status: 'interrupted' });
    expect(await user.run(['run', run])).toMatchObject({ status: 8 });
    expect(effectsOf(user)).toEqual(['a']);
  });

  test('a second executor is refused, and abort from another process ends the first', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [step('a', 'slow'), step('b')]);
    const first = user.start(['run', run, '--json']);
    await until(() => effectsOf(user).includes('a'));
    const second = await user.run(['run', run, '--json']);
    expect(second).toMatchObject({ status: 4 });
    expect(second.json()).toMatchObject({ error: { code: 'RUN_BUSY' } });
    const aborted = await user.run(['abort', run, '--reason', 'no', '--json']);
    expect(aborted).toMatchObject({ status: 0 });
    expect(aborted.json()).toMatchObject({ status: 'aborted', unknown: ['a'] });
    const ended = await first.ended;
    expect(ended).toMatchObject({ status: 1 });
    expect(ended.json()).toMatchObject({ status: 'aborted', reason: 'no' });
    expect(effectsOf(user)).toEqual(['a']);
  });

  test('the tools file is another one than it was: nothing runs', async () => {
    const user = await userWithTools();
    const run = await prepared(user, [step('a')]);
    const tools = join(user.folder, '.plans/tools.yaml');
    writeFileSync(tools, readFileSync(tools, 'utf8').replace('>> effects', '>> others'));
    expect((await user.run(['run', run, '--json'])).json()).toMatchObject({
      error: { code: 'E_TOOL_UNTRUSTED' },
    });
    await trustTools(user);
    const changed = await user.run(['run', run, '--json']);
    expect(changed).toMatchObject({ status: 4 });
    expect(changed.json()).toMatchObject({ error: { code: 'E_TOOL_CHANGED' } });
    expect(effectsOf(user)).toEqual([]);
  });
});
