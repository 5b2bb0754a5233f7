import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';

const NODE = JSON.stringify(process.execPath);
const TOOLS = `tools:
  - { name: loads, effects: none, run: { command: [${NODE}, '--import=./\${file}', -e, '0'] } }
  - { name: saves, effects: none, run: { command: [${NODE}, -e, "require('fs').writeFileSync(process.argv[1],'saved')", '\${out}'] } }
  - { name: says, effects: none, run: { command: [${NODE}, -p, "'s.' + 'mjs'"] } }
`;
const EVIL = "import { writeFileSync } from 'node:fs'; writeFileSync('evil', '');";
const plan = (...steps: readonly object[]) => ({ schema_version: '1.0', title: 'Try', steps });

async function placeWith(...steps: readonly object[]): Promise<Place> {
  const place = await newPlace(plan(...steps), TOOLS);
  writeFileSync(join(place.folder, 's.mjs'), '');
  return place;
}

async function approvedRun({ workspace }: Place): Promise<string> {
  const { run, approval } = await workspace.prepare('plan.json', {});
  if (approval !== null) await agree(workspace, approval.code);
  return run;
}

const isEvil = ({ folder }: Place) => existsSync(join(folder, 'evil'));

describe('a file that an argument names', () => {
  test('is fixed when the run is prepared, and a run is refused when it was swapped', async () => {
    const place = await placeWith({ id: 'a', tool: 'loads', args: { file: 's.mjs' } });
    const run = await approvedRun(place);
    writeFileSync(join(place.folder, 's.mjs'), EVIL);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: 'E_TOOL_CHANGED',
      message: expect.stringContaining('s.mjs'),
    });
    expect(isEvil(place)).toBe(false);
  });

  test('is fixed too where it was not there when the run was prepared', async () => {
    const place = await placeWith({ id: 'a', tool: 'loads', args: { file: 'new.mjs' } });
    const run = await approvedRun(place);
    writeFileSync(join(place.folder, 'new.mjs'), EVIL);
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
    expect(isEvil(place)).toBe(false);
  });

  test('is what it was where nobody has swapped it, also when a step of the run has written it', async () => {
    const place = await placeWith(
      { id: 'a', tool: 'saves', args: { out: 'note.txt' } },
      { id: 'b', tool: 'saves', args: { out: 'note.txt' } },
      { id: 'c', tool: 'loads', args: { file: 's.mjs' } },
    );
    expect(await carryOut(place.workspace, await approvedRun(place))).toMatchObject({ status: 'succeeded' });
  });

  test('is shown with the arguments that a step asks about, and its step fails when it was swapped', async () => {
    const place = await placeWith(
      { id: 'says', tool: 'says', args: {} },
      { id: 'a', tool: 'loads', args: { file: 's.mjs' }, requires_approval: true, depends_on: ['says'] },
    );
    const run = await approvedRun(place);
    const { waiting } = await carryOut(place.workspace, run);
    const code = waiting[0]?.code ?? '';
    const shown = await place.workspace.approve({ code, dryRun: true });
    expect(shown.named).toEqual([{ path: 's.mjs', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(shown.args).toEqual({ file: 's.mjs' });
    await agree(place.workspace, code);
    writeFileSync(join(place.folder, 's.mjs'), EVIL);
    const after = await carryOut(place.workspace, run);
    expect(after).toMatchObject({ status: 'failed' });
    expect(isEvil(place)).toBe(false);
  });

  test('is bound by the approval of its step where it is brought by a reference', async () => {
    const place = await placeWith(
      { id: 'says', tool: 'says', args: {} },
      {
        id: 'a',
        tool: 'loads',
        args: { file: '$steps.says.text' },
        requires_approval: true,
        depends_on: ['says'],
      },
    );
    const run = await approvedRun(place);
    const { waiting } = await carryOut(place.workspace, run);
    await agree(place.workspace, waiting[0]?.code ?? '');
    writeFileSync(join(place.folder, 's.mjs'), EVIL);
    const again = await carryOut(place.workspace, run);
    expect(again.waiting).toMatchObject([{ step: 'a', for: 'approval' }]);
    expect(isEvil(place)).toBe(false);
    await agree(place.workspace, again.waiting[0]?.code ?? '');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(isEvil(place)).toBe(true);
  });
});

const RUNS_X = '#!/bin/sh\n. ./x.sh\n';

/** Command lines, with what they run of the workspace in the end. */
const LINES: Readonly<Record<string, readonly [command: readonly string[], file: string, more?: object]>> = {
  'in a folder that a text goes to': [['sh', '-c', 'cd sub && ./y.sh'], 'sub/y.sh'],
  'in a folder within the folder that a text goes to': [
    ['sh', '-c', 'cd sub; cd low; sh ./y.sh'],
    'sub/low/y.sh',
  ],
  'with a blank, between quotation marks in a text': [['sh', '-c', "'./my x.sh' 1"], 'my x.sh'],
  'with a blank behind a backslash in a text': [['sh', '-c', './my\\ x.sh 1'], 'my x.sh'],
  'that is quoted in part': [['sh', '-c', './x.s"h"'], 'x.sh'],
  'without its ending in a first line': [['./first'], 'pre.js'],
  'as a module of Perl in a folder': [['perl', '-I', 'lib', '-MFoo::Bar', '-e', '0'], 'lib/Foo/Bar.pm'],
  'in a folder that the tool writes to': [['sh', 'x.sh'], 'x.sh', { writes: ['.'] }],
  'from a script in a folder that the tool writes to': [['./first.sh'], 'first.sh', { writes: ['.'] }],
};

test.each(Object.entries(LINES))(
  'a program that is named %s is fixed when the run is prepared',
  async (_how, line) => {
    const [command, file, more = {}] = line;
    const tool = { name: 'a', effects: 'none', run: { command, ...more } };
    const place = await newPlace(plan({ id: 's', tool: 'a', args: {} }), JSON.stringify({ tools: [tool] }));
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(place.folder, name)), { recursive: true });
      writeFileSync(join(place.folder, name), text, { mode: 0o755 });
    };
    write('first', '#!/usr/bin/env -S node -r ./pre\n');
    write('first.sh', RUNS_X);
    write(file, file.endsWith('.pm') ? '1;' : '');
    const run = await approvedRun(place);
    write(file, '# another one');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
  },
);
