import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newAgentsPlace } from '../support/agents.js';
import type { AgentsPlace } from '../support/agents.js';

const CHECKED = { checks: ['ok'] };

/** A place whose agent waits for a file when it has written one. */
async function waitingPlace(): Promise<
  AgentsPlace & { readonly meanwhile: (change: () => Promise<unknown>) => Promise<void> }
> {
  const place = await newAgentsPlace('');
  const [begun, go] = [join(place.home, 'begun'), join(place.home, 'go')];
  const script = `grep -q 'b.txt' > "${begun}.words" && echo b > b.txt || echo a > a.txt\ntouch ${begun}\nwhile [ ! -e ${go} ]; do sleep 0.1; done`;
  writeFileSync(join(place.home, 'agent.sh'), `#!/bin/sh\n${script}\n`);
  await place.workspace.edit('1', CHECKED);
  return {
    ...place,
    async meanwhile(change) {
      const working = place.start(['work', '--tries', '1'], place.variables);
      await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true);
      await change();
      writeFileSync(go, '');
      await working.ended;
    },
  };
}

test('a goal that is reworded while an agent works is done as it reads now', async () => {
  const { workspace, git, meanwhile } = await waitingPlace();
  await meanwhile(async () => workspace.edit('1', { description: 'Write b.txt' }));
  expect((await workspace.show('1')).goal.status).toBe('complete');
  expect(git('show', '--format=', '--name-only', 'main').trim()).toBe('b.txt');
  expect(git('for-each-ref', 'refs/frctl/kept')).toContain('refs/frctl/kept/0398a958-a/');
});

test.each([
  ['its words', { description: 'Something else' }],
  ['when it is done', { acceptance: ['b.txt is there'] }],
])('what waits of a goal is not accepted once the goal was changed: %s', async (_, change) => {
  const { workspace } = await newAgentsPlace('echo a > a.txt');
  await workspace.edit('1', CHECKED);
  await workspace.work({ review: 'each' });
  const { attempts } = await workspace.attempts.list();
  const commit = attempts[0]?.commit ?? '';
  await workspace.edit('1', { priority: 'high' });
  await workspace.edit('1', change);
  await expect(workspace.attempts.accept('1', { commit })).rejects.toMatchObject({
    code: 'REFUSED',
    message: expect.stringContaining('was changed'),
  });
});

test('what has landed while a goal above was put on hold is completed once the hold ends', async () => {
  const { workspace, git, meanwhile } = await waitingPlace();
  await meanwhile(async () => workspace.hold('root', { reason: 'wait' }));
  expect((await workspace.show('1')).goal.status).toBe('atomic');
  await workspace.unhold('root');
  await workspace.work();
  expect((await workspace.show('1')).goal.status).toBe('complete');
  expect(git('log', '--format=%s', 'main').trim().split('\n')).toHaveLength(2);
});

test('work whose claim is over says under which name it is kept', async () => {
  const { workspace, git, meanwhile } = await waitingPlace();
  await meanwhile(async () => workspace.hold('1', { reason: 'wait' }));
  const events = await workspace.log({ goal: '1' });
  const ref = git('for-each-ref', '--format=%(refname)', 'refs/frctl/kept').trim();
  expect(ref).not.toBe('');
  expect(JSON.stringify(events)).toContain(ref);
});

test.each([
  [
    'on hold',
    async ({ workspace }: AgentsPlace) => workspace.hold('1', { reason: 'r' }),
    /on hold/,
    'plan unhold',
  ],
  [
    'waiting',
    async ({ workspace }: AgentsPlace) => workspace.depend('1', { on: ['2'] }),
    /wait|before/,
    'plan next',
  ],
  [
    'claimed',
    async ({ workspace }: AgentsPlace) => workspace.claim('1', { by: 'bob' }),
    /bob/,
    'plan release',
  ],
])('what keeps a goal from being accepted is told: %s', async (_, change, message, cure) => {
  const place = await newAgentsPlace('echo a > a.txt', ['a', 'b']);
  await place.workspace.edit('1', CHECKED);
  await place.workspace.work({ review: 'each', goals: ['1'] });
  const { attempts } = await place.workspace.attempts.list();
  await change(place);
  const accepting = place.workspace.attempts.accept('1', { commit: attempts[0]?.commit ?? '' });
  await expect(accepting).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringMatching(message) });
  const refused: unknown = await place.workspace.attempts
    .accept('1', { commit: attempts[0]?.commit ?? '' })
    .catch((thrown: unknown) => thrown);
  expect(JSON.stringify((refused as { hint?: unknown }).hint)).toContain(cure);
});

test.each([
  ['its status', 'exit 3', {}],
  ['time', 'sleep 30', { timeout: '1s' }],
])('what a try made that fails by %s is kept', async (_, end, options) => {
  const { workspace, git } = await newAgentsPlace(`echo a > a.txt; ${end}`);
  await workspace.edit('1', CHECKED);
  await workspace.work({ tries: 1, ...options });
  const kept = git('for-each-ref', '--format=%(refname)', 'refs/frctl/kept').trim();
  expect(git('show', '--format=', '--name-only', kept).trim()).toBe('a.txt');
});

test('marks of a conflict fail a try, whoever made them; those that were there do not', async () => {
  const conflict = (name: string) =>
    `printf '<<<<<<< ${name}\\na\\n=======\\nb\\n>>>>>>> ${name}\\n' >> told.md;`;
  const place = await newAgentsPlace(`${conflict('HEAD')} echo a > a.txt`);
  place.shell(`${conflict('ours')} git add -A; git commit -qm Told`);
  await place.workspace.edit('1', CHECKED);
  const { goals } = await place.workspace.work({ tries: 1 });
  expect(goals?.[0]).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('told.md holds conflict'),
  });
  writeFileSync(join(place.home, 'agent.sh'), '#!/bin/sh\ncat > /dev/null; echo more >> told.md\n');
  await place.workspace.reopen('1');
  await place.workspace.work({ tries: 1 });
  expect(readFileSync(join(place.folder, 'told.md'), 'utf8')).toContain('>>>>>>> ours\nmore');
});

test('checks that a goal is given while its work waits are run before that lands', async () => {
  const { workspace, git } = await newAgentsPlace('echo a > broken.txt');
  await workspace.work();
  const { attempts } = await workspace.attempts.list();
  await workspace.edit('1', CHECKED);
  expect(await workspace.attempts.accept('1', { commit: attempts[0]?.commit ?? '' })).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('the check ok failed'),
  });
  expect(git('log', '--format=%s', 'main').trim()).toBe('Base');
});
