import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { startServer } from '../support/http-server.js';

const TOKEN = 'tok-3f9x2w8m1q0zt-secret';

test('a secret that tools use and say back stands nowhere: not in the log, an output, an error, a preview or a report', async () => {
  const server = await startServer(({ headers }, response) => {
    response
      .writeHead(500, { 'x-said': String(headers.authorization) })
      .end(`no: ${String(headers.authorization)}`);
  });
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, '.plans'));
  const tools = {
    tools: [
      {
        name: 'say',
        run: {
          command: ['sh', '-c', 'echo "$1 $T"; echo "$T" >&2', 'sh', '--', '${env:TOKEN}'],
          env: { T: '${env:TOKEN}' },
        },
      },
      {
        name: 'long',
        run: {
          shell: true,
          command: ['for i in $(seq 1 9000); do echo "$T"; done'],
          env: ['TOKEN'],
          output: 'lines',
        },
      },
      {
        name: 'ask',
        run: {
          http: {
            method: 'POST',
            url: `${server.origin}/`,
            headers: { Authorization: 'Bearer ${env:TOKEN}' },
          },
        },
      },
    ],
  };
  const plan = {
    schema_version: '1.0',
    steps: [
      { id: 'a', tool: 'say', args: {} },
      { id: 'b', tool: 'long', args: {}, depends_on: ['a'] },
      { id: 'c', tool: 'ask', args: { said: '$steps.a.text' }, depends_on: ['b'] },
    ],
  };
  writeFileSync(join(folder, '.plans/tools.yaml'), JSON.stringify(tools));
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const variables = { PATH: process.env.PATH, TOKEN };
  const environment = { ...defaultEnvironment(), workingFolder: folder, homeFolder: home, variables };
  const workspace = openWorkspace({ environment });
  const told: unknown[] = [];
  const trust = await workspace.tools.trust({});
  told.push(trust, await workspace.tools.trust({ digest: trust.digest }));
  const prepared = await workspace.prepare('plan.json', {});
  const code = prepared.approval?.code ?? '';
  const shown = await workspace.approve({ code, dryRun: true });
  await workspace.approve({ code, agreed: { via: 'terminal', shown: shown.shown } });
  const run = workspace.run(prepared.run, {});
  for await (const event of run) told.push(event);
  told.push(
    prepared,
    shown,
    await run.result,
    await workspace.runs.show(prepared.run, {}),
    await workspace.runs.log(prepared.run, {}),
  );
  expect(server.asked.map(({ headers }) => headers.authorization)).toContain(`Bearer ${TOKEN}`);
  const written = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const all = JSON.stringify(told) + written.join('\n');
  expect(all).toContain('[secret]');
  for (const form of [TOKEN, TOKEN.slice(0, 12), Buffer.from(TOKEN).toString('base64').slice(0, 16)])
    expect(all).not.toContain(form);
});
