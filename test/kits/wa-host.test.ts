import { appendFileSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { WA_DATA_TOOLS } from '../../src/features/kits/terminal/wa-data.js';
import { agree } from '../support/approving.js';
import { temporaryFolder } from '../support/folders.js';
import { carriedOut, placeOf, wa } from '../support/panes.js';
import type { Part } from '../support/panes.js';
import { hasTmux } from '../support/screen.js';

const action = (type: string, more: Part) => ({ action: { type, ...more } });
const store = (key: string, value: unknown) => action('store_data', { key, value });
const signal = (key: string, timeout_ms = 20_000) =>
  action('wait_for', { condition: { type: 'external', key }, timeout_ms });
/** No pane is looked at, so that no server is needed. */
const NO_SOCKET = '/nowhere/tmux';

function dataOf(folder: string): readonly unknown[] {
  const text = readFileSync(join(folder, '.plans/wa-data.jsonl'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

describe.runIf(hasTmux)('what plans of wa keep and wait for', () => {
  test('values and handled events are written down, a line each', async () => {
    const value = { list: [1, 'two\n"', null], deep: { __proto__x: true } };
    const { folder, ended, shown, workspace } = await carriedOut(
      [store('release', value), store('release', null), action('mark_event_handled', { event_id: 7 })],
      NO_SOCKET,
    );
    expect(ended).toMatchObject({ status: 'succeeded' });
    const step = expect.any(String);
    expect(dataOf(folder)).toEqual([
      { step, key: 'release', value },
      { step, key: 'release', value: null },
      { step, event_id: 7 },
    ]);
    expect(shown.outputs).toMatchObject({
      'step:1': { key: 'release' },
      'step:3': { event_id: 7, notes: [expect.stringContaining('no events')] },
    });
    // It is no damage of the store.
    expect(await workspace.doctor({})).toMatchObject({ healthy: true, findings: [] });
  });

  test('a link in the place of the file is not followed', async () => {
    const other = join(temporaryFolder(), 'other');
    outputFileSync(other, 'mine\n');
    const place = await placeOf([store('a', 1)], NO_SOCKET);
    symlinkSync(other, join(place.folder, '.plans/wa-data.jsonl'));
    const prepared = await place.workspace.prepare('plan.json', {});
    await agree(place.workspace, prepared.approval?.code ?? '');
    expect(await place.workspace.run(prepared.run, {}).result).toMatchObject({ status: 'failed' });
    const shown = await place.workspace.runs.show(prepared.run, {});
    expect(shown.steps[0]?.error).toMatchObject({ code: 'NOT_WRITTEN' });
    expect(readFileSync(other, 'utf8')).toBe('mine\n');
  });

  test('a second attempt of a step writes no second line', async () => {
    const root = temporaryFolder();
    const tool = WA_DATA_TOOLS.find(({ name }) => name === 'wa:store_data');
    const attempt = async (key: string, number: number) =>
      tool
        ?.carry(
          {},
          { environment: { root, forbidden: [], hidden: [], variables: {}, keep: fail }, markOfLook: fail },
        )
        .call({
          args: { key: 'a', value: 'x\n{"step":"two",' },
          key,
          attempt: `run/step/${number}`,
          timeoutMs: 1000,
          signal: new AbortController().signal,
        });
    for (const [key, number] of [
      ['one', 1],
      ['one', 2],
      ['two', 2],
      ['one', 3],
      ['two', 3],
    ] as const)
      expect(await attempt(key, number)).toMatchObject({ outcome: 'succeeded', output: { key: 'a' } });
    expect(dataOf(root)).toEqual(['one', 'two'].map((step) => expect.objectContaining({ step })));
    // A line that a full disk has cut off counts as none, and takes no other with it.
    const file = join(root, '.plans/wa-data.jsonl');
    appendFileSync(file, '{"step":"three","key":"a","va');
    expect(await attempt('three', 2)).toMatchObject({ outcome: 'succeeded' });
    expect(readFileSync(file, 'utf8').split('\n').slice(2)).toEqual([
      '{"step":"three","key":"a","va',
      expect.stringMatching(/^\{"step":"three".*\}$/),
      '',
    ]);
  });

  test('a signal that is given from elsewhere ends the waiting, and stays given', async () => {
    const place = await placeOf([signal('build-done'), signal('build-done')], NO_SOCKET);
    const prepared = await place.workspace.prepare('plan.json', {});
    const running = place.workspace.run(prepared.run, {});
    const other = place.as({});
    let given: unknown;
    let said = '';
    let expectedByNone: boolean | undefined;
    for await (const event of running)
      if (event.type === 'step_waits' && given === undefined) {
        said = event.message;
        expectedByNone = (await other.runs.signal(prepared.run, 'another', {})).awaited;
        given = await other.runs.signal(prepared.run, 'build-done', { reason: 'CI is green' });
      }
    expect(said).toContain('build-done');
    expect(expectedByNone).toBe(false);
    expect(given).toMatchObject({ run: prepared.run, key: 'build-done', given: true, awaited: true });
    expect(await running.result).toMatchObject({
      status: 'succeeded',
      outputs: {
        'step:1': { matched: 'build-done', pane_id: null },
        'step:2': { matched: 'build-done', pane_id: null },
      },
    });
    await expect(other.runs.signal(prepared.run, 'late', {})).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await expect(other.runs.signal(prepared.run, '', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('a signal that nobody gives in time fails the step, and one from before the run counts', async () => {
    const early = await placeOf([signal('early')], NO_SOCKET);
    const prepared = await early.workspace.prepare('plan.json', {});
    await early.workspace.runs.signal(prepared.run, 'early', {});
    expect(await early.workspace.runs.signal(prepared.run, 'early', {})).toMatchObject({ given: false });
    expect(await early.workspace.run(prepared.run, {}).result).toMatchObject({ status: 'succeeded' });
    const { ended } = await carriedOut([signal('never', 700)], NO_SOCKET);
    expect(ended).toMatchObject({ status: 'failed', error: 'WAIT_TIMEOUT' });
  });
});

function fail(): never {
  throw new Error('not needed');
}

/** The text of a plan of wa that a workflow runs. */
function workflow(steps: readonly Part[], workspace_id: string): string {
  return JSON.stringify({ ...wa(steps), workspace_id, title: 'a workflow' }, null, 1);
}

describe.runIf(hasTmux)('workflows of wa', () => {
  const run = (workflow_id: string, more: Part = {}) => action('run_workflow', { workflow_id, ...more });

  async function placeWith(steps: readonly Part[], files: Readonly<Record<string, readonly Part[]>>) {
    const names = Object.keys(files);
    const rules = JSON.stringify({
      workflows: Object.fromEntries(names.map((id) => [id, `flows/${id}.json`])),
    });
    const place = await placeOf(steps, NO_SOCKET, { rules });
    for (const [id, own] of Object.entries(files))
      outputFileSync(join(place.folder, `flows/${id}.json`), workflow(own, place.folder));
    return place;
  }

  test('are put in the place of the steps that run them, shown, and carried out as they were then', async () => {
    const place = await placeWith([store('first', 1), run('release'), store('last', 3)], {
      release: [store('second', 12345678901234567890n.toString()), run('inner')],
      inner: [store('third', 2)],
    });
    const prepared = await place.workspace.prepare('plan.json', {});
    expect(prepared.text).toContain('"third"');
    outputFileSync(join(place.folder, 'flows/inner.json'), '{}');
    if (prepared.approval !== null) await agree(place.workspace, prepared.approval?.code ?? '');
    expect(await place.workspace.run(prepared.run, {}).result).toMatchObject({ status: 'succeeded' });
    expect(dataOf(place.folder)).toMatchObject(['first', 'second', 'third', 'last'].map((key) => ({ key })));
  });

  test.each<[string, readonly Part[], Readonly<Record<string, readonly Part[]>>, RegExp]>([
    [
      'one that the rules do not name',
      [run('other')],
      { known: [store('a', 1)] },
      /no plan for the workflow other/,
    ],
    ['params', [run('known', { params: { a: 1 } })], { known: [store('a', 1)] }, /known is given params/],
    [
      'workflows that run each other',
      [run('a')],
      { a: [run('b')], b: [run('a')] },
      /more than 16 deep, or each other/,
    ],
    ['ever more of them', [run('a')], doubling(20), /more than 1000 steps/],
    ['no workflow at all', [run('a')], {}, /wa:run_workflow/],
  ])('%s: refused when the plan is prepared', async (_, steps, files, message) => {
    const place = await placeWith(steps, files);
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  test.each(['../x.json', '/x.json', 'a/../../x.json', 'x\n/../../x.json', ''])(
    'a plan out of the project is refused: %j',
    async (path) => {
      const rules = JSON.stringify({ workflows: { a: path } });
      await expect(placeOf([run('a')], NO_SOCKET, { rules })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    },
  );

  test('a plan that is a link, or not there, is refused', async () => {
    const place = await placeWith([run('a')], { a: [store('a', 1)] });
    const file = join(place.folder, 'flows/a.json');
    renameSync(file, join(place.folder, 'real.json'));
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      message: expect.stringContaining('there is no flows/a.json'),
    });
    symlinkSync('../real.json', file);
    await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
      message: expect.stringContaining('flows/a.json'),
    });
  });

  /** Workflows each of which runs the next one twice. */
  function doubling(count: number): Readonly<Record<string, readonly Part[]>> {
    const name = (at: number) => (at === 0 ? 'a' : `a${at}`);
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => [name(at), [run(name(at + 1)), run(name(at + 1))]]),
    );
  }
});
