import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ProxyOptions {
  /** `user:password`; without them everybody is let through. */
  readonly credentials?: string;
  /** What is answered in the server's place. */
  readonly answer?: { readonly status: number; readonly text: string };
  /** Takes requests and never answers. */
  readonly hangs?: boolean;
  /** Hangs up after so many bytes from the server; 0: before any. */
  readonly diesAfter?: number;
  /** Ports on loopback of servers by name, which nobody else can resolve. */
  readonly hosts?: Readonly<Record<string, number>>;
}

export interface ProxyServer {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** What was asked of it: `CONNECT host:port` or `POST http://…`. */
  readonly requests: readonly string[];
  /** The headers `proxy-authorization` as they came. */
  readonly authorizations: readonly (string | undefined)[];
  /** All bytes that it could read on their way to servers. */
  readonly seen: string;
  /** Connections of clients that are open. */
  readonly open: number;
  close(): Promise<void>;
}

/** A proxy on loopback as companies have them: CONNECT, and requests with a whole URL. */
export async function startProxy(options: ProxyOptions = {}): Promise<ProxyServer> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  let seen = '';
  /** Notes a request, and says what to answer in the server's place; null for nothing at all. */
  const refusal = ({ method, url, headers }: IncomingMessage) => {
    requests.push(`${method} ${url}`);
    const given = headers['proxy-authorization'];
    authorizations.push(given);
    if (options.hangs === true) return null;
    const wanted = `Basic ${Buffer.from(options.credentials ?? '').toString('base64')}`;
    if (options.credentials !== undefined && given !== wanted)
      return { status: 407, text: 'Proxy Authentication Required' };
    return options.answer;
  };
  const server = createServer((incoming, response) => {
    const answer = refusal(incoming);
    incoming.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')));
    if (answer === null) return;
    if (answer === undefined) pass(incoming, response, options);
    else response.writeHead(answer.status, answer.text).end(answer.text);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const answer = refusal(incoming);
    if (answer === null) return void socket.resume().on('end', () => socket.end());
    if (answer !== undefined) return void socket.end(`HTTP/1.1 ${answer.status} ${answer.text}\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => (seen += chunk.toString('latin1')));
    join(incoming.url ?? '', socket, head, options);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the proxy has no port');
  return {
    host: `127.0.0.1:${address.port}`,
    requests,
    authorizations,
    get seen() {
      return seen;
    },
    get open() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function pass(incoming: IncomingMessage, response: ServerResponse, options: ProxyOptions): void {
  const { 'proxy-authorization': _hop, ...headers } = incoming.headers;
  const url = new URL(incoming.url ?? '');
  const { host, port } = placeOf(url.host, options);
  const onward = request({ host, port, method: incoming.method, path: url.pathname + url.search, headers });
  onward.on('error', () => response.destroy());
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    let left = options.diesAfter ?? Infinity;
    if (left === 0) return void response.destroy();
    answer.on('data', (chunk: Buffer) => {
      response.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) setTimeout(() => response.destroy(), 20);
    });
    answer.on('end', () => left > 0 && response.end());
  });
  incoming.pipe(onward);
}

function join(target: string, client: Duplex, head: Buffer, options: ProxyOptions): void {
  const { host, port } = placeOf(target, options);
  const server = connect({ host, port }, () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.write(head);
    client.pipe(server);
    let left = options.diesAfter ?? Infinity;
    if (left === 0) return void client.destroy();
    server.on('data', (chunk: Buffer) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) setTimeout(() => client.destroy(), 20);
    });
  });
  server.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  server.on('close', () => client.destroy());
  client.on('close', () => server.destroy()).on('error', () => server.destroy());
}

function placeOf(target: string, { hosts }: ProxyOptions): { readonly host: string; readonly port: number } {
  const [, name = '', port = '80'] = /^(.*?)(?::(\d+))?$/.exec(target) ?? [];
  const mapped = hosts?.[name];
  return mapped === undefined ? { host: name, port: Number(port) } : { host: '127.0.0.1', port: mapped };
}
