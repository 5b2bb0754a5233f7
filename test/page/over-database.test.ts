import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, onTestFinished, test } from 'vitest';

import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser, openPage, useBrowser } from '../support/browser.js';
import { cutProxyTo } from '../support/cut-proxy.js';
import { startMcp } from '../support/mcp-client.js';
import { servePage } from '../support/page-server.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { databaseUser } from '../support/worker-processes.js';

useBrowser();

/** Somebody else's program on the same database, with a plan of goals. */
async function planIn(databaseUrl: string, goals: readonly string[]) {
  const user = databaseUser();
  const workspace = openWorkspace({
    store: 'postgres',
    databaseUrl,
    environment: { workingFolder: user.folder, homeFolder: user.home, variables: {} },
  });
  const { plan } = await workspace.init({ goal: 'Move house', decompose: false }).result;
  await workspace.split('root', { into: [...goals] }).result;
  return { workspace, plan: plan.id };
}

const CUT_LISTENERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query ilike 'listen %'`;

describe.skipIf(!hasBrowser)('the page over a database', () => {
  test('shows what others do at once, acts, and goes on after its connections were cut', async () => {
    const direct = await newDatabase();
    const proxy = await cutProxyTo(direct);
    onTestFinished(() => proxy.close());
    const { workspace } = await planIn(direct, ['Pack', 'Drive', 'Settle', 'Rest']);
    const { url } = await servePage(databaseUser(), {
      write: true,
      assets: new Map(await pageAssets()),
      variables: { FRCTL_DATABASE_URL: proxy.url },
    });
    const page = await openPage(url);
    await page.getByRole('link', { name: 'Move house' }).click();
    const row = (words: string) => page.getByRole('treeitem', { name: words });
    await row('Pack').getByText('ready').waitFor();
    await workspace.claim('1', { by: 'ana' });
    await row('Pack').getByText('claimed by ana').waitFor();
    // The connection that is told of changes is gone, and made anew.
    expect(await inServer(direct, CUT_LISTENERS)).not.toEqual([]);
    await workspace.claim('2', { by: 'bo' });
    await row('Drive').getByText('claimed by bo').waitFor();
    // The database is away for a while.
    proxy.cut();
    await workspace.claim('3', { by: 'cy' });
    proxy.mend();
    await row('Settle').getByText('claimed by cy').waitFor();
    await row('Rest').click();
    const panel = page.getByRole('complementary', { name: 'The goal' });
    await panel.getByRole('button', { name: 'Claim …' }).click();
    await panel.getByLabel('Who works').fill('dee');
    await panel.getByRole('button', { name: 'Claim it' }).click();
    await row('Rest').getByText('claimed by dee').waitFor();
    expect((await workspace.show('4')).goal.claim).toMatchObject({ by: 'dee' });
  });
});

test('two MCP servers over a database work a plan off at once, each goal once', async () => {
  const databaseUrl = await newDatabase();
  const { workspace, plan } = await planIn(databaseUrl, ['a', 'b', 'c', 'd', 'e', 'f']);
  const done: string[] = [];
  const workOff = async (by: string) => {
    const user = databaseUser();
    outputFileSync(
      join(user.home, '.config/frctl/config.json'),
      JSON.stringify({ database_url: databaseUrl }),
    );
    const host = await startMcp(user, '2025');
    onTestFinished(() => host.close());
    for (;;) {
      const { text } = await host.call('goal_take', { by });
      const [, goal, token] = /^goal: (\S+)\ntoken: (\S+)\n/.exec(text) ?? [];
      if (goal === undefined) return text;
      const ended = await host.call('goal_done', { goal, token, outcome: 'complete', summary: by });
      expect(ended).toMatchObject({ isError: false });
      done.push(goal);
    }
  };
  for (const last of await Promise.all([workOff('ana'), workOff('bo')])) expect(last).toMatch(/^nothing/);
  expect(new Set(done).size).toBe(done.length);
  expect(done).toHaveLength(6);
  expect(await workspace.status(plan)).toMatchObject({ plan: { complete_goals: 6 } });
});
