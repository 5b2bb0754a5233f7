import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import * as z from 'zod';

import type { User } from './command.js';

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
});

type Era = 'handshake' | 'stateless';

/** A server behind the bridge. */
interface Session {
  readonly process: ChildProcess;
  readonly waiting: Map<unknown, (line: string) => void>;
}

export interface McpBridge {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** What a client without a handshake says first; a connection keeps the era of its first message. */
const OPENING = {
  jsonrpc: '2.0',
  id: 'bridge',
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bridge', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

/**
 * Offers `plan mcp`, which speaks on standard input and output, over HTTP: each request and each answer goes on word for word. Clients
 * with a handshake, one after the other, share one server, and those without share another. What a server says unasked stays behind.
 */
export async function startBridge(user: User): Promise<McpBridge> {
  const servers = new Map<Era, Session>();
  const serverOf = (era: Era): Session => {
    const there = servers.get(era);
    if (there !== undefined) return there;
    const server = startSession(user);
    if (era === 'stateless') server.process.stdin?.write(`${JSON.stringify(OPENING)}\n`);
    servers.set(era, server);
    return server;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const line = JSON.stringify(JSON.parse(await textOf(request)));
    const { id, method } = messageSchema.parse(JSON.parse(line));
    const named = request.headers['mcp-session-id'] ?? (method === 'initialize' ? randomUUID() : undefined);
    const session = serverOf(named === undefined ? 'stateless' : 'handshake');
    const answered = id === undefined ? null : new Promise<string>((done) => session.waiting.set(id, done));
    session.process.stdin?.write(`${line}\n`);
    if (answered === null) return void response.writeHead(202).end();
    const text = await answered;
    const headers = {
      'content-type': 'application/json',
      ...(named === undefined ? {} : { 'mcp-session-id': named }),
    };
    response.writeHead(200, headers).end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => response.writeHead(400).end(String(thrown)));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      for (const { process: child } of servers.values()) child.kill('SIGKILL');
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

function startSession(user: User): Session {
  const child = spawn(process.execPath, [resolve('dist/cli/plan.js'), 'mcp'], {
    cwd: user.folder,
    env: { PATH: process.env.PATH ?? '', HOME: user.home, XDG_CONFIG_HOME: `${user.home}/.config` },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting: Session['waiting'] = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method } = messageSchema.parse(JSON.parse(line));
    if (id === undefined || method !== undefined) return;
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  return { process: child, waiting };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
