import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, onTestFinished, test } from 'vitest';

import { KITS } from '../../src/features/kits/kits.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { callWith, newWorkplace } from '../support/workplace.js';

function newTool(name: string, options: JsonObject, variables: Readonly<Record<string, string>> = {}) {
  const place = newWorkplace(variables);
  const tool = KITS.flatMap(({ tools }) => tools).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return { place, ...tool.carry(options, { environment: place, markOfLook: () => 'look' }) };
}

test('shell.run runs a program that is allowed, with its words as they are, and its standard input', async () => {
  const { place, call } = newTool('shell.run', { allow: ['tee', 'printf', 'pwd'] });
  const tee = { command: ['tee', '-a', 'copy'], stdin: 'in ${env:HOME}\n' };
  expect(await call(callWith(tee))).toMatchObject({
    outcome: 'succeeded',
    output: { text: tee.stdin, exit: 0 },
  });
  expect(readFileSync(join(place.root, 'copy'), 'utf8')).toBe(tee.stdin);
  const words = ['%s|', '-n', '$HOME', '${env:HOME}', ' a b ', '${word1}'];
  expect(await call(callWith({ command: ['printf', ...words] }))).toMatchObject({
    output: { text: '-n|$HOME|${env:HOME}| a b |${word1}|' },
  });
});

test('shell.run refuses any other program, when the plan is prepared and when it is called', async () => {
  const { call, problem } = newTool('shell.run', { allow: ['tee'] });
  for (const program of ['sh', '/usr/bin/tee', './tee', 'tee ']) {
    const args = { command: [program] };
    expect(problem?.({ args, later: new Set() })).toContain('POLICY_DENIED');
    expect(await call(callWith(args))).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'POLICY_DENIED' },
    });
  }
  const [, shell] = KITS;
  for (const allow of [[], ['../x'], ['a b'], ['/bin/sh']])
    expect(shell?.options.safeParse({ allow }).success).toBe(false);
});

test('shell.run names the files of its program, its words and its standard input, so that none is swapped', async () => {
  const { place, named } = newTool('shell.run', { allow: ['sh'] }, { PATH: '/usr/bin:/bin' });
  for (const name of ['a.sh', 'b.sh', 'in/c.sh']) outputFileSync(join(place.root, name), '#!/bin/sh\n');
  const filesOf = async (args: JsonObject) =>
    (await named?.({ args, later: new Set() }))?.map(({ path }) => path);
  expect(await filesOf({ command: ['sh', './a.sh'] })).toEqual(['a.sh']);
  expect(await filesOf({ command: ['sh', '-c', '. ./a.sh; $1', '${env:PATH}'] })).toEqual(['a.sh']);
  expect(await filesOf({ command: ['sh'], stdin: './b.sh' })).toEqual(['b.sh']);
  expect(await filesOf({ command: ['sh', 'c.sh'], folder: 'in' })).toEqual(['in/c.sh']);
  expect(await filesOf({ command: ['sh', '-c', 'true'] })).toEqual([]);
});

test('shell.run names the files of what is known of a call, and nothing where its folder or its command is not', async () => {
  const { place, named } = newTool('shell.run', { allow: ['sh'] }, { PATH: '/usr/bin:/bin' });
  for (const name of ['a.sh', 'b.sh', 'in/a.sh', 's.sh'])
    outputFileSync(join(place.root, name), '#!/bin/sh\n');
  const filesOf = async (args: JsonObject, ...later: readonly string[]) =>
    (await named?.({ args, later: new Set(later) }))?.map(({ path }) => path);
  const command = ['sh', 'a.sh', '$steps.s.text', '${HOME}/b.sh', '{{steps.s.sh}}'];
  expect(await filesOf({ command: ['sh', 'a.sh'], stdin: '$steps.s.text' }, 'stdin')).toEqual(['a.sh']);
  expect(await filesOf({ command: ['sh', 'a.sh'], timeoutMs: '{{steps.s.n}}' }, 'timeoutMs')).toEqual([
    'a.sh',
  ]);
  expect(await filesOf({ command, stdin: './s.sh' }, 'command')).toEqual(['a.sh', 'b.sh', 's.sh']);
  expect(await filesOf({ command: ['{{steps.s.sh}}', 'a.sh'] }, 'command')).toEqual(['a.sh']);
  expect(await filesOf({ command: '{{steps.s.list}}' }, 'command')).toEqual([]);
  expect(await filesOf({ command: ['sh', 'a.sh'], folder: '{{steps.s.in}}' }, 'folder')).toEqual([]);
});

test('http sends what it is given to an origin that is allowed, and to no other', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-a'])} ${body}`);
      response.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  onTestFinished(() => void server.close());
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { call, problem } = newTool('http.post', { origins: [origin] }, { KEY: 'secret' });
  const args = { url: `${origin}/a?b`, headers: { 'x-a': '${env:KEY}' }, body: { n: '${url}' } };
  expect(await call(callWith(args))).toMatchObject({
    outcome: 'succeeded',
    output: { status: 200, json: { ok: true } },
  });
  expect(seen).toEqual(['POST /a?b ${env:KEY} {"n":"${url}"}']);
  for (const url of [
    'http://example.org/',
    `${origin}.example.org/`,
    'file:///etc/passwd',
    `http://u:p@127.0.0.1/`,
  ]) {
    expect(problem?.({ args: { url }, later: new Set() })).not.toBeNull();
    expect(await call(callWith({ url }))).toMatchObject({ outcome: 'not_sent' });
  }
  expect(seen).toHaveLength(1);
  const kit = KITS.find(({ name }) => name === 'http');
  for (const one of ['example.org', 'https://example.org/path', 'file:///', 'ftp://x'])
    expect(kit?.options.safeParse({ origins: [one] }).success).toBe(false);
  expect(kit?.tools.map(({ name, effects }) => `${name} ${effects}`)).toEqual([
    'http.get none',
    'http.put idempotent',
    'http.delete idempotent',
    'http.post once',
    'http.patch once',
  ]);
});

test('http sends no header that says which server is meant, or where a request ends', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(String(request.headers.host));
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  const { call, problem } = newTool('http.post', { origins: [new URL(url).origin] });
  const values = {
    Host: 'other.example',
    'content-length': '1',
    'Transfer-encoding': 'chunked',
    expect: 'x',
  };
  for (const [name, value] of Object.entries({ ...values, connection: 'upgrade', te: 'trailers' })) {
    const args = { url, headers: { 'x-a': 'b', [name]: value }, body: 'abc' };
    expect(problem?.({ args, later: new Set() })).toContain(name);
    expect(problem?.({ args, later: new Set(['headers']) })).toBeNull();
    expect(await call(callWith(args))).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'POLICY_DENIED', message: `the header ${name} is set by frctl alone` },
    });
  }
  expect(await call(callWith({ url, headers: { 'x-a': 'b' } }))).toMatchObject({ outcome: 'succeeded' });
  expect(seen).toEqual([new URL(url).host]);
});
