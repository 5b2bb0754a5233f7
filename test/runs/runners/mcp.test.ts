import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { readToolsFile } from '../../../src/features/actions/tools/read-tools-file.js';
import { openToolbox } from '../../../src/features/runs/runners/toolbox.js';
import { definitionDigest } from '../../../src/features/runs/model/tools/definition-digest.js';
import type { Outcome, Tool, Toolbox } from '../../../src/features/runs/model/tool.js';
import { startServer, startSilence } from '../../support/http-server.js';
import type { TestServer } from '../../support/http-server.js';
import { callWith, newWorkplace } from '../../support/workplace.js';

const SERVER = resolve(import.meta.dirname, '../../support/mcp/server.mjs');
const NAMES = ['echo', 'structured', 'secret', 'fails'];

async function toolboxOf(
  server: object,
  tools: readonly string[] = NAMES,
  environment = newWorkplace(),
): Promise<Toolbox> {
  const file = readToolsFile(JSON.stringify({ servers: { s: { tools: NAMES, ...server } } }), 'tools.json');
  const box = await openToolbox({
    file,
    needed: { tools, conditions: [] },
    environment,
    run: `run-${process.pid}`,
  });
  onTestFinished(() => box.close());
  return box;
}

const stdio = (mode: string, more: object = {}) => ({ command: [process.execPath, SERVER, mode], ...more });
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const toolOf = (box: Toolbox, name: string): Tool => {
  const tool = box.tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};
/** So long 100 MB may take on a busy machine: how long they take is not what is asked. */
const PATIENT = { timeoutMs: 55_000 };
const call = (box: Toolbox, name: string, args = {}, more = {}): Promise<Outcome> =>
  toolOf(box, name).call(callWith(args, more));

describe('an MCP server over standard input and output', () => {
  test('is called with the key of the step, and answers with text, data or a failure', async () => {
    const environment = newWorkplace();
    const ledger = join(environment.root, 'ledger');
    const box = await toolboxOf({ command: [process.execPath, SERVER, 'good', ledger] }, NAMES, environment);
    expect(toolOf(box, 'echo').definition()).toMatchObject({
      description: 'Says it back.',
      inputSchema: { required: ['text'] },
      annotations: { readOnlyHint: true },
      effects: 'once',
    });
    expect(await call(box, 'echo', { text: 'ä' })).toEqual({ outcome: 'succeeded', output: { text: 'ä' } });
    expect(await call(box, 'structured')).toEqual({ outcome: 'succeeded', output: { n: 7 } });
    expect(await call(box, 'fails')).toMatchObject({
      outcome: 'failed',
      error: { code: 'TOOL_FAILED', message: 's/fails: it did not work' },
    });
    expect(readFileSync(ledger, 'utf8')).toContain(`echo ${'k'.repeat(32)}\n`);
  });

  test('gets the variables that are listed, and what it tells of them is blotted out', async () => {
    const environment = newWorkplace({ TOKEN: 'token-of-a-user', OTHER: 'x' });
    const box = await toolboxOf(stdio('good', { env: ['TOKEN'] }), ['secret'], environment);
    expect(await call(box, 'secret')).toEqual({
      outcome: 'succeeded',
      output: { text: '[secret] FRCTL_ATTEMPT HOME PATH TOKEN' },
    });
  });

  test('that ends is told of with the last that it said, and with no part of a secret at its beginning', async () => {
    const environment = newWorkplace({ TOKEN: 'token-of-a-user' });
    for (const length of [1990, 1997, 2003, 2010]) {
      const script = `process.stderr.write(process.env.TOKEN + 'ä'.repeat(${length}), () => process.exit(3))`;
      const server = { command: [process.execPath, '-e', script], env: ['TOKEN'] };
      const told = await toolboxOf(server, ['echo'], environment).catch((thrown: unknown) => String(thrown));
      expect(told).toMatch(/it ended with 3: (?:\[secret\])?ä{1000}/);
      expect(told).not.toMatch(/user|\uFFFD/);
    }
  });

  test.each(['banner', 'grandchild', 'garbage', 'old', 'touchy'])(
    'that has a habit (%s) is understood, and leaves nothing behind',
    async (mode) => {
      const box = await toolboxOf(stdio(mode), ['echo']);
      expect(await call(box, 'echo', { text: 'x' })).toMatchObject({
        outcome: 'succeeded',
        output: { text: mode === 'garbage' ? 'after all' : 'x' },
      });
      await box.close();
      const left = execFileSync('sh', [
        '-c',
        'grep -lazs "$0" /proc/[0-9]*/environ || true',
        `FRCTL_ATTEMPT=run-${process.pid}/server`,
      ]);
      expect(left.toString()).toBe('');
    },
  );

  test('that hangs is waited for no longer than the attempt may take, and another call can be made', async () => {
    const box = await toolboxOf(stdio('hang'), ['echo']);
    expect(await call(box, 'echo', { text: 'x' }, { timeoutMs: 200 })).toMatchObject({
      outcome: 'timed_out',
    });
    const stop = new AbortController();
    const dropped = call(box, 'echo', { text: 'x' }, { signal: stop.signal });
    await wait(50);
    stop.abort();
    expect(await dropped).toMatchObject({ outcome: 'lost', error: { code: 'CANCELLED' } });
  });

  test('that dies during a call leaves nobody knowing; the next call starts it anew', async () => {
    const environment = newWorkplace();
    const ledger = join(environment.root, 'ledger');
    const box = await toolboxOf(
      { command: [process.execPath, SERVER, 'die', ledger] },
      ['echo'],
      environment,
    );
    expect(await call(box, 'echo', { text: 'x' })).toMatchObject({
      outcome: 'lost',
      error: { code: 'CONNECTION_LOST' },
    });
    expect(await call(box, 'echo', { text: 'x' })).toMatchObject({ outcome: 'lost' });
    expect(readFileSync(ledger, 'utf8').split('\n')).toHaveLength(3);
  });

  test('that says 100 MB in one message is ended, and its bytes are not kept', async () => {
    const box = await toolboxOf(stdio('flood'), ['echo']);
    // Of this process: other tests have run in it as well.
    const before = process.memoryUsage().rss;
    expect(await call(box, 'echo', { text: 'x' }, PATIENT)).toMatchObject({ outcome: 'lost' });
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 ** 2);
  });

  test('that lies about its schema has failed, and is not asked again', async () => {
    const box = await toolboxOf(stdio('lies'), ['structured']);
    expect(await call(box, 'structured')).toMatchObject({ outcome: 'failed', error: { retryable: false } });
  });

  test('that changes a tool after it was approved is not called', async () => {
    // With a word, by taking it away, and without a word.
    for (const mode of ['changes', 'gone', 'silent']) {
      const environment = newWorkplace();
      const ledger = join(environment.root, 'ledger');
      const box = await toolboxOf(
        { command: [process.execPath, SERVER, mode, ledger] },
        ['echo', 'structured'],
        environment,
      );
      // What the server said of its tools comes before its answer.
      await call(box, 'structured');
      expect(await call(box, 'echo', { text: 'x' })).toMatchObject({
        outcome: 'not_sent',
        error: { code: 'E_TOOL_CHANGED' },
      });
      expect(readFileSync(ledger, 'utf8')).not.toContain('echo');
    }
  });

  test('that cannot be started, exits, never answers, or has no such tool is refused before anything runs', async () => {
    await expect(toolboxOf({ command: ['no-such-server'] })).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(toolboxOf(stdio('exits'))).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('no display'),
    });
    await expect(toolboxOf(stdio('never-answers', { start_ms: 300 }))).rejects.toMatchObject({
      code: 'REFUSED',
    });
    await expect(toolboxOf(stdio('good', { tools: ['other'] }), ['other'])).rejects.toMatchObject({
      code: 'E_TOOL_CHANGED',
    });
  });

  test('that never answers has ended by the time that this is told', async () => {
    const environment = newWorkplace();
    const ledger = join(environment.root, 'ledger');
    const server = { command: [process.execPath, SERVER, 'never-answers', ledger], start_ms: 500 };
    await expect(toolboxOf(server, ['echo'], environment)).rejects.toMatchObject({ code: 'REFUSED' });
    const started = readFileSync(ledger, 'utf8').trim().split('\n').map(Number);
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(isRunning)).toEqual([]);
  });

  test('has another definition as soon as it is started in another way', async () => {
    const [one, same, other] = [
      await toolboxOf(stdio('good'), ['echo']),
      await toolboxOf(stdio('good'), ['echo']),
      await toolboxOf(stdio('banner'), ['echo']),
    ];
    const digests = [one, same, other].map((box) => definitionDigest(toolOf(box, 'echo').definition()));
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
  });
});

describe('an MCP server over HTTP', () => {
  const answer = (
    asked: TestServer['asked'][number],
    reply: (method: string, params: Record<string, unknown>) => unknown,
  ) => {
    const { id, method, params } = JSON.parse(asked.body) as {
      id?: number;
      method: string;
      params: Record<string, unknown>;
    };
    if (method === 'initialize')
      return {
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'h', version: '1' },
        },
      };
    if (method === 'tools/list')
      return { jsonrpc: '2.0', id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } };
    if (method === 'tools/call') return { jsonrpc: '2.0', id, result: reply(method, params) };
    return id === undefined
      ? null
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
  };
  const serve = (reply: () => unknown) =>
    startServer((asked, response) => {
      if (asked.method !== 'POST') return void response.writeHead(405).end();
      const said = answer(asked, reply);
      if (said === null) return void response.writeHead(202).end();
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });

  test('is called with its headers, and a secret that it says back is blotted out', async () => {
    const server = await serve(() => ({
      content: [{ type: 'text', text: 'you said Bearer token-of-a-user' }],
    }));
    const environment = newWorkplace({ TOKEN: 'token-of-a-user' });
    const box = await toolboxOf(
      { url: `${server.origin}/mcp`, headers: { Authorization: 'Bearer ${env:TOKEN}' }, tools: ['echo'] },
      ['echo'],
      environment,
    );
    expect(await call(box, 'echo', { text: 'x' })).toEqual({
      outcome: 'succeeded',
      output: { text: 'you said Bearer [secret]' },
    });
    expect(server.asked.every(({ headers }) => headers.authorization === 'Bearer token-of-a-user')).toBe(
      true,
    );
    expect(JSON.stringify(toolOf(box, 'echo').definition())).not.toContain('token-of-a-user');
  });

  test('that answers with 100 MB, or leads elsewhere, is not listened to', async () => {
    const server = await serve(() => ({ content: [{ type: 'text', text: 'x'.repeat(100_000_000) }] }));
    const box = await toolboxOf({ url: server.origin, tools: ['echo'] }, ['echo']);
    expect(await call(box, 'echo', {}, PATIENT)).toMatchObject({ outcome: 'lost' });
    const other = await startServer((_asked, response) => void response.end());
    const leading = await startServer(
      (_asked, response) => void response.writeHead(307, { location: other.origin }).end(),
    );
    await expect(
      toolboxOf({ url: leading.origin, tools: ['echo'], start_ms: 2000 }, ['echo']),
    ).rejects.toMatchObject({
      code: 'REFUSED',
      message: `the server s at ${leading.origin} could not be used: it was answered with 307; it leads to ${other.origin}, and redirects are not followed`,
    });
    expect(other.asked).toEqual([]);
  });

  test('that asks in floods in place of an answer is closed, and what it asks is not answered on and on', async () => {
    const server = await startServer((asked, response) => {
      if (asked.method !== 'POST') return void response.writeHead(405).end();
      const { method } = JSON.parse(asked.body) as { method?: string };
      if (method !== 'tools/call') {
        const said = answer(asked, () => ({}));
        if (said === null) return void response.writeHead(202).end();
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let number = 0;
      const flood = (): void => {
        while (!response.destroyed && number < 100_000) {
          number += 1;
          const ping = JSON.stringify({ jsonrpc: '2.0', id: `q${number}`, method: 'ping' });
          if (!response.write(`event: message\ndata: ${ping}\n\n`)) return void response.once('drain', flood);
        }
      };
      flood();
    });
    const box = await toolboxOf({ url: server.origin, tools: ['echo'] }, ['echo']);
    expect(await call(box, 'echo', {}, PATIENT)).toMatchObject({
      outcome: 'lost',
      error: { code: 'CONNECTION_LOST', message: expect.stringContaining('it sent more requests') },
    });
    expect(server.asked.length).toBeLessThan(500);
  });

  test('that refuses a call by its status has failed it, and nobody is asked what became of it', async () => {
    let refuse: (response: ServerResponse) => unknown = () => undefined;
    const server = await startServer((asked, response) => {
      if (asked.method !== 'POST') return void response.writeHead(405).end();
      if (asked.body.includes('"tools/call"')) return void refuse(response);
      const said = answer(asked, () => ({}));
      if (said === null) return void response.writeHead(202).end();
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
    const box = await toolboxOf({ url: server.origin, tools: ['echo'] }, ['echo']);
    for (const [status, retryable] of [
      [400, false],
      [401, false],
      [403, false],
      [429, true],
      [500, true],
      [503, true],
    ] as const) {
      refuse = (response) => response.writeHead(status, { 'www-authenticate': 'Bearer' }).end('not\ntoday');
      expect(await call(box, 'echo')).toEqual({
        outcome: 'failed',
        error: { code: 'HTTP_STATUS', message: `s/echo was answered with ${status}: not today`, retryable },
      });
    }
    refuse = (response) => response.writeHead(302, { location: 'http://elsewhere.test/' }).end();
    expect(await call(box, 'echo')).toMatchObject({
      outcome: 'failed',
      error: {
        message:
          's/echo was answered with 302; it leads to http://elsewhere.test/, and redirects are not followed',
      },
    });
    refuse = (response) => response.destroy();
    expect(await call(box, 'echo')).toMatchObject({ outcome: 'lost' });
  });

  test('that lists a tool without a schema is told so in words', async () => {
    const server = await startServer((asked, response) => {
      if (asked.method !== 'POST') return void response.writeHead(405).end();
      const said = answer(asked, () => ({}));
      if (said === null) return void response.writeHead(202).end();
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(said).replace(',"inputSchema":{"type":"object"}', ''));
    });
    await expect(toolboxOf({ url: server.origin, tools: ['echo'] }, ['echo'])).rejects.toMatchObject({
      message: 'the server s did not list its tools: in what it answered, tools[0].inputSchema is missing',
    });
  });

  test('that is not there, or never answers, is refused before anything runs', async () => {
    const gone = createTcpServer();
    await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
    const { port } = gone.address() as AddressInfo;
    await new Promise((done) => gone.close(done));
    const url = `http://127.0.0.1:${port}/of-me?key=\${env:KEY}`;
    await expect(
      toolboxOf({ url, tools: ['echo'] }, ['echo'], newWorkplace({ KEY: 'key-of-a-user' })),
    ).rejects.toMatchObject({
      code: 'REFUSED',
      message: `the server s at http://127.0.0.1:${port} could not be used: nothing listens at that address (ECONNREFUSED)`,
    });
    const silent = await startSilence();
    await expect(toolboxOf({ url: silent, tools: ['echo'], start_ms: 300 }, ['echo'])).rejects.toMatchObject({
      code: 'REFUSED',
    });
  });
});
