import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { readToolsFile } from '../../../src/features/actions/tools/read-tools-file.js';
import { openToolbox, sandboxWarnings } from '../../../src/features/runs/runners/toolbox.js';
import type { Toolbox } from '../../../src/features/runs/model/tool.js';
import { callWith, newWorkplace } from '../../support/workplace.js';
import type { TestWorkplace } from '../../support/workplace.js';

async function open(
  text: string,
  environment: TestWorkplace,
  needed: { tools?: string[]; conditions?: string[] },
): Promise<Toolbox> {
  const file = readToolsFile(text, 'tools.yaml');
  const box = await openToolbox({
    file,
    needed: { tools: [], conditions: [], ...needed },
    environment,
    run: 'run-1',
  });
  onTestFinished(() => box.close());
  return box;
}

test('a condition calls its tool and holds what comes of it against its schema', async () => {
  const environment = newWorkplace();
  writeFileSync(join(environment.root, 'url'), 'https://example.org/docs');
  const text = `
tools: [{ name: url, run: { command: [cat, url] } }, { name: read, run: { file: read } }]
checks:
  soul:UrlMatches: { tool: url, args: {}, expect: { type: string, pattern: '\${args.pattern}' } }
  holds: { tool: read, args: { path: '\${file}' }, expect: { properties: { text: { const: '\${text}' } }, required: [text] } }
`;
  const box = await open(text, environment, { conditions: ['soul:UrlMatches', 'holds'] });
  const look = (type: string, args: Record<string, string>) =>
    box.conditions.get(type)?.look({ args, timeoutMs: 5000, signal: new AbortController().signal });
  expect(await look('soul:UrlMatches', { pattern: '/docs$' })).toMatchObject({ ok: true });
  expect(await look('soul:UrlMatches', { pattern: '/blog$' })).toMatchObject({
    ok: false,
    detail: expect.stringContaining('example.org'),
  });
  expect(await look('soul:UrlMatches', {})).toMatchObject({
    ok: false,
    detail: expect.stringContaining('pattern'),
  });
  expect(await look('soul:UrlMatches', { pattern: '(' })).toMatchObject({ ok: false });
  expect(await look('holds', { file: 'url', text: 'https://example.org/docs' })).toMatchObject({ ok: true });
  expect(await look('holds', { file: 'gone', text: 'x' })).toMatchObject({ ok: false });
  expect(await look('holds', { file: 'url' })).toMatchObject({
    ok: false,
    detail: expect.stringContaining('text'),
  });
});

test('a script of the workspace that changes after it was approved is not run', async () => {
  const environment = newWorkplace();
  writeFileSync(join(environment.root, 'check.sh'), '#!/bin/sh\necho good\n');
  chmodSync(join(environment.root, 'check.sh'), 0o755);
  writeFileSync(join(environment.root, 'check.mjs'), 'console.log("good")');
  const text = `tools: [{ name: a, run: { command: [./check.sh] } }, { name: b, run: { command: ['${process.execPath}', --no-warnings, check.mjs] } }]`;
  const box = await open(text, environment, { tools: ['a', 'b'] });
  for (const name of ['a', 'b'])
    expect(await box.tools.get(name)?.call(callWith({}))).toMatchObject({ output: { text: 'good\n' } });
  writeFileSync(join(environment.root, 'check.sh'), '#!/bin/sh\necho evil\n');
  writeFileSync(join(environment.root, 'check.mjs'), 'console.log("evil")');
  for (const name of ['a', 'b'])
    expect(await box.tools.get(name)?.call(callWith({}))).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'E_TOOL_CHANGED' },
    });
});

test('what a tool would replace is told before it runs, and a name that is wrong when it does', async () => {
  const environment = newWorkplace();
  const box = await open('tools: [{ name: w, run: { file: write } }]', environment, { tools: ['w'] });
  expect(await box.tools.get('w')?.inputs?.({ path: 'a', text: '' })).toEqual([{ path: 'a', sha256: null }]);
  expect(await box.tools.get('w')?.inputs?.({ path: '../a', text: '' })).toEqual([]);
});

test('a sandbox that is demanded and not there is refused before anything runs', async () => {
  const environment = { ...newWorkplace(), variables: { PATH: '/nowhere' } };
  const tools =
    'tools: [{ name: a, run: { command: [/bin/true], sandbox: workspace } }, { name: b, run: { command: [/bin/true] } }]';
  await expect(open(`${tools}\nrequire_sandbox: true`, environment, { tools: ['a'] })).rejects.toMatchObject({
    code: 'E_SANDBOX_MISSING',
  });
  await expect(open(`${tools}\nrequire_sandbox: true`, environment, { tools: ['b'] })).resolves.toBeDefined();
  await expect(
    open(`${tools}\nrequire_sandbox: true\nsandbox: read-only`, environment, { tools: ['b'] }),
  ).rejects.toMatchObject({ code: 'E_SANDBOX_MISSING' });
});

test('a sandbox that is asked for and not there is warned of where it is not demanded', async () => {
  const environment = { ...newWorkplace(), variables: { PATH: '/nowhere' } };
  const text = `tools: [{ name: a, run: { command: [x], sandbox: workspace } }, { name: b, run: { command: [x] } }]`;
  const file = readToolsFile(text, 'tools.yaml');
  const needed = { tools: ['a', 'b'], conditions: [] };
  const warned = await sandboxWarnings({ file, needed, environment });
  expect(warned.map(({ tool }) => tool)).toEqual(['a']);
});
