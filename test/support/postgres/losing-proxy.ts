import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { onTestFinished } from 'vitest';

/** A network between a client and a server that can be told to lose an answer. */
export interface LosingProxy {
  /** The URL through it. */
  readonly url: string;
  /** The next statement with a text in it reaches the server, and its answer is lost with the connection. */
  loseAnswerTo(text: string): void;
  /**
   * The answer to the next statement with a text in it that is not to be lost is kept back.
   * @returns lets it through
   */
  holdAnswerTo(text: string): () => void;
  /** How many answers were lost. */
  readonly lost: () => number;
}

/** @param url of the server */
export async function newLosingProxy(url: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let wanted: string | null = null;
  let held: string | null = null;
  let release: () => void = () => undefined;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = createConnection(Number(port), hostname);
    let isLosing = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        open.delete(socket);
      });
    }
    client.on('data', (chunk) => {
      if (wanted !== null && chunk.includes(wanted)) {
        wanted = null;
        isLosing = true;
      } else if (held !== null && chunk.includes(held)) {
        held = null;
        upstream.pause();
        release = () => upstream.resume();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isLosing) return void client.write(chunk);
      lost += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    loseAnswerTo(text) {
      wanted = text;
    },
    holdAnswerTo(text) {
      held = text;
      return () => release();
    },
    lost: () => lost,
  };
}
