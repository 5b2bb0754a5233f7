import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { scale } from '../faults/support/scale.js';
import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const run = promisify(execFile);
const INSPECTOR = resolve('node_modules/@modelcontextprotocol/inspector-cli/build/index.js');

const answerSchema = z.looseObject({
  content: z.array(z.looseObject({ text: z.string() })),
  isError: z.boolean().optional(),
});

/** What the inspector's command line prints for a method. */
async function inspect(user: User, method: string, args: readonly string[] = []): Promise<unknown> {
  const server = [process.execPath, resolve('dist/cli/plan.js'), 'mcp'];
  const { stdout } = await run(process.execPath, [INSPECTOR, ...server, '--method', method, ...args], {
    cwd: user.folder,
    env: { PATH: process.env.PATH ?? '', HOME: user.home, XDG_CONFIG_HOME: `${user.home}/.config` },
  });
  return JSON.parse(stdout);
}

/** The text that a tool answers with, called as the inspector does: a value each, lists as JSON. */
async function call(
  user: User,
  tool: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const values = Object.entries(input).flatMap(([name, value]) => [
    '--tool-arg',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);
  const answer = answerSchema.parse(await inspect(user, 'tools/call', ['--tool-name', tool, ...values]));
  expect([tool, answer.isError ?? false, answer.content[0]?.text]).toEqual([tool, false, expect.anything()]);
  return answer.content[0]?.text ?? '';
}

/** A call is two processes; three of them take texts and lists, and answer with documents and with text alone. */
const CALLS_ALL = scale(true, false);

test('the inspector’s command line lists every tool, and calls them (within `npm test` three)', async () => {
  const folder = temporaryFolder();
  // It looks there for its own package.json, and takes the one beside it where there is any.
  writeFileSync(join(folder, 'package.json'), '{}');
  mkdirSync(join(folder, 'project'));
  const user = newUser(join(folder, 'project'));
  const called = new Set<string>();
  const callTool = async (tool: string, input?: Readonly<Record<string, unknown>>) => {
    called.add(tool);
    return call(user, tool, input);
  };
  const { goal: root } = z
    .looseObject({ questions: z.tuple([z.looseObject({ goal: z.string() })]) })
    .parse(JSON.parse(await callTool('plan_start', { goal: 'Bake bread' }))).questions[0];
  const sub_goals = ['Buy flour', 'Knead'].map((description) => ({ description, atomic: true }));
  const answered = await callTool('plan_answer', { answers: [{ goal: root, atomic: false, sub_goals }] });
  // The last question is which leaves need each other: here none does.
  expect(JSON.parse(answered)).toMatchObject({ left: 1 });
  const linked = await callTool('plan_answer', { answers: [{ needs: [] }] });
  expect(JSON.parse(linked)).toMatchObject({ left: 0 });
  const [, goal = '', token = ''] =
    /^goal: (\S+)\ntoken: (\S+)\n/.exec(await callTool('goal_take', { by: 'ana' })) ?? [];
  expect(token).not.toBe('');
  const listed = z
    .looseObject({ tools: z.array(z.looseObject({ name: z.string() })) })
    .parse(await inspect(user, 'tools/list'));
  const names = listed.tools.map(({ name }) => name).toSorted();
  expect(names).toEqual(expect.arrayContaining([...called]));
  if (!CALLS_ALL) return;

  const changes = [{ op: 'add', description: 'Heat the oven' }];
  expect(await callTool('plan_edit', { changes })).toContain('Heat the oven');
  expect(
    JSON.parse(await callTool('goal_done', { goal, token, outcome: 'complete', summary: 'Rye' })),
  ).toMatchObject({ done: 1, of: 3 });
  expect(await callTool('plan_show')).toContain('[done] Buy flour');
  expect(await callTool('plan_status')).toContain('Bake bread');
  const steps = [{ id: 'a', tool: 'x.y', args: {} }];
  expect(await callTool('action_run', { op: 'check', steps })).toContain('"clean"');
  expect(names).toEqual([...called].toSorted());
});
