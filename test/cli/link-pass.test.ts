import { expect, onTestFinished, test } from 'vitest';

import { newUser, summaryOf } from '../support/command.js';
import { expansionOf, startModelServer, uniformTree } from '../support/model-server.js';
import type { SeenRequest } from '../support/model-server.js';

const TREE = uniformTree(1, 3);
const isLink = ({ system }: SeenRequest) => system.startsWith('You set the order of work');
const ANSWER = {
  needs: { '1': [], '2': [], '3': ['1'] },
  missing: [{ what: 'A domain', used_by: ['1', '3'] }],
};

async function newPlace(
  onLink: (count: number) => Promise<unknown> = async () => undefined,
  answer: unknown = ANSWER,
) {
  let asked = 0;
  const server = await startModelServer({
    respond: (request) =>
      isLink(request)
        ? answer
        : expansionOf(request.goal === TREE.description ? TREE : { description: request.goal, atomic: true }),
    until: async (request) => (isLink(request) ? onLink((asked += 1)) : undefined),
  });
  onTestFinished(() => server.close());
  const environment = { OPENAI_BASE_URL: server.baseUrl, FRCTL_LINK: 'true' };
  return { server, environment, user: newUser(), asked: () => asked };
}

test('the command for what no goal makes adds it, whatever its words are', async () => {
  const words = ['--plan evil', '-h', "--dir=/tmp it's"];
  const missing = words.map((what) => ({ what, used_by: ['1'] }));
  const { user, environment } = await newPlace(undefined, { ...ANSWER, missing });
  const ended = await user.run(['init', TREE.description], environment);
  const commands = [...ended.error.matchAll(/`(plan add .*)`/g)].map(([, command = '']) => command);
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    // As a shell reads what is quoted.
    const [, ...options] = command.replace(/ -- .*$/, '').split(' ');
    const word = / -- (.*)$/.exec(command)?.[1] ?? '';
    const read = word.replace(/^'(.*)'$/, '$1').replaceAll(`'\\''`, "'");
    expect((await user.run([...options, '--', read])).status).toBe(0);
  }
  const tree = (await user.run(['tree'])).out;
  for (const what of words) expect(tree).toContain(what);
});

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('init ends with what comparing the leaves changed and what no goal makes; status and show tell it too', async () => {
  const { user, environment, asked } = await newPlace();
  const ended = await user.run(['init', TREE.description], environment);
  expect(ended.status).toBe(0);
  expect(ended.error).toContain('All leaves compared 1 need added · 0 wide waits replaced · longest chain');
  expect(ended.error).toContain('No goal makes');
  expect(ended.error).toMatch(/- A domain \(used by 1, 3\)\n {4}`plan add --plan \w+ -- 'A domain'`/);
  expect(ended.error).toMatch(/\d findings? \(`plan check` shows all, with what to do\)/);
  expect(ended.error).not.toContain('MISSING_RESULT');
  expect((await user.run(['status'])).out).toContain('A domain (used by 1, 3)');
  expect((await user.run(['show', '3'])).out).toContain('Uses what no goal makes');
  expect((await user.run(['show', '2'])).out).not.toContain('A domain');
  expect(asked()).toBe(1);
  const without = await newPlace();
  await without.user.run(['init', TREE.description, '--no-link'], without.environment);
  expect(without.asked()).toBe(0);
});

test('a kill while the question is asked costs that call; a kill afterwards costs none', async () => {
  const never = new Promise(() => undefined);
  const { user, environment, server, asked } = await newPlace(async (count) =>
    count === 1 ? never : undefined,
  );
  const running = user.start(['init', TREE.description], environment);
  await until(() => asked() === 1);
  running.process.kill('SIGKILL');
  await running.ended;
  const resumed = await user.run(['resume', '--json'], environment);
  expect(resumed.status).toBe(0);
  expect(summaryOf(resumed.json())).toMatchObject({ status: 'complete', pending_goals: 0 });
  // One to divide the root, and the question twice.
  expect([server.count, asked()]).toEqual([3, 2]);
  await user.run(['resume', '--json'], environment);
  expect(server.count).toBe(3);
});

test('a plan that is paused while the question is asked goes on with it', async () => {
  let go = () => undefined as void;
  const { user, environment, asked } = await newPlace(async (count) =>
    count === 1 ? new Promise<void>((resolve) => (go = resolve)) : undefined,
  );
  const running = user.start(['init', TREE.description, '--json'], environment);
  await until(() => asked() === 1);
  expect((await user.run(['pause'])).status).toBe(0);
  running.process.kill('SIGINT');
  running.process.kill('SIGINT');
  go();
  await running.ended;
  const status = summaryOf((await user.run(['status', '--json'])).json());
  if (status.status === 'paused') await user.run(['resume'], environment);
  expect(summaryOf((await user.run(['status', '--json'])).json())).toMatchObject({
    status: 'complete',
    paused_because: null,
  });
  expect((await user.run(['status', '--json'])).out).toContain('A domain');
});
