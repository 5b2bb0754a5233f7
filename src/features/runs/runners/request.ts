import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

import { messageOf } from '../../../kernel/errors.js';
import { isPrivateAddress, isPrivateHost } from './addresses.js';

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Whether the address may be a private one. */
  readonly isPrivateAllowed: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Bytes of the answer that are kept. */
  readonly most: number;
}

/** What came of a request. `not_sent` says that the server cannot have read it. */
export type HttpEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      readonly isCut: boolean;
    }
  | { readonly kind: 'refused' | 'not_sent' | 'lost'; readonly reason: string }
  | { readonly kind: 'timed_out' | 'dropped'; readonly wasSent: boolean };

/**
 * Sends one HTTP request of a tool over a connection of its own. Redirects are not followed, proxies not asked. The
 * address that is connected to is the one that was looked at, so that a name cannot lead elsewhere a moment later.
 */
export function sendRequest(sent: HttpRequest): Promise<HttpEnd> {
  const { url, isPrivateAllowed, signal } = sent;
  if (signal.aborted) return Promise.resolve({ kind: 'dropped', wasSent: false });
  if (!isPrivateAllowed && isPrivateHost(url.hostname))
    return Promise.resolve({ kind: 'refused', reason: `${url.hostname} is not a public address` });
  return new Promise((resolve) => {
    const start = url.protocol === 'https:' ? requestHttps : requestHttp;
    let wasSent = false;
    const request = start(url, {
      method: sent.method,
      headers: sent.headers,
      agent: false,
      lookup: isPrivateAllowed ? undefined : publicLookup,
    });
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', drop);
      request.destroy();
    };
    const end = (ended: HttpEnd) => {
      over();
      resolve(ended);
    };
    const drop = () => {
      end({ kind: 'dropped', wasSent });
    };
    const timer = setTimeout(() => {
      end({ kind: 'timed_out', wasSent });
    }, sent.timeoutMs);
    signal.addEventListener('abort', drop, { once: true });
    onceConnected(request, () => {
      wasSent = true;
    });
    request.on('error', (cause) => {
      const reason = reasonOf(cause);
      if (cause instanceof PrivateAddressError) end({ kind: 'refused', reason });
      else end({ kind: wasSent ? 'lost' : 'not_sent', reason });
    });
    // Nothing is said of its own accord of a server that goes on in another protocol.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      end({ kind: 'lost', reason: 'the server left HTTP' });
    });
    request.on('response', (response) => {
      readBody(response, sent.most).then(end, (cause: unknown) => {
        end({ kind: 'lost', reason: reasonOf(cause) });
      });
    });
    request.end(sent.body ?? undefined);
  });
}

/** Calls back as soon as bytes can have reached the server: after the handshake where there is one. */
function onceConnected(request: ClientRequest, connected: () => void): void {
  request.once('socket', (socket) => {
    const isSecure = 'encrypted' in socket;
    if (!isSecure && !socket.connecting) connected();
    socket.once(isSecure ? 'secureConnect' : 'connect', connected);
  });
}

/** A name that leads to an address that is not public. */
class PrivateAddressError extends Error {}

const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (cause, addresses) => {
    if (cause !== null) {
      callback(cause, '');
      return;
    }
    const bad = addresses.find(({ address }) => isPrivateAddress(address));
    const first = addresses[0];
    if (bad !== undefined || first === undefined)
      callback(
        new PrivateAddressError(
          `${host} leads to ${bad?.address ?? 'nowhere'}, which is not a public address`,
        ),
        '',
      );
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

async function readBody(response: IncomingMessage, most: number): Promise<HttpEnd> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    const bytes: unknown = chunk;
    if (!Buffer.isBuffer(bytes)) continue;
    chunks.push(bytes);
    length += bytes.length;
    if (length > most) break;
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  const body = Buffer.concat(chunks).subarray(0, most);
  return { kind: 'answered', status: response.statusCode ?? 0, headers, body, isCut: length > most };
}

function reasonOf(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return messageOf(first);
}
