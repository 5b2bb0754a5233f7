import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync, readJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { agree, carryOut } from '../support/approving.js';
import { temporaryFolder } from '../support/folders.js';
import { startServer } from '../support/http-server.js';

const SERVER = resolve(import.meta.dirname, '../support/mcp/server.mjs');
const SECRET = 'a-very-secret-key';

/** A workspace whose user has a secret; his own config is as given. */
function newPlace(tools: object, step: object, own: object = {}) {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  outputFileSync(join(folder, '.plans/tools.yaml'), JSON.stringify(tools));
  writeFileSync(
    join(folder, 'plan.json'),
    JSON.stringify({ schema_version: '1.0', title: 'Try', steps: [{ id: 's', args: {}, ...step }] }),
  );
  const config = join(home, '.config/frctl/config.json');
  outputFileSync(config, JSON.stringify(own));
  const variables = { PATH: process.env.PATH, AWS_SECRET: SECRET };
  const workspace = openWorkspace({
    environment: { ...defaultEnvironment(), workingFolder: folder, homeFolder: home, variables },
  });
  const trust = async () => workspace.tools.trust({ digest: (await workspace.tools.trust({})).digest });
  return { folder, config, workspace, trust };
}

const node = [process.execPath, SERVER, 'good'];
const reads = { name: 't', effects: 'none' };

describe('a tool that only reads and gets a secret', () => {
  test('is not called before a person has agreed, and the secret is sent nowhere', async () => {
    const server = await startServer((_asked, response) => void response.end('pong'));
    const http = { method: 'GET', url: `${server.origin}/ping`, headers: { 'X-Key': '${env:AWS_SECRET}' } };
    const { workspace, trust } = newPlace({ tools: [{ ...reads, run: { http } }] }, { tool: 't' });
    await trust();
    const { run, requires_approval, approval_because, approval } = await workspace.prepare('plan.json', {});
    expect({ requires_approval, approval_because }).toEqual({
      requires_approval: true,
      approval_because: ['t gets a secret of yours: AWS_SECRET'],
    });
    await expect(carryOut(workspace, run)).rejects.toMatchObject({ code: 'E_PLAN_APPROVAL_MISSING' });
    expect(server.asked).toEqual([]);
    await agree(workspace, approval?.code ?? '');
    expect(await carryOut(workspace, run)).toMatchObject({ status: 'succeeded' });
    expect(server.asked.map(({ headers }) => headers['x-key'])).toEqual([SECRET]);
  });

  test.each([
    [
      'in an address',
      { tools: [{ ...reads, run: { http: { method: 'GET', url: 'https://a.example/${env:AWS_SECRET}' } } }] },
    ],
    [
      'in a body',
      {
        tools: [
          {
            ...reads,
            run: { http: { method: 'POST', url: 'https://a.example', body: [{ a: 'x${env:AWS_SECRET}' }] } },
          },
        ],
      },
    ],
    ['in a command line', { tools: [{ ...reads, run: { command: ['echo', '${env:AWS_SECRET}'] } }] }],
    [
      'in a variable of another name',
      { tools: [{ ...reads, run: { command: ['env'], env: { X: '${env:AWS_SECRET}' } } }] },
    ],
    [
      'in a variable of its own name',
      { tools: [{ ...reads, run: { command: ['env'], env: ['AWS_SECRET'] } }] },
    ],
    [
      'in the argument of a server',
      {
        servers: { s: { command: node } },
        tools: [{ ...reads, run: { mcp: 's/echo', args: { text: '${env:AWS_SECRET}' } } }],
      },
    ],
    [
      'in the environment of its server',
      {
        servers: { s: { command: node, env: ['AWS_SECRET'] } },
        tools: [{ ...reads, run: { mcp: 's/echo', args: { text: 'x' } } }],
      },
    ],
    [
      'by the check that it waits for',
      {
        tools: [
          { ...reads, ready: 'c', run: { command: ['true'] } },
          { name: 'o', effects: 'none', run: { command: ['env'], env: ['AWS_SECRET'] } },
        ],
        checks: { c: { tool: 'o', expect: true } },
      },
    ],
  ])('needs an approval: %s', async (_where, tools) => {
    const { workspace, trust } = newPlace(tools, { tool: 't' });
    await trust();
    expect(await workspace.prepare('plan.json', {})).toMatchObject({
      requires_approval: true,
      approval_because: ['t gets a secret of yours: AWS_SECRET'],
    });
  });

  test('needs one too when it is a condition that calls it', async () => {
    const tools = [
      { ...reads, run: { command: ['true'] } },
      { name: 'o', effects: 'none', run: { command: ['env'], env: ['AWS_SECRET'] } },
    ];
    const { workspace, trust } = newPlace(
      { tools, checks: { c: { tool: 'o', expect: true } } },
      { tool: 't', preconditions: [{ type: 'c', args: {} }] },
    );
    await trust();
    expect(await workspace.prepare('plan.json', {})).toMatchObject({
      approval_because: ['c gets a secret of yours: AWS_SECRET'],
    });
  });

  test('needs none when your own config waives it, and none for what is no secret', async () => {
    const tools = { tools: [{ ...reads, run: { command: ['env'], env: ['AWS_SECRET'] } }] };
    const waived = newPlace(tools, { tool: 't' }, { unasked_tools: ['t'] });
    await waived.trust();
    expect(await waived.workspace.prepare('plan.json', {})).toMatchObject({ requires_approval: false });
    const plain = newPlace(
      { tools: [{ ...reads, run: { command: ['echo', '$${env:X}'], env: ['LANG', 'LC_ALL', 'TERM'] } }] },
      { tool: 't' },
    );
    await plain.trust();
    expect(await plain.workspace.prepare('plan.json', {})).toMatchObject({ requires_approval: false });
  });
});

describe('a tools file that sets a variable which chooses a program', () => {
  const env = { PATH: './.bin:/usr/bin:/bin' };
  const TOOLS = { tools: [{ ...reads, run: { command: ['git', '--version'], env } }] };

  /** A repository with a program of git's name. */
  function hostile(own: object = {}) {
    const place = newPlace(TOOLS, { tool: 't' }, own);
    outputFileSync(join(place.folder, '.bin/git'), '#!/bin/sh\ntouch evil\n');
    chmodSync(join(place.folder, '.bin/git'), 0o755);
    return place;
  }

  test('is not trusted, and says which, why, and how it is allowed', async () => {
    const { folder, config, workspace } = hostile();
    await expect(workspace.tools.trust({})).rejects.toMatchObject({
      code: 'E_UNSAFE_VARIABLE',
      message: expect.stringMatching(
        /env of the tool t sets PATH to "\.\/\.bin:.*where programs are found/,
      ) as string,
      hint: expect.stringContaining(`${config}: {"tools": {"allow_env": ["PATH"]}}`) as string,
      details: { variables: [{ name: 'PATH', place: 'env of the tool t' }] },
    });
    expect(existsSync(join(folder, 'evil'))).toBe(false);
  });

  test('is trusted and shown when the user’s own config allows the name; a project’s config cannot', async () => {
    const { folder, config, workspace, trust } = hostile();
    writeFileSync(join(folder, '.plans/config.json'), JSON.stringify({ tools: { allow_env: ['PATH'] } }));
    await expect(workspace.tools.trust({})).rejects.toMatchObject({ code: 'E_UNSAFE_VARIABLE' });
    await expect(workspace.config.show()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    writeFileSync(join(folder, '.plans/config.json'), '{}');
    writeFileSync(config, JSON.stringify({ tools: { allow_env: ['PATH'] } }));
    await trust();
    await workspace.prepare('plan.json', {});
    // What is allowed no longer runs no longer, although it was trusted.
    const { tools: _tools, ...others } = readJsonSync(config) as Record<string, unknown>;
    writeFileSync(config, JSON.stringify(others));
    await expect(workspace.prepare('plan.json', {})).rejects.toMatchObject({ code: 'E_UNSAFE_VARIABLE' });
    expect(existsSync(join(folder, 'evil'))).toBe(false);
  });

  test('by an argument of a step has the step refused before it is run', async () => {
    const tools = { tools: [{ ...reads, run: { command: ['env', '${x}', 'git', '--version'] } }] };
    const { workspace, trust } = newPlace(tools, { tool: 't', args: { x: 'PATH=./.bin' } });
    await trust();
    await expect(workspace.prepare('plan.json', {})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('would set PATH') as string,
    });
  });
});
