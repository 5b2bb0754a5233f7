import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

import { onTestFinished } from 'vitest';

/** What a server was asked. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on loopback for the length of a test. */
export interface TestServer {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly asked: readonly Asked[];
}

/** Answers as the test says. */
export async function startServer(
  answer: (asked: Asked, response: ServerResponse) => void | Promise<void>,
): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      asked.push(one);
      void answer(one, response);
    });
  });
  const origin = await listening(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, asked };
}

/** Listens, takes connections, and never answers. */
export async function startSilence(): Promise<string> {
  const server = createTcpServer((socket) => socket.on('error', () => undefined));
  const origin = await listening(server);
  onTestFinished(() => void server.close());
  return origin;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
