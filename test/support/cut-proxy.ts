import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a server on loopback that can be cut, as a network is, and mended. */
export interface CutProxy {
  /** The URL of the server by this way. */
  readonly url: string;
  /** From now on nothing comes through, either way, and nobody is told; the server takes who is behind it for gone. */
  cut(): void;
  /** Lets new connections through; those from before are found to be broken. */
  mend(): void;
  /** How many bytes the server has sent so far. */
  received(): number;
  /** In how many pieces something was sent to it; a statement is mostly one. */
  asked(): number;
  /** How many connections of PostgreSQL were ended with the word that it has for that. */
  farewells(): number;
  close(): void;
}

/** The last message of a client of PostgreSQL. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);

/** Opens a way to the server of a URL. */
export async function cutProxyTo(target: string): Promise<CutProxy> {
  const url = new URL(target);
  const there = { port: Number(url.port), host: url.hostname };
  const pairs = new Set<readonly [Socket, Socket]>();
  const waiting = new Set<Socket>();
  let isCut = false;
  let received = 0;
  let asked = 0;
  let farewells = 0;
  const through = (client: Socket) => {
    const server = connect(there);
    const pair = [client, server] as const;
    pairs.add(pair);
    client.pipe(server);
    client.on('data', (chunk: Buffer) => {
      asked += 1;
      if (chunk.subarray(-TERMINATE.length).equals(TERMINATE)) farewells += 1;
    });
    server.pipe(client);
    server.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    for (const socket of pair)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          if (isCut) return;
          pairs.delete(pair);
          for (const one of pair) one.destroy();
        });
  };
  const listener = createServer((client) => {
    client.on('error', () => undefined);
    if (isCut) waiting.add(client);
    else through(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  url.port = String((listener.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  const drop = () => {
    for (const [client, server] of pairs) {
      client.destroy();
      server.destroy();
    }
    pairs.clear();
    for (const client of waiting) client.destroy();
    waiting.clear();
  };
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const [client, server] of pairs) {
        client.unpipe(server).pause();
        server.unpipe(client).destroy();
      }
    },
    mend() {
      isCut = false;
      drop();
    },
    received: () => received,
    asked: () => asked,
    farewells: () => farewells,
    close() {
      drop();
      listener.close();
    },
  };
}
