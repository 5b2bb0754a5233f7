import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';

import { LONGEST_TIMER_MS } from '../kernel/longest-timer.js';
import type { Proxy } from './proxy.js';
import type { TunnelOptions } from './tunnel.js';

/** A whole reply to one request. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One request, with all of its headers. */
interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Bounds of one request. */
export interface PostLimits {
  /** How long the server may be silent, from the connection on; ten times as long where it only says that it is there. */
  readonly timeoutMs: number;
  /** The largest reply, unpacked. */
  readonly maxReplyBytes: number;
  readonly signal: AbortSignal;
}

/** Posts a text and reads the whole reply, whatever its status; rejects with what went wrong on the way. */
export type Post = (request: HttpRequest, limits: PostLimits) => Promise<HttpReply>;

/** The reply is larger than anybody wants to read. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

/** What went wrong before the server could see anything of the request: `cause` says what. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

/** Connections that nobody uses are closed after this time, before most servers close them. */
const KEPT_OPEN = { keepAlive: true, timeout: 4000 };
const CONNECT_MS = 10_000;
const DROPPED = 'the request was dropped';

/** Begins a request; `dropped` aborts when nobody waits for it any longer. */
type Begin = (request: HttpRequest, dropped: AbortSignal) => ClientRequest;

/**
 * A function that posts to one server, through a proxy where one is given. Connections are kept open from one request
 * to the next; a redirect is handed back as it is, for following one would show the headers to another origin.
 */
export async function createPost(server: URL, proxy?: Proxy): Promise<Post> {
  const begin = proxy === undefined ? await direct(server, optionsOf) : await through(proxy, server);
  return (request, limits) => replyTo(begin, request, limits);
}

function optionsOf({ url, headers }: HttpRequest): RequestOptions {
  return { ...urlToHttpOptions(url), method: 'POST', headers };
}

async function direct(
  { protocol }: URL,
  optionsOf: (request: HttpRequest) => RequestOptions,
): Promise<Begin> {
  const { Agent, request } = await (protocol === 'https:' ? import('node:https') : import('node:http'));
  const agent = new Agent(KEPT_OPEN);
  return (asked) => request({ ...optionsOf(asked), agent });
}

// A proxy is asked to open a way to a server of https; a request to one of http is sent to it as a whole.
async function through(proxy: Proxy, server: URL): Promise<Begin> {
  if (server.protocol === 'https:') {
    const { createTunnel } = await import('./tunnel.js');
    const { request } = await import('node:https');
    const agent = createTunnel(server, proxy, KEPT_OPEN);
    return (asked, dropped) => {
      const options: RequestOptions & TunnelOptions = { ...optionsOf(asked), agent, dropped };
      return request(options);
    };
  }
  return direct(proxy.url, ({ url, headers }) => ({
    ...urlToHttpOptions(proxy.url),
    method: 'POST',
    path: url.href,
    headers: { ...headers, host: url.host, ...proxy.headers },
  }));
}

// The system waits for minutes, and for a handshake without end.
function noConnection(): Error {
  return Object.assign(new Error(`no connection within ${CONNECT_MS / 1000} s`), { code: 'ETIMEDOUT' });
}

/** Calls back when a request can go out to the server: over a connection that is there, encrypted where it is to be. */
function onceReached(request: ClientRequest, reached: () => void): void {
  request.once('socket', (socket) => {
    const encrypted = 'encrypted' in socket;
    if (request.reusedSocket || !(encrypted || socket.connecting)) reached();
    else socket.once(encrypted ? 'secureConnect' : 'connect', reached);
  });
}

function replyTo(
  begin: Begin,
  asked: HttpRequest,
  { timeoutMs, maxReplyBytes, signal }: PostLimits,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new NotReached(DROPPED);
    const dropped = new AbortController();
    const request = begin(asked, dropped.signal);
    const finish = (): void => {
      silent.release();
      clearTimeout(connecting);
      signal.removeEventListener('abort', drop);
    };
    let reached = false;
    // The first reason counts; destroying the request makes others.
    const fail = (reason: unknown): void => {
      finish();
      const error = reason instanceof Error ? reason : new Error(String(reason));
      reject(reached ? error : new NotReached(error.message, { cause: error }));
      request.destroy();
      dropped.abort();
    };
    const drop = (): void => fail(new Error(DROPPED));
    const silent = silenceOf(timeoutMs, fail);
    const connecting = setTimeout(() => fail(noConnection()), CONNECT_MS);
    signal.addEventListener('abort', drop);
    onceReached(request, () => {
      reached = true;
      clearTimeout(connecting);
    });
    request.on('error', fail);
    request.on('response', (response) => {
      readText(response, { maxBytes: maxReplyBytes, hear: silent.hear, dropped: dropped.signal }).then(
        (body) => {
          finish();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: body });
        },
        fail,
      );
    });
    request.end(asked.text);
  });
}

/** Servers that keep a connection alive while nothing is written are waited for so many times as long. */
const PATIENCE = 10;

/** Fails when nothing has come for too long. */
function silenceOf(
  timeoutMs: number,
  fail: (reason: Error) => void,
): { readonly hear: (chunk: Buffer) => void; readonly release: () => void } {
  const after = (ms: number, what: string): NodeJS.Timeout =>
    setTimeout(
      () => fail(new Error(`the request timed out: ${what} within ${ms / 1000} s`)),
      Math.min(ms, LONGEST_TIMER_MS),
    );
  const nothing = after(timeoutMs, 'nothing came');
  const idle = after(timeoutMs * PATIENCE, 'nothing but signs of life came');
  return {
    hear(chunk) {
      nothing.refresh();
      if (!SIGN_OF_LIFE.test(chunk.toString('latin1'))) idle.refresh();
    },
    release() {
      clearTimeout(nothing);
      clearTimeout(idle);
    },
  };
}

/** Blank lines and comments, which servers send while a request waits in a queue. */
const SIGN_OF_LIFE = /^(?:\s|:[^\n]*(?:\n|$))*$/;

interface Reading {
  readonly maxBytes: number;
  readonly hear: (chunk: Buffer) => void;
  /** Aborts when nobody waits for the reply any longer. */
  readonly dropped: AbortSignal;
}

function readText(response: IncomingMessage, { maxBytes, hear, dropped }: Reading): Promise<string> {
  const body = unpacked(response);
  return new Promise((resolve, reject) => {
    response.on('data', hear);
    let chunks: Buffer[] = [];
    let bytes = 0;
    const collect = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) return;
      reject(new ReplyTooLarge(`the reply is larger than ${maxBytes} bytes`));
      stop();
    };
    // What unpacks has all that came, which can be a millionth of what it would go on to make of it.
    const stop = (): void => {
      body.off('data', collect);
      chunks = [];
      body.destroy();
    };
    body.on('data', collect);
    body.on('error', reject);
    // A reply that breaks off is an error of the response, which what unpacks it does not pass on.
    if (body !== response) response.on('error', reject);
    body.on('end', () => resolve(textOf(chunks)));
    dropped.addEventListener('abort', stop);
  });
}

/** No packing is asked for; a server, or a proxy before it, may pack all the same. */
function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!/^(?:br|deflate|(?:x-)?gzip)$/.test(encoding)) return response;
  const zlib = process.getBuiltinModule('node:zlib');
  return response.pipe(encoding === 'br' ? zlib.createBrotliDecompress() : zlib.createUnzip());
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
