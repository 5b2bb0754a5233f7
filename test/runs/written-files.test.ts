import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace, prepare } from '../support/approving.js';

const PLAN = {
  schema_version: '1.0',
  title: 'Build',
  steps: [
    { id: 'b', tool: 'build', args: {} },
    { id: 'n', tool: 'note', args: { path: 'a.md', text: 'x' }, requires_approval: true, depends_on: ['b'] },
  ],
};
const SCRIPT = "require('node:fs').writeFileSync(process.argv.at(-1).replace('--output=', ''), 'built')";

/** A place whose tool `build` runs a script with these words, and writes what its last word names. */
async function place(words: readonly string[], more: object = {}) {
  const command = [process.execPath, 'build.cjs', ...words];
  const tools = [
    { name: 'build', run: { command, ...more } },
    { name: 'note', run: { file: 'write', root: 'notes' } },
  ];
  const made = await newPlace(PLAN, JSON.stringify({ tools }));
  writeFileSync(join(made.folder, 'build.cjs'), SCRIPT);
  return made;
}

/** Carries a run out up to its question, and on from there: what was written must not be taken for another tool. */
async function goOn({ workspace }: Awaited<ReturnType<typeof place>>) {
  const { run, code } = await prepare(workspace);
  await agree(workspace, code);
  const asked = await carryOut(workspace, run);
  await agree(workspace, asked.waiting[0]?.code ?? '');
  return carryOut(workspace, run);
}

describe('a file that the program of a command line writes', () => {
  test('is named under writes: it is shown before, and the run goes on after it was written', async () => {
    const made = await place(['report.html'], { writes: ['report.html'] });
    const prepared = await made.workspace.prepare('plan.json');
    expect(prepared.inputs).toContainEqual({ path: 'report.html', sha256: null });
    expect(prepared.warnings).toEqual([]);
    expect(await goOn(made)).toMatchObject({ status: 'succeeded' });
    // One that is there already is no other tool the next time either.
    expect(await goOn(made)).toMatchObject({ status: 'succeeded' });
  });

  test('that is not named so is warned of, and the refusal says what cures it', async () => {
    const made = await place(['report.html']);
    const { warnings } = await made.workspace.prepare('plan.json');
    expect(warnings).toEqual([expect.stringContaining('`writes: [report.html]`')]);
    await expect(goOn(made)).rejects.toMatchObject({
      code: 'E_TOOL_CHANGED',
      message: expect.stringContaining('report.html'),
      hint: expect.stringContaining('`writes`'),
    });
  });

  test.each([[['-o', 'report.html']], [['--output', 'out/report.html']], [['--output=report.html']]])(
    'after an option for output is asked for when the tools file is read: %j',
    async (words) => {
      const file = words.at(-1)?.replace('--output=', '') ?? '';
      await expect(place(words)).rejects.toMatchObject({
        message: expect.stringContaining(`writes: [${file}]`),
      });
      await place(words, { writes: [file] });
    },
  );

  test('is no excuse for the script: another one is refused', async () => {
    const made = await place(['report.html'], { writes: ['report.html'] });
    const { run, code } = await prepare(made.workspace);
    await agree(made.workspace, code);
    writeFileSync(join(made.folder, 'build.cjs'), `${SCRIPT}; // and more`);
    await expect(carryOut(made.workspace, run)).rejects.toMatchObject({ code: 'E_TOOL_CHANGED' });
  });

  test.each([
    [['-o', 'pipefail']],
    [['-o', 'StrictHostKeyChecking=no']],
    [['-o', '/tmp/x.html']],
    [['-o', '${out}']],
  ])('is told from options of programs, other folders and arguments of the step: %j', async (words) => {
    const { workspace } = await place(words);
    expect((await workspace.tools.trust({})).trusted).toBe(true);
  });
});

describe('a file that somebody changes while the run is carried out', () => {
  const write = (id: string, text: string, more: object = {}) => ({
    id,
    tool: 'note',
    args: { path: 'a.md', text },
    ...more,
  });
  const EDIT = { id: 'e', tool: 'edit', args: {} };
  const onError = { on_error: { strategy: 'skip' } };

  /** The tool `edit` stands for a person who saves while the run goes on. */
  async function changedBefore(...steps: readonly object[]) {
    const script = "require('node:fs').writeFileSync('notes/a.md', 'of a person')";
    const tools = [
      { name: 'edit', effects: 'none', run: { command: [process.execPath, '-e', script] } },
      { name: 'format', run: { command: [process.execPath, '-e', script], writes: ['notes/a.md'] } },
      ...['append', 'move', 'remove'].map((file) => ({ name: file, run: { file, root: 'notes' } })),
      { name: 'note', run: { file: 'write', root: 'notes' } },
    ];
    const made = await newPlace(
      {
        schema_version: '1.0',
        title: 'Notes',
        context: { items: [1, 2, 3] },
        steps,
      },
      JSON.stringify({ tools }),
    );
    mkdirSync(join(made.folder, 'notes'));
    writeFileSync(join(made.folder, 'notes/a.md'), 'old');
    const { run, code } = await prepare(made.workspace);
    await agree(made.workspace, code);
    return { ...made, run, text: () => readFileSync(join(made.folder, 'notes/a.md'), 'utf8') };
  }

  test('is written over by no later step either, though an earlier one was refused and skipped', async () => {
    const { workspace, run, text } = await changedBefore(EDIT, write('b', 'one', onError), write('c', 'two'));
    expect(await carryOut(workspace, run)).toMatchObject({ status: 'failed', failed: 'c' });
    expect(text()).toBe('of a person');
  });

  test('is written over by no other item of a foreach', async () => {
    const foreach = { from: '$vars.items', item_name: 'i', concurrency: 3 };
    const { workspace, run, text } = await changedBefore(EDIT, write('b', 'one', { foreach, ...onError }));
    await carryOut(workspace, run);
    expect(text()).toBe('of a person');
  });

  test('is written over by nobody who goes on with the run', async () => {
    const asks = { requires_approval: true };
    const { workspace, run, text } = await changedBefore(
      EDIT,
      write('b', 'one', onError),
      write('c', 'two', asks),
    );
    const { waiting } = await carryOut(workspace, run);
    await agree(workspace, waiting[0]?.code ?? '');
    expect(await carryOut(workspace, run)).toMatchObject({ status: 'failed', failed: 'c' });
    expect(text()).toBe('of a person');
  });

  describe('after the run has written it', () => {
    const refused = {
      code: 'CONFLICT',
      message: expect.stringContaining('since a step of this run wrote it'),
    };
    const first = write('b', 'one');

    test('is written over, moved or removed by no later step', async () => {
      const { workspace, run, text } = await changedBefore(
        first,
        EDIT,
        { id: 'a', tool: 'append', args: { path: 'a.md', text: 'two' }, ...onError },
        { id: 'm', tool: 'move', args: { from: 'a.md', to: 'b.md' }, ...onError },
        { id: 'r', tool: 'remove', args: { path: 'a.md' }, ...onError },
        write('c', 'two'),
      );
      expect(await carryOut(workspace, run)).toMatchObject({ status: 'failed', failed: 'c' });
      expect(text()).toBe('of a person');
      const { steps } = await workspace.runs.show(run);
      expect(steps.find(({ step }) => step === 'c')).toMatchObject({ error: refused });
    });

    test('is written over by nobody who goes on with the run, who knows what it held from the log', async () => {
      const made = await changedBefore(first, write('c', 'two', { requires_approval: true }));
      const { waiting } = await carryOut(made.workspace, made.run);
      writeFileSync(join(made.folder, 'notes/a.md'), 'of a person');
      await agree(made.workspace, waiting[0]?.code ?? '');
      expect(await carryOut(made.workspace, made.run)).toMatchObject({ status: 'failed', failed: 'c' });
      expect(made.text()).toBe('of a person');
    });

    test('is the run’s still where nobody else changed it, also when a program that names it has', async () => {
      const asks = { requires_approval: true };
      const { workspace, run, text } = await changedBefore(
        first,
        { id: 'a', tool: 'append', args: { path: 'a.md', text: 'two' } },
        { id: 'f', tool: 'format', args: {} },
        { id: 'm', tool: 'move', args: { from: 'a.md', to: 'b.md' } },
        write('c', 'new'),
        { id: 'r', tool: 'remove', args: { path: 'a.md' } },
        write('d', 'again', asks),
      );
      const { waiting } = await carryOut(workspace, run);
      await agree(workspace, waiting[0]?.code ?? '');
      expect(await carryOut(workspace, run)).toMatchObject({ status: 'succeeded' });
      expect(text()).toBe('again');
    });
  });
});
