import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { startWire, toolCall } from '../support/mcp-wire.js';

const MEGABYTE = 1024 * 1024;

/** A plan of two goals that can be done one after the other, in the user's folder. */
async function newPlan(user: User) {
  const environment = { workingFolder: user.folder, homeFolder: user.home, variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.init({ goal: 'Bake bread', expander: 'agent' }).result;
  const sub_goals = ['Buy flour', 'Knead'].map((description) => ({ description, atomic: true }));
  await workspace.answer({ answers: [{ goal: 'root', atomic: false, sub_goals }] });
  return {
    workspace,
    claims: async () => (await workspace.status({})).claimed.length,
    events: async () => (await workspace.log({})).map(({ type, by }) => `${type} ${by}`),
  };
}

test('the last message is answered when the input ends without a line feed', async () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' });
  for (const [input, answer] of [
    [message, { id: 'last', result: {} }],
    [`${message}\n{"jsonrpc"`, { id: null, error: { code: -32_700 } }],
  ] as const) {
    const { status, out } = await newUser().run(['mcp'], {}, input);
    expect(status).toBe(0);
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject(answer);
  }
});

test('what is no message is answered, and what comes after it counts', async () => {
  const wire = await startWire(newUser());
  wire.write('this is no JSON\n');
  wire.write('{"jsonrpc":"2.0","id":5,\n');
  wire.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
  wire.write('\uFEFF{"jsonrpc":"2.0","id":6,"method":"ping"}\n');
  wire.write('[]\n[{"jsonrpc":"2.0","id":6,"method":"ping"}]\n7\nnull\n"x"\n');
  wire.write('{"jsonrpc":"1.0","id":7,"method":"ping"}\n');
  wire.write('{"jsonrpc":"2.0","id":"eight","method":9}\n');
  wire.write('{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n');
  wire.write('{"jsonrpc":"2.0","id":10,"method":"tools/call","params":7}\n');
  wire.write(`${'['.repeat(100_000)}\n`);
  wire.write('\n   \r\n');
  wire.send({ id: 'last', method: 'ping' });
  await wire.answerTo('last');
  const told = wire
    .messages()
    .flatMap(({ id, error }) => (error === undefined ? [] : [[id, error.code] as const]));
  expect(told).toEqual([
    [null, -32_700],
    [null, -32_700],
    [null, -32_700],
    [null, -32_700],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [null, -32_600],
    [7, -32_600],
    ['eight', -32_600],
    [null, -32_600],
    [10, -32_600],
    [null, -32_700],
  ]);
  expect(await wire.end()).toBe(0);
});

test('a line without an end, or too long, is refused under its id, holds no memory, and ends nothing', async () => {
  const wire = await startWire(newUser());
  const filler = 'x'.repeat(MEGABYTE);
  const long = (before: string, after: string) => {
    wire.write(before);
    for (let count = 0; count < 70; count += 1) wire.write(filler);
    wire.write(after);
  };
  // As the official clients write a request, with its id first or last.
  long(
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"plan_start","arguments":{"goal":"',
    '"}}}\n',
  );
  long(
    '{"method":"tools/call","params":{"name":"plan_start","arguments":{"id":9,"goal":"',
    '"}},"jsonrpc":"2.0","id":"four"}\n',
  );
  long('{"method":"tools/call","params":{"arguments":{"goal":"', '","id":9}},"jsonrpc":"2.0"}\n');
  const refused = { code: -32_600, message: expect.stringContaining('16777216 bytes') as unknown };
  expect((await wire.answerTo(3)).error).toEqual(refused);
  expect((await wire.answerTo('four')).error).toEqual(refused);
  // What the server is asked for next, it does; of the third line it cannot tell whose it was.
  wire.send(toolCall('ok', 'plan_start', { goal: 'Bake bread', planner: 'rules' }));
  expect((await wire.answerTo('ok')).result?.isError).toBeUndefined();
  expect(wire.messages().filter(({ id, error }) => id === null && error !== undefined)).toHaveLength(1);
  long('{"jsonrpc":"2.0"', '');
  expect(await wire.end()).toBe(0);
});

test('arguments that are nested without end, or name what objects have, are answered', async () => {
  const wire = await startWire(newUser());
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  wire.write(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan_answer","arguments":{"answers":${deep}}}}\n`,
  );
  wire.write(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plan_start","arguments":{"goal":"x","__proto__":{"planner":"rules"}}}}\n',
  );
  wire.write(
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"plan_start","arguments":{"goal":"x","constructor":7}}}\n',
  );
  wire.write('{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}\n');
  const said = JSON.stringify(await wire.answerTo(1));
  expect(said).toContain('INVALID_INPUT');
  expect(said).toContain('nested');
  // What an agent plans has a question; what rules plan has none.
  expect((await wire.answerTo(2)).result).toMatchObject({ structuredContent: { left: 1 } });
  expect((await wire.answerTo(3)).error?.code).toBe(-32_602);
  expect(JSON.stringify(await wire.answerTo(4))).toContain('there is no');
  expect(await wire.end()).toBe(0);
});

test('a goal_take that is cancelled, or whose host is gone, leaves no claim', async () => {
  const user = newUser();
  const { claims, events } = await newPlan(user);
  const wire = await startWire(user);
  const cancel = (requestId: string) =>
    wire.send({ method: 'notifications/cancelled', params: { requestId } });
  wire.send(toolCall('early', 'goal_take', { by: 'ana' }));
  cancel('early');
  // Later and later ones, so that each step of it is met.
  for (let after = 0; after < 40; after += 2) {
    const id = `late-${after}`;
    wire.send(toolCall(id, 'goal_take', { by: 'ana' }));
    await new Promise((done) => setTimeout(done, after));
    cancel(id);
    wire.send({ id: `ping-${after}`, method: 'ping' });
    await wire.answerTo(`ping-${after}`);
    const text = wire.messages().find((message) => message.id === id)?.result?.content?.[0]?.text ?? '';
    const [, goal, token] = /^goal: (\S+)\ntoken: (\S+)/.exec(text) ?? [];
    // One that was answered before is the host's own.
    if (token === undefined || goal === undefined) continue;
    wire.send(toolCall(`back-${after}`, 'goal_done', { goal, token, outcome: 'release' }));
    await wire.answerTo(`back-${after}`);
  }
  wire.send(toolCall('gone', 'goal_take', { by: 'ana' }));
  expect(await wire.end()).toBe(0);
  expect(await claims()).toBe(0);
  // What was taken was given back by whoever took it.
  expect(await events()).toContain('claim_released ana');
});

test('refusals name goals by their numbers, and ways on that a host without a shell can go', async () => {
  const user = newUser();
  await newPlan(user);
  const wire = await startWire(user);
  let calls = 0;
  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const id = `call-${(calls += 1)}`;
    wire.send(toolCall(id, name, args));
    return (await wire.answerTo(id)).result?.content?.[0]?.text ?? '';
  };
  const [, goal = '', token = ''] =
    /^goal: (\S+)\ntoken: (\S+)/.exec(await call('goal_take', { goal: '2', by: 'ana' })) ?? [];
  const said = [
    await call('goal_done', { goal: '2', token: 'wrong', outcome: 'complete' }),
    await call('goal_take', { goal: '9' }),
    await call('plan_edit', { changes: [{ op: 'remove', goal: '2' }] }),
    await call('goal_done', { goal, token, outcome: 'failed', summary: 'No flour' }),
    await call('goal_done', { goal, token, outcome: 'complete' }),
    await call('plan_edit', { changes: [{ op: 'depend', goal: '2', on: ['1'] }] }),
    await call('plan_edit', { changes: [{ op: 'depend', goal: '1', on: ['2'] }] }),
  ].join('\n');
  expect(said).toContain('goal_take without goal finds another');
  expect(said).toContain('plan_edit with op reopen and goal 2');
  expect(said).toContain('plan_edit with op depend, goal 2 and off [1]');
  expect(said).not.toMatch(/`plan |--[a-z]/);
});

test('what the store warns of is told on standard error, once', async () => {
  const user = newUser();
  await newPlan(user);
  // The index cannot be written any more: a folder stands in its place.
  const index = join(user.folder, '.plans', 'index.json');
  rmSync(index);
  mkdirSync(join(index, 'x'), { recursive: true });
  const wire = await startWire(user);
  for (const [id, by] of Object.entries(['ana', 'bo'])) {
    wire.send(toolCall(id, 'goal_take', { by }));
    expect((await wire.answerTo(id)).result?.isError).toBeUndefined();
  }
  const warnings = () => wire.error().match(/^frctl mcp: .*index\.json/gm);
  await expect.poll(warnings).toHaveLength(1);
  expect(await wire.end()).toBe(0);
  expect(warnings()).toHaveLength(1);
});

test('a host that takes no answers for a while gets them all, and no warning of Node', async () => {
  const { folder, home } = newUser();
  const child = spawn(process.execPath, [resolve('dist/cli/plan.js'), 'mcp'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: `${home}/.config` },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const error = text(child.stderr);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({ id: 0, method: 'initialize', params });
  say({ method: 'notifications/initialized' });
  for (let id = 1; id <= 60; id += 1) say({ id, method: 'tools/list' });
  // More than any pipe takes waits by then.
  await wait(2000);
  child.stdin.end();
  expect((await text(child.stdout)).trim().split('\n')).toHaveLength(61);
  expect(await error).toBe('');
});
