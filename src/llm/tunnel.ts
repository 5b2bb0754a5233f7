import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';

import { ProxyRefusal } from './proxy-refusal.js';
import type { Proxy } from './proxy.js';

/** What a request may tell `createTunnel`'s agent besides Node's own options. */
export interface TunnelOptions {
  /** When aborted, a connection that is not yet there is given up. */
  readonly dropped?: AbortSignal;
}

/**
 * An agent of connections to one https server through a proxy (CONNECT): the proxy sees the server's name and port, and
 * nothing of what is sent to it.
 */
export function createTunnel(server: URL, proxy: Proxy, options: AgentOptions): Agent {
  const agent = new Agent(options);
  const secure = agent.createConnection.bind(agent);
  const target = `${server.hostname}:${server.port === '' ? 443 : server.port}`;
  agent.createConnection = (given: RequestOptions & TunnelOptions, done) => {
    const told = (...outcome: readonly [unknown, Duplex?]): void =>
      void (done && Reflect.apply(done, undefined, outcome));
    openTunnel(target, proxy, given.dropped)
      .then((socket) => secure(over(socket, given)))
      .then((socket) => told(null, socket ?? undefined), told);
    return undefined;
  };
  return agent;
}

// Node's types do not know that a secure connection can be made over one that is there.
function over(socket: Duplex, options: RequestOptions): RequestOptions {
  return Object.assign({}, options, { socket });
}

/** A connection to `target` that a proxy has opened. @throws ProxyRefusal */
function openTunnel(target: string, proxy: Proxy, dropped: AbortSignal | undefined): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const request = proxy.url.protocol === 'https:' ? secureRequest : plainRequest;
    const asking = request({
      ...urlToHttpOptions(proxy.url),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...proxy.headers },
      agent: false,
      ...(dropped === undefined ? {} : { signal: dropped }),
    });
    const refuse = (status: number | undefined, said: string | undefined): void => {
      asking.destroy();
      reject(new ProxyRefusal(`HTTP ${status ?? 0} ${said ?? ''}`.trim(), status));
    };
    asking.once('connect', (response, socket, head) => {
      if (response.statusCode !== 200) return refuse(response.statusCode, response.statusMessage);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.once('response', ({ statusCode, statusMessage }) => refuse(statusCode, statusMessage));
    asking.once('error', (error) => reject(new ProxyRefusal(error.message, undefined, { cause: error })));
    asking.end();
  });
}
