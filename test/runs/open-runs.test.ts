import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { newUser } from '../support/command.js';
import { workbench } from '../support/executing.js';
import { attemptOf, startedWith } from '../support/runs.js';
import { newFileStore } from '../support/stores.js';

const lost = { outcome: 'lost', error: { code: 'LOST', message: 'it was cut', retryable: true } } as const;

/** A start by a process of this machine that is gone. */
const GONE = startedWith({ executor: { host: hostname(), pid: 4_194_000, version: '0' } });

/** A folder with two plans of one goal each, and tools of which `act` acts once, and `cut` is cut off. */
async function place() {
  const user = newUser();
  const store = await newFileStore(join(user.folder, '.plans'));
  for (const id of ['0398a958', '1398a958']) {
    const log = await store.create(
      { type: 'plan_created', plan: { id, description: `Plan ${id}` }, root: { description: 'Move' } },
      [
        {
          type: 'goal_expanded',
          goal: `${id}-root`,
          atomic: false,
          reasoning: 'parts',
          sub_goals: [
            { id: `${id}-000001`, description: 'Pack', atomic: true, reasoning: 'small', dependencies: [] },
          ],
        },
      ],
    );
    await log.publish('now');
  }
  const { toolbox } = workbench(
    { effects: { act: 'once', cut: 'once', read: 'none' }, tools: { cut: () => lost } },
    ['act', 'cut', 'read'],
  );
  const workspace = openWorkspace({
    environment: { workingFolder: user.folder, homeFolder: user.home },
    toolbox,
  });
  const prepare = async (tool: string, goal?: string) => {
    const steps = [{ id: 'a', tool, args: {} }];
    writeFileSync(
      join(user.folder, `${tool}.json`),
      JSON.stringify({ schema_version: '1.0', goal: 'g', steps }),
    );
    return (await workspace.prepare({ plan: `${tool}.json`, ...(goal === undefined ? {} : { goal }) })).run;
  };
  const runs = createFileRunStore(join(user.folder, '.plans'), () => ({
    id: `by-hand-${Math.random()}`,
    at: new Date().toISOString(),
    by: 'me',
  }));
  const status = async () => (await workspace.status('0398a958')).runs;
  return { user, workspace, prepare, runs, status };
}

test('the status of a plan names the runs that need somebody, why, and with which command', async () => {
  const { user, workspace, prepare, runs, status } = await place();
  expect(await status()).toBeUndefined();

  const over = await prepare('read');
  await workspace.run(over).result;
  expect(await status()).toBeUndefined();

  const unapproved = await prepare('act', '0398a958-000001');
  const ofAnother = await prepare('act', '1398a958-000001');
  const interrupted = await runs.open(await prepare('read'));
  await interrupted.append([GONE]);
  const killed = await runs.open(await prepare('read'));
  const [start] = await killed.append([GONE]);
  const tool = {
    tool: 'read',
    definition: killed.run.prepared.tools[0]?.definition ?? '',
    effects: 'once',
  } as const;
  await killed.append([attemptOf('a', 1, { executor: start?.event.id ?? '', ...tool })]);
  const asking = await runs.open(await prepare('read'));
  await asking.append([
    GONE,
    { type: 'waiting', step: 'a', for: 'outcome', summary: 'nobody knows whether a (read) took effect' },
  ]);

  const listed = (await status()) ?? [];
  expect(listed.map(({ run }) => run)).not.toContain(ofAnother);
  expect(Object.fromEntries(listed.map(({ run, why, command }) => [run, `${why}: ${command}`]))).toEqual({
    [unapproved]: 'nobody has approved it yet: plan approve CODE',
    [interrupted.run.id]: `it was interrupted: plan run ${interrupted.run.id}`,
    [killed.run.id]:
      `it was interrupted; nobody knows whether a took effect: plan runs show ${killed.run.id}`,
    [asking.run.id]: `nobody knows whether a (read) took effect: plan runs show ${asking.run.id}`,
  });

  const { out } = await user.run(['status', '0398a958']);
  expect(out).toContain('4 runs need somebody');
  expect(out).toContain(`  ${unapproved}  nobody has approved it yet\n    \`plan approve CODE\`\n`);
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);

  await workspace.abort(asking.run.id);
  expect((await status())?.map(({ run }) => run)).not.toContain(asking.run.id);
});

test('the list of runs fits a narrow terminal, and names plans from where the user is', async () => {
  const { user, workspace, prepare } = await place();
  await workspace.run(await prepare('read')).result;
  await prepare('act');
  const deep = join('a-folder-of-some-length', 'and-another-one-in-it', 'release-of-the-year.json');
  mkdirSync(join(user.folder, dirname(deep)), { recursive: true });
  writeFileSync(join(user.folder, deep), readFileSync(join(user.folder, 'act.json')));
  await workspace.prepare(deep);
  const { out } = await user.run(['runs'], { COLUMNS: '80' });
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(out).toMatch(/prepared, not approved {2}\d+ s ago {2}…\S*release-of-the-year\.json\n/);
  expect(out).toMatch(/prepared, not approved {2}\d+ s ago {2}act\.json\n/);
  expect(out).toMatch(/succeeded {2}1 done {2}\d+ s ago {2}read\.json\n/);
});
