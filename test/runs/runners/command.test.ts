import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { callCommand } from '../../../src/features/runs/runners/command.js';
import {
  ATTEMPT_VARIABLE,
  endOrphansOfAttempt,
} from '../../../src/features/runs/runners/programs/orphans.js';
import { markedByPs } from '../../../src/host/processes/marked-processes.js';
import { findSandbox } from '../../../src/features/runs/runners/sandbox/sandbox.js';
import { callWith, newWorkplace } from '../../support/workplace.js';

const node = (script: string, ...rest: readonly string[]) => [process.execPath, '-e', script, ...rest];
const sandboxes = (await findSandbox(process.env, '/nowhere')) !== null;

/** The processes that carry a mark, zombies left out. */
function alive(attempt: string): readonly string[] {
  const found = execFileSync('sh', [
    '-c',
    'grep -lazs "$0" /proc/[0-9]*/environ || true',
    `FRCTL_ATTEMPT=${attempt}`,
  ]);
  return found
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !path.includes(`/${process.pid}/`))
    .filter(
      (path) =>
        !/\) [ZX] /.test(existsSync(path) ? readFileSync(path.replace('environ', 'stat'), 'utf8') : ') Z '),
    );
}

describe('a command', () => {
  test('gets each argument as it is, whatever a shell would make of it', async () => {
    const hostile = '$(touch pwned) `id` "; rm -rf x\n* \u202e';
    const place = newWorkplace();
    const command = node(
      'process.stdout.write(JSON.stringify(process.argv.slice(1)))',
      '--',
      'a ${text} b',
      '${text}',
    );
    const outcome = await callCommand({ command, output: 'json' }, callWith({ text: hostile }), place);
    expect(outcome).toMatchObject({
      outcome: 'succeeded',
      output: { json: [`a ${hostile} b`, hostile], exit: 0 },
    });
    expect(existsSync(join(place.root, 'pwned'))).toBe(false);
  });

  test.each([
    ['an option', '-o/tmp/x', 'option'],
    ['a NUL', 'a\0b', 'NUL'],
  ])('is not started with %s for a value', async (_what, value, named) => {
    const place = newWorkplace();
    const outcome = await callCommand({ command: ['touch', '${name}'] }, callWith({ name: value }), place);
    expect(outcome).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(named), retryable: false },
    });
  });

  test('may be given what begins with - behind --, and a - that the binding says itself', async () => {
    const place = newWorkplace();
    const call = callWith({ name: '-n', size: '-5' });
    expect(await callCommand({ command: ['printf', '%s', '--', '${name}'] }, call, place)).toMatchObject({
      outcome: 'succeeded',
    });
    const seq = await callCommand({ command: ['echo', '-${size}'] }, callWith({ size: 5 }), place);
    expect(seq).toMatchObject({ output: { text: '-5\n' } });
    expect(
      await callCommand({ command: ['echo', '${empty}${size}'] }, callWith({ empty: '', size: '-x' }), place),
    ).toMatchObject({ outcome: 'not_sent' });
  });

  test('of a shell gets arguments as its own, never as a program', async () => {
    const place = newWorkplace();
    const binding = { shell: true, command: ['echo "got $1" | tr a-z A-Z; echo "${HOME}"', '${text}'] };
    const outcome = await callCommand(binding, callWith({ text: '$(touch pwned); x' }), place);
    expect(outcome).toMatchObject({ output: { text: `GOT $(TOUCH PWNED); X\n${place.root}\n` } });
    expect(existsSync(join(place.root, 'pwned'))).toBe(false);
  });

  test('has the variables of everybody, those that are listed, and its key; nothing on standard input', async () => {
    const place = newWorkplace({ LANG: 'C', OTHER: 'other', LISTED: 'listed-value', SECRET: 'a-secret' });
    const script =
      'process.stdin.on("data", () => 0).on("end", () => console.log(Object.keys(process.env).sort().join(" ")))';
    const outcome = await callCommand({ command: node(script), env: ['LISTED'] }, callWith({}), place);
    expect(outcome).toMatchObject({
      output: { text: 'FRCTL_ATTEMPT FRCTL_STEP_KEY HOME LANG LISTED PATH\n' },
    });
  });

  test('that ends with another status has failed, and says what it said', async () => {
    const outcome = await callCommand(
      { command: ['sh', '-c', 'echo out; echo why >&2; exit 3'] },
      callWith({}),
      newWorkplace(),
    );
    expect(outcome).toMatchObject({
      outcome: 'failed',
      exit: 3,
      output: { text: 'out\n' },
      error: { code: 'EXIT_STATUS', message: 'sh ended with status 3: why' },
    });
    expect(
      await callCommand({ command: ['sh', '-c', 'exit 3'], ok: [0, 3] }, callWith({}), newWorkplace()),
    ).toMatchObject({ outcome: 'succeeded', exit: 3 });
  });

  test('that is not there, or has no folder, was not sent', async () => {
    expect(await callCommand({ command: ['no-such-program'] }, callWith({}), newWorkplace())).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'NOT_STARTED' },
    });
    expect(
      await callCommand({ command: ['true'], folder: 'nowhere' }, callWith({}), newWorkplace()),
    ).toMatchObject({ outcome: 'not_sent' });
    expect(
      await callCommand({ command: ['true'], folder: '../..' }, callWith({}), newWorkplace()),
    ).toMatchObject({ outcome: 'not_sent' });
  });

  test('that is killed leaves nobody knowing what it did', async () => {
    expect(
      await callCommand({ command: ['sh', '-c', 'kill -9 $$'] }, callWith({}), newWorkplace()),
    ).toMatchObject({ outcome: 'lost' });
  });

  test('that prints 100 MB keeps 1 MB, and is not held up', async () => {
    const outcome = await callCommand(
      { command: ['head', '-c', '100000000', '/dev/zero'] },
      callWith({}, { timeoutMs: 60_000 }),
      newWorkplace(),
    );
    expect(outcome).toMatchObject({ outcome: 'succeeded', output: { truncated: true } });
    expect(JSON.stringify(outcome).length).toBeLessThan(7_000_000);
  });

  test('with a grandchild that keeps the pipe ends with its own exit, and the grandchild with it', async () => {
    const call = callWith({});
    const outcome = await callCommand(
      { command: ['sh', '-c', 'sleep 600 & echo done'] },
      call,
      newWorkplace(),
    );
    expect(outcome).toMatchObject({ outcome: 'succeeded', output: { text: 'done\n' } });
    expect(alive(call.attempt)).toEqual([]);
  });

  test('that takes too long is ended with all that it started, though all of them ignore it', async () => {
    const call = callWith({}, { timeoutMs: 300 });
    const script = "trap '' TERM; (trap '' TERM; sleep 600; sleep 600) & while :; do sleep 600; done";
    expect(await callCommand({ command: ['sh', '-c', script] }, call, newWorkplace())).toMatchObject({
      outcome: 'timed_out',
      error: { code: 'TIMEOUT' },
    });
    expect(alive(call.attempt)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'cannot leave a daemon behind in a session of its own',
    async () => {
      const call = callWith({});
      await callCommand(
        { command: ['sh', '-c', 'setsid sleep 600 >/dev/null 2>&1 & echo $!'] },
        call,
        newWorkplace(),
      );
      expect(alive(call.attempt)).toEqual([]);
    },
  );

  test('that is dropped is ended, and nobody knows what it did', async () => {
    const stop = new AbortController();
    const call = callWith({}, { signal: stop.signal });
    const ended = callCommand({ command: ['sleep', '600'] }, call, newWorkplace());
    await wait(100);
    stop.abort();
    expect(await ended).toMatchObject({ outcome: 'lost', error: { code: 'CANCELLED' } });
    expect(alive(call.attempt)).toEqual([]);
  });

  test('tells no secret: not in its output, not in its error, in no encoding', async () => {
    const secret = 's3cret/"va lue"+ü';
    const place = newWorkplace({ TOKEN: secret, LISTED: 'listed-secret' });
    const script = `const { T, LISTED } = process.env; const all = [T, JSON.stringify(T), encodeURIComponent(T), Buffer.from(T).toString('base64'), Buffer.from(T).toString('hex'), LISTED].join(' ');
      console.log(all); console.error(all); process.exit(process.argv[1] === T ? 1 : 9)`;
    const binding = {
      command: node(script, '--', '${env:TOKEN}'),
      env: { T: '${env:TOKEN}', LISTED: '${env:LISTED}' },
    };
    const outcome = JSON.stringify(await callCommand(binding, callWith({}), place));
    expect(outcome).toContain('[secret]');
    for (const form of ['s3cret', 'czNjcmV0', '7333637265', 'listed-secret'])
      expect(outcome).not.toContain(form);
    const cut = {
      command: ['sh', '-c', 'head -c 1048570 /dev/zero | tr "\\0" "x"; printf "%s" "$T"'],
      env: { T: '${env:TOKEN}' },
    };
    expect(JSON.stringify(await callCommand(cut, callWith({}), place))).not.toContain('s3c');
  });
});

describe.runIf(process.platform === 'linux')('an orphan', () => {
  test('is found by its mark and ended, and nobody else is', async () => {
    const [ours, others] = [callWith({}), callWith({})];
    const stop = new AbortController();
    const run = (call: typeof ours) =>
      callCommand(
        { command: ['sh', '-c', "trap '' TERM; setsid sleep 600 & sleep 600; sleep 600"] },
        { ...call, signal: stop.signal },
        newWorkplace(),
      );
    const both = [run(ours), run(others)];
    while (alive(ours.attempt).length < 3 || alive(others.attempt).length < 3) await wait(20);
    // Where there is no /proc, `ps` shows the same.
    const byPs = (await markedByPs({ variable: ATTEMPT_VARIABLE, prefix: 'run-' })).filter(
      ({ mark }) => mark === ours.attempt,
    );
    const paths = byPs.map(({ pid }) => `/proc/${pid}/environ`);
    expect(paths.toSorted()).toEqual(alive(ours.attempt).toSorted());
    expect(await endOrphansOfAttempt(ours.attempt, 100)).toBe(3);
    expect([alive(ours.attempt).length, alive(others.attempt).length]).toEqual([0, 3]);
    stop.abort();
    await Promise.all(both);
    expect(alive(others.attempt)).toEqual([]);
  });
});

describe.runIf(sandboxes)('a command in a sandbox (needs bubblewrap)', () => {
  test('writes the workspace, but neither the store nor the system, and has no network', async () => {
    const place = newWorkplace();
    writeFileSync(join(place.root, '.plans', 'kept'), 'kept');
    const script =
      'echo a > in; echo b > .plans/kept; echo c > /usr/x; echo d > /etc/x; ls /sys/class/net /home /root 2>&1; cat /proc/net/dev | wc -l';
    const outcome = await callCommand(
      { command: ['sh', '-c', `${script}; true`], sandbox: 'workspace' },
      callWith({}),
      place,
    );
    expect(outcome).toMatchObject({ outcome: 'succeeded' });
    expect(readFileSync(join(place.root, 'in'), 'utf8')).toBe('a\n');
    expect(readFileSync(join(place.root, '.plans', 'kept'), 'utf8')).toBe('kept');
    expect(existsSync('/usr/x') || existsSync('/etc/x')).toBe(false);
    expect(JSON.stringify(outcome)).toMatch(/3\\n/);
  });

  test('that may only read cannot write the workspace; the file’s own sandbox is the least', async () => {
    const place = { ...newWorkplace(), sandbox: 'read-only' as const };
    const outcome = await callCommand(
      { command: ['sh', '-c', 'echo a > in'], sandbox: 'workspace' },
      callWith({}),
      place,
    );
    expect(outcome).toMatchObject({ outcome: 'failed' });
    expect(existsSync(join(place.root, 'in'))).toBe(false);
  });

  test('cannot read what is hidden from it', async () => {
    const place = newWorkplace();
    writeFileSync(join(place.root, '.plans', 'key'), 'private');
    const hidden = { ...place, hidden: [join(place.root, '.plans')] };
    const outcome = await callCommand(
      { command: ['cat', '.plans/key'], sandbox: 'workspace' },
      callWith({}),
      hidden,
    );
    expect(outcome).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(outcome)).not.toContain('private');
    // Not even where the binding lists a folder around it.
    const binding = {
      command: ['cat', join(place.root, '.plans/key')],
      sandbox: 'workspace' as const,
      read: [place.root],
    };
    const elsewhere = { ...newWorkplace(), hidden: hidden.hidden };
    expect(JSON.stringify(await callCommand(binding, callWith({}), elsewhere))).not.toContain('private');
  });

  test('takes its daemons and a fork bomb with it when its time is up', async () => {
    // Bounded in depth, so that it ends by itself wherever the sandbox does not hold it.
    const bomb =
      'b() { [ "$1" -gt 6 ] && exec sleep 600; b $(($1+1)) & b $(($1+1)) & wait; }; setsid sleep 600 & b 0';
    const call = callWith({}, { timeoutMs: 1500 });
    const outcome = await callCommand(
      { command: ['sh', '-c', bomb], sandbox: 'workspace' },
      call,
      newWorkplace(),
    );
    expect(outcome).toMatchObject({ outcome: 'timed_out' });
    expect(alive(call.attempt)).toEqual([]);
  });
});

test('a sandbox that is demanded and not there is refused; else the command runs without', async () => {
  const place = { ...newWorkplace(), variables: { PATH: '/nowhere' } };
  const binding = { command: ['/bin/true'], sandbox: 'workspace' as const };
  expect(await callCommand(binding, callWith({}), { ...place, requireSandbox: true })).toMatchObject({
    outcome: 'not_sent',
    error: { code: 'E_SANDBOX_MISSING' },
  });
  expect(await callCommand(binding, callWith({}), place)).toMatchObject({ outcome: 'succeeded' });
});
