import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace, prepare } from '../support/approving.js';

const TOOLS = `tools:
  - { name: put, run: { file: write } }
  - { name: take, run: { file: read } }
  - { name: rename, run: { file: move } }
  - { name: make, run: { command: [touch, '\${path}'], writes: ['\${path}'] }, input_schema: { type: object, properties: { path: { type: string } } } }
`;
const CONTEXT = { p: 'kept.txt', t: 'tool', list: ['kept.txt', 'other.txt'], say: { path: 'kept.txt' } };

async function place(...steps: readonly object[]) {
  const made = await newPlace({ schema_version: '1.0', context: CONTEXT, steps }, TOOLS);
  const file = join(made.folder, 'kept.txt');
  writeFileSync(file, 'before');
  writeFileSync(join(made.folder, 'name.txt'), 'kept.txt');
  return { ...made, file };
}

const READ = { id: 'a', tool: 'take', args: { path: 'name.txt' } };

/** Agrees to a run and to what it asks, and changes a file in between. Returns how the run ended, and the file after it. */
async function changedAfterAsking({ workspace, file }: Awaited<ReturnType<typeof place>>) {
  const { run, code } = await prepare(workspace);
  await agree(workspace, code);
  const asked = await carryOut(workspace, run);
  await agree(workspace, asked.waiting[0]?.code ?? '');
  writeFileSync(file, 'precious');
  const { status, reason } = await carryOut(workspace, run);
  return { status, reason, text: readFileSync(file, 'utf8') };
}

const KEPT = { status: 'failed', reason: expect.stringContaining('was changed'), text: 'precious' };

describe('a file that a step overwrites and that somebody changed after the preparation', () => {
  test.each<[string, readonly object[]]>([
    [
      'whose name is of the context',
      [{ id: 'b', tool: 'put', args: { path: '${context.p}', text: 'tool' } }],
    ],
    [
      'whose text is of the context',
      [{ id: 'b', tool: 'put', args: { path: 'kept.txt', text: '${context.t}' } }],
    ],
    [
      'whose text is what a step brings',
      [READ, { id: 'b', tool: 'put', args: { path: 'kept.txt', text: '$steps.a.text' }, depends_on: ['a'] }],
    ],
    [
      'that is moved to where a step says',
      [
        READ,
        {
          id: 'b',
          tool: 'rename',
          args: { from: 'kept.txt', to: 'to-${steps.a.sha256}' },
          depends_on: ['a'],
        },
      ],
    ],
    [
      'that an item of a list names',
      [
        {
          id: 'b',
          tool: 'put',
          args: { path: '${file}', text: 'tool' },
          foreach: { from: '${context.list}', item_name: 'file' },
        },
      ],
    ],
    [
      'that a step of a nested plan names',
      [
        {
          id: 'n',
          tool: 'nested_plan',
          args: {},
          plan: { steps: [{ id: 'b', tool: 'put', args: { path: '${context.p}', text: 'tool' } }] },
        },
      ],
    ],
    ['that a program writes', [{ id: 'b', tool: 'make', args: { path: '${context.p}' } }]],
  ])('%s stays', async (_which, steps) => {
    const { workspace, file } = await place(...steps);
    const { run, code } = await prepare(workspace);
    await agree(workspace, code);
    writeFileSync(file, 'precious');
    await expect(carryOut(workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_PRECONDITION_FAILED' });
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  test('stays where it was changed while the run waited for a step', async () => {
    const asking = {
      id: 'b',
      tool: 'put',
      args: { path: '${context.p}', text: 'tool' },
      requires_approval: true,
    };
    expect(await changedAfterAsking(await place(asking))).toMatchObject(KEPT);
  });
});

describe('a file whose name a step brings', () => {
  const named = { path: '$steps.a.text', text: 'tool' };
  const asking = { id: 'b', tool: 'put', args: named, depends_on: ['a'], requires_approval: true };

  test.each<[string, object]>([
    ['step', asking],
    [
      'nested plan',
      {
        id: 'n',
        tool: 'nested_plan',
        args: {},
        depends_on: ['a'],
        requires_approval: true,
        plan: { steps: [{ id: 'b', tool: 'put', args: named }] },
      },
    ],
  ])('is not overwritten when it was changed after its %s asked', async (_which, step) => {
    expect(await changedAfterAsking(await place(READ, step))).toMatchObject(KEPT);
  });

  test('is written when it is as it was when its step asked', async () => {
    const { workspace, file } = await place(READ, asking);
    const { run, code } = await prepare(workspace);
    await agree(workspace, code);
    writeFileSync(file, 'changed before it asks');
    const asked = await carryOut(workspace, run);
    await agree(workspace, asked.waiting[0]?.code ?? '');
    expect(await carryOut(workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(file, 'utf8')).toBe('tool');
  });
});
