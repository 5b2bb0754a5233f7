import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { PageAsset } from '../watching/page-assets.js';
import type { OperationTable } from '../../../operations/registered-operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { watchStoreOf } from '../watching/plan-watch.js';
import { boundedConnections } from './connections.js';
import type { ConnectionKind } from './connections.js';
import { NO_TARGET, requestRefusal, requestTarget } from './guard.js';
import { LIMITS } from './limits.js';
import { listenOnLoopback } from './loopback.js';
import type { Limits } from './limits.js';
import { answerRoute } from './routes.js';
import { sendRefused } from './send.js';
import { newSession } from './session.js';

/** A server of the page. */
export interface PageServer {
  readonly port: number;
  /**
   * What a browser opens: it holds the token, which is never sent as a part of an address. Its name is drawn anew for each
   * server, so that nothing that another program has left in the browser for an origin of before, such as a service worker,
   * is asked.
   */
  readonly url: string;
  /** The same with a code in place of the token that is good once and for a minute. @param whenUsed called when it was */
  newOpeningUrl(whenUsed?: () => void): string;
  close(): Promise<void>;
}

export interface PageServerOptions {
  /** 0 for whichever is free. */
  readonly port: number;
  readonly write: boolean;
  readonly operations: OperationTable;
  readonly newContext: () => Context;
  readonly assets: ReadonlyMap<string, PageAsset>;
  readonly limits?: Partial<Limits>;
}

const NAME_BYTES = 10;

/**
 * Serves the page of a store on loopback.
 * @throws PlanError STORE_NOT_FOUND; REFUSED where the port is taken or not to be had
 */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { write, newContext, assets, operations } = options;
  const session = newSession(() => performance.now());
  const name = `${randomBytes(NAME_BYTES).toString('hex')}.localhost`;
  const watch = watchStoreOf(newContext());
  const limits = { ...LIMITS, ...options.limits };
  const files = new Map(
    Array.from(assets, ([path, { type, text }]) => [path, { type, bytes: Buffer.from(text) }] as const),
  );
  const world = { operations, newContext, watch, files, session, write, limits };
  const connections = boundedConnections(limits.connections);
  let port = 0;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '/', headers } = request;
    const target = requestTarget(url);
    const refused =
      target === null
        ? NO_TARGET
        : requestRefusal(
            { method, path: target.path, headers },
            { port, name, write, isToken: (given) => session.isToken(given) },
          );
    const kind = refused === null && target !== null ? kindOf(target.path) : 'silent';
    if (!connections.use(request.socket, kind, response)) return;
    if (refused !== null) sendRefused(response, refused.status, refused);
    else if (target !== null) void answerRoute(world, target, request, response);
  };
  const { requestMs } = limits;
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: requestMs,
      keepAliveTimeout: requestMs,
      requestTimeout: 6 * requestMs,
      connectionsCheckingInterval: Math.min(1000, requestMs),
    },
    listener,
  );
  server.on('connection', (socket) => connections.open(socket));
  const listening = await listenOnLoopback(server, options.port).catch((thrown: unknown) => {
    watch.stop();
    throw thrown;
  });
  ({ port } = listening);
  const address = `http://${name}:${port}/`;
  return {
    port,
    url: `${address}#token=${session.token}`,
    newOpeningUrl: (whenUsed) => `${address}#code=${session.newCode(whenUsed)}`,
    async close() {
      watch.stop();
      await listening.close();
    },
  };
}

function kindOf(path: string): ConnectionKind {
  if (!path.startsWith('/api/') || path === '/api/session') return 'file';
  return path.endsWith('/stream') ? 'stream' : 'answer';
}
