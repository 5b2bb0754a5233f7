import { describe, expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../../src/workspace.js';
import { cutProxyTo } from '../../support/cut-proxy.js';
import { startMcp } from '../../support/mcp-client.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { databaseUser } from '../../support/worker-processes.js';

const CONNECTIONS = `select count(*)::int as connections from pg_stat_activity
  where datname = current_database() and application_name = 'frctl'`;

function workspaceOn(databaseUrl: string) {
  const user = databaseUser();
  const environment = { workingFolder: user.folder, homeFolder: user.home, variables: {} };
  return openWorkspace({ store: 'postgres', databaseUrl, environment });
}

describe('a workspace over a database', () => {
  test('has no connection left once it is closed, and connects again when it is asked something', async () => {
    const url = await newDatabase();
    const workspace = workspaceOn(url);
    const { plan } = await workspace.init({ goal: 'Move house', decompose: false }).result;
    const connections = () => inServer(url, CONNECTIONS);
    expect(await connections()).not.toEqual([{ connections: 0 }]);
    await workspace.close();
    await expect.poll(connections).toEqual([{ connections: 0 }]);
    expect((await workspace.list()).plans.map(({ id }) => id)).toEqual([plan.id]);
    await workspace.close();
    await expect.poll(connections).toEqual([{ connections: 0 }]);
    await workspace.close();
  });

  test('that is closed while another asks much of the same database leaves it its answers', async () => {
    const url = await newDatabase();
    const [one, two] = [workspaceOn(url), workspaceOn(url)];
    await one.init({ goal: 'Move house', decompose: false }).result;
    const asked = Array.from({ length: 20 }, () => two.list());
    await one.status();
    await one.close();
    const answers = await Promise.all([...asked, ...Array.from({ length: 20 }, () => two.list())]);
    expect(answers.map(({ plans }) => plans.length)).toEqual(Array.from({ length: 40 }, () => 1));
    await two.close();
  });

  test('that is in files, or in memory, has nothing to close', async () => {
    for (const store of ['memory', 'files'] as const)
      await expect(openWorkspace({ store }).close()).resolves.toBeUndefined();
  });
});

describe('a server over a database ends its connections with a word', () => {
  test('the page', async () => {
    const proxy = await cutProxyTo(await newDatabase());
    onTestFinished(() => proxy.close());
    const serving = databaseUser().start(['serve', '--json'], { FRCTL_DATABASE_URL: proxy.url });
    onTestFinished(() => void serving.process.kill('SIGKILL'));
    const said = await new Promise<string>((resolve) => {
      let text = '';
      serving.process.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('}')) resolve(text);
      });
    });
    const url = new URL((JSON.parse(said) as { url: string }).url);
    const token = url.hash.replace('#token=', '');
    // Browsers know that a name below localhost is this machine; not every resolver does.
    url.hostname = '127.0.0.1';
    const answer = await fetch(new URL('/api/plans', url), { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(proxy.farewells()).toBe(0);
    serving.process.kill('SIGTERM');
    await serving.ended;
    expect(proxy.farewells()).toBeGreaterThan(0);
  });

  test('that of MCP', async () => {
    const proxy = await cutProxyTo(await newDatabase());
    onTestFinished(() => proxy.close());
    const host = await startMcp(databaseUser(), '2025', [], { FRCTL_DATABASE_URL: proxy.url });
    await host.call('plan_status', {});
    expect(proxy.farewells()).toBe(0);
    await host.close();
    await expect.poll(() => proxy.farewells()).toBeGreaterThan(0);
  });
});
