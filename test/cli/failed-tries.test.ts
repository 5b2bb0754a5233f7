import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { errorOf, newUser, summaryOf } from '../support/command.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { temporaryFolder } from '../support/folders.js';

const tree = uniformTree(2, 2, 'Ship it');

test('a try that no model answered leaves nothing in the list, and can be resumed by its id', async () => {
  let broken = true;
  const server = await startModelServer({
    tree,
    faults: () => (broken ? { kind: 'status', status: 401, body: { error: { message: 'No.' } } } : undefined),
  });
  onTestFinished(() => server.close());
  const environment = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-test' };
  const user = newUser();
  const listed = async () => {
    const { plans } = (await user.run(['list', '--json'])).json() as { plans: readonly { id: string }[] };
    return plans.map(({ id }) => id);
  };
  const tried = await user.run(['init', tree.description], environment);
  const id = /`plan resume ([0-9a-f]{8})` restores it/.exec(tried.error)?.[1] ?? '';
  expect([tried.status, await listed()]).toEqual([5, []]);

  // Once more in vain: it is put away again.
  const again = await user.run(['resume', id], environment);
  expect([again.status, await listed()]).toEqual([5, []]);
  expect(again.error).toContain(`plan ${id} is archived`);

  broken = false;
  const ended = await user.run(['resume', id, '--json'], environment);
  expect(ended.status).toBe(0);
  expect(summaryOf(ended.json())).toMatchObject({ id, status: 'complete', total_goals: 7 });
  expect(await listed()).toEqual([id]);
});

test('whoever is told to go on is told with which plan', async () => {
  const bin = temporaryFolder();
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const { status, error } = await newUser().run(['init', 'Build a shed', '--model', 'exec:claude'], {
    PATH: `${bin}:/usr/bin:/bin`,
  });
  expect(status).toBe(5);
  expect(error).toMatch(/by hand .{0,80}`plan resume [0-9a-f]{8}` goes on/);
  expect(error).not.toContain('`plan resume`');
});

test('a plan that a user archived himself is not resumed without a word', async () => {
  const user = newUser();
  const { id } = summaryOf((await user.run(['init', 'Build a shed', '--json'])).json());
  await user.run(['archive', id]);
  const ended = await user.run(['resume', id, '--json']);
  expect(errorOf(ended.json())).toMatchObject({ code: 'WRONG_STATE', message: `plan ${id} is archived` });
});

test('with no model configured, an agent that is installed is offered', async () => {
  const bin = temporaryFolder();
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
  const user = newUser();
  const PATH = `${bin}:/usr/bin:/bin`;
  expect((await user.run(['init', 'Build a shed'], { PATH })).error).toContain(
    'codex is installed: --model exec:codex',
  );
  expect((await user.run(['init', 'Build a boat'], { PATH: '/usr/bin:/bin' })).error).toContain(
    'Set OPENAI_API_KEY',
  );
});
