import type { Server } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server as NetServer } from 'node:net';

import { errorCode } from '../../../host/files/storage-error.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';

const LOOPBACK = '127.0.0.1';
/** Names that end in `.localhost` lead here too, with most browsers first. */
const LOOPBACK_6 = '::1';
/** How often another free port is looked for. */
const MOST_ATTEMPTS = 20;
/** What says that somebody else listens there, or may; with anything else there is no IPv6 to listen on. */
const TAKEN: ReadonlySet<string | null> = new Set(['EADDRINUSE', 'EACCES']);

/** A server that listens. */
interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Has a server listen on both addresses of loopback, by the same port: to a name that leads to both a browser says nothing
 * that another program could hear.
 * @param port 0 for whichever is free
 * @throws PlanError REFUSED where the port is taken or not to be had
 */
export async function listenOnLoopback(server: Server, port: number): Promise<Listening> {
  // Heard for as long as it serves: what goes wrong with one connection ends no server.
  server.on('error', () => undefined);
  for (let attempt = 1; ; attempt += 1) {
    const found = await listen(server, port, LOOPBACK).catch((thrown: unknown) => {
      throw cannotListen(port, thrown);
    });
    const beside = createServer((socket) => void server.emit('connection', socket));
    try {
      await listen(beside, found, LOOPBACK_6);
    } catch (thrown) {
      if (TAKEN.has(errorCode(thrown))) {
        await closeAll(server, beside);
        if (port !== 0 || attempt === MOST_ATTEMPTS) throw cannotListen(found, thrown);
        continue;
      }
    }
    return { port: found, close: () => closeAll(server, beside) };
  }
}

async function listen(server: NetServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true, ipv6Only: host === LOOPBACK_6 }, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
  // A server that listens on an address has one of this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (server.address() as AddressInfo).port;
}

async function closeAll(server: Server, beside: NetServer): Promise<void> {
  const closed = [server, beside].map(
    (each) => new Promise<void>((resolve) => void each.close(() => resolve())),
  );
  server.closeAllConnections();
  await Promise.all(closed);
}

function cannotListen(port: number, thrown: unknown): PlanError {
  const code = errorCode(thrown);
  const why =
    code === 'EADDRINUSE'
      ? 'another program uses it'
      : code === 'EACCES'
        ? 'it is reserved'
        : messageOf(thrown);
  return new PlanError('REFUSED', `port ${port} cannot be used: ${why}`, {
    hint: { commandLine: 'Give another with --port, or leave it out for any that is free.' },
    details: { port, reason: code ?? '' },
  });
}
