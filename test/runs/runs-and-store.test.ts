import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { carriedOut } from '../../src/features/runs/render/carried-out.js';
import { terminalOf } from '../../src/cli/terminal.js';
import { libraryOf } from '../../src/operations/library.js';
import { OPERATIONS } from '../../src/operations/registry.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { workbench } from '../support/executing.js';
import { temporaryFolder } from '../support/folders.js';
import { startedWith } from '../support/runs.js';
import { newFileStore } from '../support/stores.js';

const PLAN = '0398a958';
const GOAL = `${PLAN}-000001`;

/** A plan of one goal, which runs of a tool that reads can carry out. */
async function place() {
  const folder = temporaryFolder();
  const store = await newFileStore(join(folder, '.plans'));
  const log = await store.create(
    { type: 'plan_created', plan: { id: PLAN, description: 'Move' }, root: { description: 'Move' } },
    [
      {
        type: 'goal_expanded',
        goal: `${PLAN}-root`,
        atomic: false,
        reasoning: 'parts',
        sub_goals: [{ id: GOAL, description: 'Pack', atomic: true, reasoning: 'small', dependencies: [] }],
      },
    ],
  );
  await log.publish('now');
  const steps = [{ id: 'a', tool: 't', args: { text: 'what nobody else is to read' } }];
  writeFileSync(join(folder, 'p.json'), JSON.stringify({ schema_version: '1.0', goal: 'g', steps }));
  const { toolbox } = workbench({ effects: { t: 'none' } }, ['t']);
  const workspace = openWorkspace({ environment: { workingFolder: folder }, toolbox });
  const runs = createFileRunStore(join(folder, '.plans'), () => ({
    id: `by-hand-${Math.random()}`,
    at: new Date().toISOString(),
    by: 'me',
  }));
  const prepare = async (goal?: string) =>
    (await workspace.prepare({ plan: 'p.json', ...(goal === undefined ? {} : { goal }) })).run;
  return { folder, workspace, runs, prepare };
}

describe('a plan that is deleted for good', () => {
  test('takes the runs of its goals with it, and no others', async () => {
    const { folder, workspace, prepare } = await place();
    const [over, unbegun, ofNone] = [await prepare(GOAL), await prepare(GOAL), await prepare()];
    await workspace.run(over).result;
    const { runs: gone = [] } = await workspace.delete(PLAN, { purge: true });
    expect(gone.toSorted()).toEqual([over, unbegun].toSorted());
    const left = readdirSync(join(folder, '.plans/runs')).filter((name) => name.startsWith('run-'));
    expect(left).toEqual([`${ofNone}.events.jsonl`]);
  });

  test('is not, while one of its runs can be gone on with', async () => {
    const { folder, workspace, runs, prepare } = await place();
    const run = await prepare(GOAL);
    const gone = { host: hostname(), pid: 4_194_000, version: '0' };
    await (await runs.open(run)).append([startedWith({ executor: gone })]);
    await expect(workspace.delete(PLAN, { purge: true })).rejects.toMatchObject({
      code: 'WRONG_STATE',
      hint: expect.stringContaining(`plan abort ${run}`),
    });
    expect(existsSync(join(folder, '.plans', `${PLAN}.events.jsonl`))).toBe(true);
    await workspace.abort(run);
    expect(await workspace.delete(PLAN, { purge: true })).toMatchObject({ purged: true, runs: [run] });
  });
});

describe('plan doctor', () => {
  test('names the logs of runs that cannot be read, and what to do', async () => {
    const { folder, workspace, prepare } = await place();
    expect(await workspace.doctor({})).toMatchObject({ healthy: true });
    const [open, over, lost] = [await prepare(), await prepare(), await prepare()];
    await workspace.run(over).result;
    const path = (run: string) => join(folder, '.plans/runs', `${run}.events.jsonl`);
    for (const run of [open, over]) appendFileSync(path(run), '\nnot an event\n');
    writeFileSync(path(lost), readFileSync(path(lost), 'utf8').replace('run_prepared', 'run_preparex'));
    const { healthy, findings } = await workspace.doctor({});
    expect(healthy).toBe(false);
    expect(findings.map(({ code, severity, file, cure }) => [code, severity, file, cure])).toEqual(
      expect.arrayContaining([
        ['RUN_DAMAGED', 'error', path(open), expect.stringContaining(`plan runs show ${open}`)],
        ['RUN_DAMAGED', 'note', path(over), expect.stringContaining(`plan runs prune ${over}`)],
        ['RUN_UNREADABLE', 'error', path(lost), expect.stringContaining(`plan runs prune ${lost}`)],
      ]),
    );
    // Nobody can go on with it or end it, so it can be removed; one that is whole must be ended first.
    await expect(workspace.abort(open)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    const whole = await prepare();
    await expect(workspace.runs.prune([whole])).rejects.toMatchObject({ code: 'WRONG_STATE' });
    await workspace.runs.prune([lost, over, open]);
    expect(await workspace.doctor({})).toMatchObject({ healthy: true });
  });
});

test('undo takes back the goal that a run completed, and says nothing of what the run did', async () => {
  const { folder, workspace, prepare } = await place();
  const run = await prepare(GOAL);
  const { claimed } = await workspace.claim(GOAL);
  const report = await workspace.run(run, { complete: claimed.token }).result;
  expect(report).toMatchObject({ completed_goal: GOAL });
  const terminal = terminalOf(process, false);
  const context = createContext({
    features: FEATURES,
    environment: { ...defaultEnvironment(), workingFolder: folder },
  });
  const shown = { terminal, context, workspace: libraryOf(context, OPERATIONS), folder: '.' };
  const view = { ...shown, input: { run }, options: {}, json: false };
  expect(await carriedOut.render(report, view)).toBe(
    `${run} succeeded (1 done)\nCompleted 1 Pack\nWhich also completes\n  root Move\nEverything is done.\n`,
  );
  await workspace.undo(PLAN, { any: true });
  expect((await workspace.show(GOAL)).goal.status).not.toBe('complete');
  expect((await workspace.runs.show(run)).status).toBe('succeeded');
});
