import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';
import { temporaryFolder } from '../support/folders.js';

const TOOLS = `tools:
  - { name: touch, effects: none, run: { command: [touch, ran] } }
  - { name: acts, run: { command: [touch, ran] } }
`;
const WRONG_ID = `plan:${'0'.repeat(32)}`;

type Part = Readonly<Record<string, unknown>>;

/** A plan of wa for a workspace, of one step. */
const wa = (
  workspace_id: string,
  action: Part = { type: 'custom', action_type: 'touch', payload: {} },
  more: Part = {},
) => ({
  plan_version: 1,
  plan_id: WRONG_ID,
  title: 'Try',
  workspace_id,
  steps: [{ step_number: 1, step_id: 'step:1', description: 'a step', idempotent: false, action, ...more }],
});
const nested = (plan: object) => ({ type: 'nested_plan', plan });
const frctl = (
  workspace: string | undefined,
  steps: readonly object[] = [{ id: 'a', tool: 'touch', args: {} }],
) => ({
  schema_version: '1.0',
  title: 'Try',
  ...(workspace === undefined ? {} : { workspace }),
  steps,
});

async function placed(planOf: (root: string) => object): Promise<Place & { readonly root: string }> {
  const place = await newPlace({}, TOOLS);
  const root = realpathSync(place.folder);
  writeFileSync(join(place.folder, 'plan.json'), JSON.stringify(planOf(root)));
  return { ...place, root };
}

const ELSEWHERE = '/somewhere/else';

describe('a plan for another workspace is not prepared here', () => {
  test.each<[string, (root: string) => object]>([
    ['of wa', () => wa(ELSEWHERE)],
    ['of frctl', () => frctl(ELSEWHERE)],
    ['that names a folder above', (root) => wa(join(root, '..'))],
    ['that names a folder below', (root) => wa(join(root, '.plans'))],
    ['whose name begins as this one does', (root) => wa(`${root}2`)],
    ['that names this one in another way', (root) => wa(`${root}/`)],
    ['with a nested plan for another one', (root) => wa(root, nested(wa(ELSEWHERE)))],
    ['that names none, with a nested plan for another one', () => wa('', nested(wa(ELSEWHERE)))],
    ['with another one two levels below', (root) => wa(root, nested(wa(root, nested(wa(ELSEWHERE)))))],
    [
      'with another one in a fallback',
      (root) =>
        wa(root, undefined, {
          on_failure: {
            strategy: 'fallback',
            steps: wa('', nested(wa(ELSEWHERE))).steps.map((step) => ({ ...step, step_id: 'step:2' })),
          },
        }),
    ],
    [
      'of frctl, with a nested plan for another one',
      () => frctl(undefined, [{ id: 'n', tool: 'plan', args: {}, plan: frctl(ELSEWHERE) }]),
    ],
  ])('%s', async (_which, planOf) => {
    const { workspace, folder } = await placed(planOf);
    await expect(workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'E_PLAN_WORKSPACE_MISMATCH',
      message: expect.stringContaining('for the workspace'),
    });
    expect(readdirSync(folder)).not.toContain('ran');
    expect(await workspace.runs.list()).toMatchObject({ runs: [] });
  });

  test('nor one that names this one by a link to it: the real path counts', async () => {
    const link = join(temporaryFolder(), 'link');
    const { workspace, folder } = await placed(() => wa(link));
    symlinkSync(folder, link);
    await expect(workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'E_PLAN_WORKSPACE_MISMATCH',
    });
  });

  test('nor is this one called nothing', async () => {
    const { workspace } = await placed(() => wa(''));
    await expect(workspace.prepare('plan.json', { workspace: '' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('workspace'),
    });
  });
});

describe('a plan for this workspace is prepared and runs', () => {
  test.each<[string, (root: string) => object]>([
    ['by the real path of its folder', (root) => wa(root)],
    ['where it names none', () => wa('')],
    ['by a nested plan that names it, or none', (root) => wa(root, nested(wa('', nested(wa(root)))))],
    ['of frctl, that names none', () => frctl(undefined)],
  ])('%s', async (_how, planOf) => {
    const { workspace, root } = await placed(planOf);
    const prepared = await workspace.prepare('plan.json', {});
    expect(prepared.workspace).toEqual({ id: root, root });
    expect(await carryOut(workspace, prepared.run)).toMatchObject({ status: 'succeeded' });
  });

  test('from a folder that is a link to it, and from one below', async () => {
    const { as, folder, root } = await placed((real) => wa(real));
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    mkdirSync(join(folder, 'below'));
    const linked = await as({ folder: link }).prepare('plan.json', {});
    expect(linked.workspace.root).toBe(root);
    const below = await as({ folder: join(folder, 'below') }).prepare('../plan.json', {});
    expect(below.workspace.root).toBe(root);
  });
});

describe('what the plan calls this workspace can be said', () => {
  const acting = { type: 'custom', action_type: 'acts', payload: {} };

  test('and is shown and approved with the run', async () => {
    const { workspace, root } = await placed(() => wa('shop', acting));
    const prepared = await workspace.prepare('plan.json', { workspace: 'shop' });
    expect(prepared.workspace).toEqual({ id: 'shop', root });
    const code = prepared.approval?.code ?? '';
    const shown = await workspace.approve({ code, dryRun: true });
    expect(shown.workspace).toEqual({ id: 'shop', root });
    expect(shown.parts.find(({ title }) => title === 'Workspace')?.lines.join('')).toMatch(/shop/);
    await agree(workspace, code);
    expect(await carryOut(workspace, prepared.run)).toMatchObject({ status: 'succeeded' });
  });

  test('for nested plans too, which may name it or the path', async () => {
    const { workspace } = await placed((root) => wa('shop', nested(wa(root, nested(wa('shop'))))));
    const { run } = await workspace.prepare('plan.json', { workspace: 'shop' });
    expect(await carryOut(workspace, run)).toMatchObject({ status: 'succeeded' });
  });

  test('and makes no other name right', async () => {
    const { workspace } = await placed(() => wa('shop', nested(wa('desk'))));
    await expect(workspace.prepare('plan.json', { workspace: 'shop' })).rejects.toMatchObject({
      code: 'E_PLAN_WORKSPACE_MISMATCH',
      message: expect.stringContaining('step:1 is for the workspace desk'),
    });
    await expect(workspace.prepare('plan.json', {})).rejects.toMatchObject({
      hint: expect.stringContaining('--workspace shop'),
    });
  });
});

/** A text whose lines were folded to the width of a screen. */
const unfolded = (text: string) => text.replaceAll(/\s*\n\s*│ /g, ' ');

describe('a plan_id that the content of its plan does not give', () => {
  test('is told when it is prepared, and is not shown as the id of the plan', async () => {
    const { workspace } = await placed((root) =>
      wa(root, { type: 'custom', action_type: 'acts', payload: {} }),
    );
    const prepared = await workspace.prepare('plan.json', {});
    const { wa: ids } = await workspace.hash('plan.json', {});
    expect(prepared.wa_ids?.plan_id).toBe(ids?.plan_id);
    expect(prepared.warnings).toContainEqual(expect.stringContaining(`the file has the plan_id ${WRONG_ID}`));
    const words = `ID: ${ids?.plan_id ?? ''}; the file has ${WRONG_ID}, which does not match its content`;
    expect(unfolded(prepared.text)).toContain(words);
    const { text } = await workspace.approve({ code: prepared.approval?.code ?? '', dryRun: true });
    expect(unfolded(text)).toContain(words);
  });

  test('is told apart from one that holds, with keys as they stand or sorted', async () => {
    const { workspace, folder, root } = await placed((real) => wa(real));
    const { wa: ids } = await workspace.hash('plan.json', {});
    writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...wa(root), plan_id: ids?.plan_id }));
    const { warnings, text } = await workspace.prepare('plan.json', {});
    expect(warnings).toEqual([]);
    expect(text).not.toContain('does not give');
  });
});
