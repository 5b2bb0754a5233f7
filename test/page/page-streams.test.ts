import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { LIMITS } from '../../src/features/page/server/limits.js';
import { streamStore } from '../../src/features/page/server/store-stream.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { watchStoreOf } from '../../src/features/page/watching/plan-watch.js';
import { openWorkspace } from '../../src/workspace.js';
import { newUser } from '../support/command.js';
import { readLines } from '../support/page-server.js';

/** A reader of a plan and of the store, and how many listeners the plan has. */
async function newReader() {
  const user = newUser();
  const environment = {
    ...defaultEnvironment(),
    workingFolder: user.folder,
    homeFolder: user.home,
    variables: { PATH: process.env.PATH },
  };
  const workspace = openWorkspace({ environment });
  const { plan } = await workspace.init({ goal: 'Move house', decompose: false }).result;
  const watch = watchStoreOf(createContext({ features: FEATURES, environment, warn: () => undefined }));
  let listeners = 0;
  const counted: typeof watch = {
    ...watch,
    async plan(name, listener) {
      const watched = await watch.plan(name, listener);
      listeners += 1;
      return {
        get state() {
          return watched.state;
        },
        stop() {
          listeners -= 1;
          watched.stop();
        },
      };
    },
  };
  const server = createServer((_request, response) =>
    streamStore({ watch: counted, limits: LIMITS }, [plan.id], response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    watch.stop();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  const lines = await readLines(port, '/', '');
  const until = async (text: string) => {
    for (;;) {
      const line = await lines.next();
      if (JSON.stringify(line).includes(text)) return line;
    }
  };
  await until('"whole"');
  return { user, workspace, plan: plan.id, until, watch, listeners: () => listeners };
}

test('a plan that is gone is not looked at for a reader any more, who still reads of the others', async () => {
  const { workspace, plan, until, listeners } = await newReader();
  expect(listeners()).toBe(1);
  await workspace.delete(plan, { purge: true });
  expect(await until('"gone"')).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } });
  await workspace.init({ goal: 'Bake bread', decompose: false }).result;
  await until('"changed"');
  await expect.poll(listeners).toBe(0);
});

test('trouble that passes ends no plan of a reader', async () => {
  const { user, workspace, plan, until } = await newReader();
  const log = join(user.folder, '.plans', `${plan}.events.jsonl`);
  renameSync(log, `${log}.away`);
  mkdirSync(log);
  await until('"changed"');
  // As long as a look at the plan takes, which follows from the same change.
  await wait(400);
  rmdirSync(log);
  renameSync(`${log}.away`, log);
  await workspace.add('Pack', { plan, under: 'root' });
  expect(await until('Pack')).toMatchObject({ plan, type: 'changed' });
});
