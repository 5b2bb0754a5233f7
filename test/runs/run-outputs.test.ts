import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';

const TOOLS = JSON.stringify({
  tools: [
    { name: 'say', run: { command: ['echo', '${text}'] } },
    { name: 'long', effects: 'none', run: { command: ['sh', '-c', "head -c 70000 /dev/zero | tr '\\0' x"] } },
    { name: 'write', run: { file: 'write' } },
    { name: 'remove', run: { file: 'remove' } },
  ],
});
const STEPS = [
  { id: 'say', tool: 'say', args: { text: 'hi' } },
  { id: 'long', tool: 'long', args: {} },
  { id: 'new', tool: 'write', args: { path: 'new.md', text: '${say.text}' } },
  { id: 'named', tool: 'write', args: { path: 'by-${say.exit}.md', text: 'x' } },
  { id: 'old', tool: 'write', args: { path: 'old.md', text: 'other' } },
  { id: 'gone', tool: 'remove', args: { path: 'gone.md' } },
  { id: 'each', tool: 'say', args: { text: '${it}' }, foreach: { from: '${context.list}', item_name: 'it' } },
];
const PLAN = { schema_version: '1.0', title: 'Outputs', context: { list: ['a', 'b'] }, steps: STEPS };

async function carriedOut(plan: object = PLAN) {
  const place = await newPlace(plan, TOOLS);
  for (const name of ['old.md', 'gone.md']) writeFileSync(join(place.folder, name), 'before');
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  await agree(place.workspace, approval?.code ?? '');
  return { place, run, report: await carryOut(place.workspace, run) };
}

test('what steps brought is told, and what they did to files', async () => {
  const { place, run, report } = await carriedOut();
  expect(report).toMatchObject({ status: 'succeeded' });
  expect(report.outputs).toMatchObject({
    say: { text: 'hi\n', exit: 0 },
    each: [{ text: 'a\n' }, { text: 'b\n' }],
  });
  const { file, bytes } = report.outputs.long as { file: string; bytes: number };
  expect([existsSync(file), bytes > 70_000]).toEqual([true, true]);
  expect(report.done).toEqual({
    created: ['new.md', 'by-0.md'],
    changed: ['old.md'],
    removed: ['gone.md'],
    ran: ['say', 'each[0]', 'each[1]'],
  });
  expect((await place.workspace.runs.show(run)).outputs).toBeUndefined();
  expect((await place.workspace.runs.show(run, { outputs: true })).outputs).toEqual(report.outputs);
  const one = await place.workspace.runs.show(run, { step: 'each[1]' });
  expect(one.outputs).toMatchObject({ 'each[1]': { text: 'b\n' } });
  await expect(place.workspace.runs.show(run, { step: 'nobody' })).rejects.toMatchObject({
    code: 'STEP_NOT_FOUND',
  });
});

test.each([
  ['showCreatedFiles', ['changed', 'removed', 'ran']],
  ['showModifiedFiles', ['created', 'ran']],
  ['showCommandRuns', ['created', 'changed', 'removed']],
])('what a plan of Obsidian does not want shown is not told to people: %s', async (flag, presented) => {
  const plan = {
    version: '1.0',
    goal: 'Write',
    riskLevel: 'writes',
    outputs: { [flag]: false },
    steps: [
      { id: 'new', tool: 'write', args: { path: 'new.md', text: 'x' } },
      { id: 'say', tool: 'say', args: { text: 'hi' } },
    ],
  };
  const { report } = await carriedOut(plan);
  expect([...report.presented]).toEqual(presented);
  expect(report.done).toMatchObject({ created: ['new.md'] });
});
