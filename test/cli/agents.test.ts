import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { newUser, summaryOf } from '../support/command.js';
import { expansionOf, uniformTree } from '../support/model-server.js';
import type { TreeNode } from '../support/model-server.js';

/** What an agent would think of each goal; the script looks it up by the goal that a question quotes. */
const THINK = `
const answers = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'));
let text = '';
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const { questions, left } = JSON.parse(text);
  if (left === 0) process.exit(9);
  if (questions.length === 0) process.exit(8);
  const given = questions.map(({ goal, messages }) => ({
    goal,
    ...answers[/<goal>([^]*)<\\/goal>/.exec(messages.at(-1).content)[1]],
  }));
  console.log(JSON.stringify({ answers: given }));
});
`;

/** An agent as a shell script: asks, thinks, answers, until nothing is left. */
const AGENT = `
while true; do
  plan ask -n 1 --by "$1" --json > "$1.questions" || exit 1
  node think.cjs answers.json < "$1.questions" > "$1.answers"
  case $? in 9) exit 0;; 8) sleep 0.5; continue;; esac
  plan answer --from - --by "$1" -n 0 --json < "$1.answers" >> "$1.log"
done
`;

test('four shell scripts that ask and answer plan the tree, one of them killed on the way', async () => {
  const user = newUser();
  const tree = uniformTree(2, 4);
  const place = (name: string, text: string) => writeFileSync(join(user.folder, name), text, { mode: 0o755 });
  place('think.cjs', THINK.replace('process.argv[1]', 'process.argv[2]'));
  place('agent.sh', AGENT);
  place('answers.json', JSON.stringify(answersOf(tree)));
  place('plan', `#!/bin/sh\nexec ${process.execPath} ${resolve('dist/cli/plan.js')} "$@"\n`);
  const made = await user.run(['init', tree.description, '--expander', 'agent', '--json']);
  expect([made.status, summaryOf(made.json()).paused_because]).toEqual([0, 'agent']);
  const run = (name: string) => {
    const child = spawn('bash', ['agent.sh', name], {
      cwd: user.folder,
      detached: true,
      env: { PATH: `${user.folder}:${process.env.PATH ?? ''}`, HOME: user.home, XDG_CONFIG_HOME: user.home },
      stdio: 'ignore',
    });
    return { child, ended: new Promise((done) => child.on('close', done)) };
  };
  const agents = ['a', 'b', 'c', 'd'].map(run);
  setTimeout(() => process.kill(-(agents[0]?.child.pid ?? 0), 'SIGKILL'), 900);
  await Promise.all(agents.map(({ ended }) => ended));
  // Whatever was left when the others had gone home is answered by one more.
  await run('e').ended;
  const { plan, goals } = z
    .looseObject({ plan: z.unknown(), goals: z.array(z.looseObject({ description: z.string() })) })
    .parse((await user.run(['status', '--verbose', '--json'])).json());
  expect(plan).toMatchObject({ status: 'complete', total_goals: 21, atomic_goals: 16, usage: { calls: 0 } });
  expect(new Set(goals.map(({ description }) => description))).toEqual(new Set(namesOf(tree)));
});

test('the text form names every member that an answer may have, as the JSON form does', async () => {
  const user = newUser();
  await user.run(['init', 'Bake bread', '--expander', 'agent']);
  const asked = (await user.run(['ask'])).out;
  const [, form = ''] = /^(\{"answers":.*\})$/m.exec(asked) ?? [];
  const { answers } = JSON.parse(form) as { answers: [{ sub_goals: [object] }] };
  const [question] = (await user.run(['ask', '--json'])).json().questions as [
    { schema: { properties: { sub_goals: { items: { properties: object } } } } },
  ];
  const { properties } = question.schema;
  expect(Object.keys(answers[0]).toSorted()).toEqual(Object.keys(properties).toSorted());
  expect(Object.keys(answers[0].sub_goals[0]).toSorted()).toEqual(
    Object.keys(properties.sub_goals.items.properties).toSorted(),
  );
});

test('answers that are all refused end with 4, and what is to be done is said', async () => {
  const user = newUser();
  await user.run(['init', 'Bake bread', '--expander', 'agent']);
  const answer = (text: string, ...more: readonly string[]) =>
    user.run(['answer', '--from', '-', ...more], {}, text);
  const bad = await answer('{"goal":"root","atomic":"no"}');
  expect([bad.status, bad.error]).toEqual([4, expect.stringContaining('$.atomic')]);
  expect((await answer('{"goal":"root","atomic":true}', '--json')).status).toBe(0);
  const late = await answer('{"goal":"root","atomic":true}', '--json');
  expect(late.status).toBe(4);
  expect(late.json()).toMatchObject({ refused: [{ code: 'late' }], questions: [], left: 0 });
  expect((await answer('not JSON')).status).toBe(2);
  expect((await user.run(['ask'])).out).toBe('Nothing is left to answer.\n');
});

test('an action plan is answered by what `plan ask` prints, and its id and next command are told', async () => {
  const user = newUser();
  await user.run(['init', 'Write a note', '--no-decompose']);
  await user.run(['split', 'root', '--into', 'Write it', 'Print it']);
  const tool = { name: 'note.write', description: 'Writes', input_schema: { type: 'object' } };
  writeFileSync(join(user.folder, 'my tools.json'), JSON.stringify({ tools: [tool] }));
  const asked = await user.run(['ask', '--kind', 'action_plan', '--goal', '1', '--tools', 'my tools.json']);
  expect(asked.out).toContain("Answer with `plan answer --from - --tools 'my tools.json'`");
  expect(asked.out).not.toContain('sub_goals');
  const form = JSON.parse(/Answer:\n(\{[^]*?\n\})/.exec(asked.out)?.[1] ?? '') as Record<string, unknown>;
  expect(form).toMatchObject({ kind: 'action_plan', question: expect.stringMatching(/^[0-9a-f]{12}$/) });

  const answer = async (reply: object) =>
    user.run(['answer', '--from', '-', '--tools', 'my tools.json'], {}, JSON.stringify(reply));
  const [one] = form.steps as readonly object[];
  const steps = [{ ...one, id: 'a', tool: 'note.write', depends_on: [], args: { path: 'note.md' } }];
  const { question, ...unmarked } = form;
  const without = await answer({ ...unmarked, steps });
  expect(without).toMatchObject({ status: 4 });
  expect(without.error).toContain(`give "question":"${String(question)}"`);
  expect(without.out).not.toContain('Nothing is left');
  const done = await answer({ ...form, steps });
  expect(done).toMatchObject({ status: 0 });
  expect(done.out).toMatch(
    /^Stored 1 answer\.\nStored as (ap-\w+) in .*\nPrepare it:\s+plan prepare \1 --tools 'my tools\.json'\n$/,
  );
  expect((await user.run(['ask', '--kind', 'action_plan', '--goal', '1'])).error).toContain('--tools FILE');
});

function answersOf(node: TreeNode): Record<string, unknown> {
  return Object.assign(
    { [node.description]: expansionOf(node) },
    ...(node.children ?? []).map(answersOf),
  ) as Record<string, unknown>;
}

function namesOf(node: TreeNode): readonly string[] {
  return [node.description, ...(node.children ?? []).flatMap(namesOf)];
}
