import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

import { onTestFinished } from 'vitest';

import type { Limits } from '../../src/features/page/server/limits.js';
import { startPageServer } from '../../src/features/page/server/page-server.js';
import type { PageServer } from '../../src/features/page/server/page-server.js';
import type { PageAsset } from '../../src/features/page/watching/page-assets.js';
import { ALL_OPERATIONS, FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import type { User } from './command.js';
import { UNLINKED } from './unlinked.js';

/** The page of a user's store, served by this process until the test is over. */
export async function servePage(
  { folder, home }: Pick<User, 'folder' | 'home'>,
  {
    write = false,
    port = 0,
    limits = {},
    variables = {},
    assets = new Map([['/', { type: 'text/html', text: '<title>page</title>' }]]),
  }: {
    readonly write?: boolean;
    readonly port?: number;
    readonly limits?: Partial<Limits>;
    readonly variables?: Readonly<Record<string, string>>;
    readonly assets?: ReadonlyMap<string, PageAsset>;
  } = {},
): Promise<PageServer & { readonly token: string }> {
  const environment = {
    ...defaultEnvironment(),
    workingFolder: folder,
    homeFolder: home,
    variables: { PATH: process.env.PATH, ...UNLINKED, ...variables },
  };
  const server = await startPageServer({
    port,
    write,
    operations: ALL_OPERATIONS,
    newContext: () => createContext({ features: FEATURES, environment, warn: () => undefined }),
    assets,
    limits,
  });
  onTestFinished(() => server.close());
  return { ...server, token: new URL(server.url).hash.replace('#token=', '') };
}

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Asks as any program could, with whatever headers. */
export async function ask(port: number, path: string, { method, headers, body }: Ask = {}): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path, method: method ?? 'GET', headers: headers ?? {}, agent: false },
      resolve,
    );
    asking.on('error', reject);
    asking.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { statusCode = 0, headers: received } = response;
  return {
    status: statusCode,
    headers: received,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}

/** Lines of a stream as they come. */
export interface Lines {
  readonly next: () => Promise<Record<string, unknown>>;
  /** Whether the server has ended it. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Reads a stream of the server. */
export async function readLines(port: number, path: string, token: string): Promise<Lines> {
  const asking = request({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  asking.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.on('response', resolve);
    asking.on('error', reject);
  });
  const waiting: string[] = [];
  let wake = () => {};
  let begun: string[] = [];
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const parts = text.split('\n');
    for (const part of parts.slice(0, -1)) {
      const line = [...begun, part].join('');
      begun = [];
      if (line !== '') waiting.push(line);
    }
    begun.push(parts.at(-1) ?? '');
    wake();
  });
  response.on('error', () => undefined);
  const stop = () => void asking.destroy();
  asking.on('error', () => undefined);
  onTestFinished(stop);
  return {
    ended: new Promise((resolve) => response.on('close', () => resolve())),
    stop,
    async next() {
      for (;;) {
        const line = waiting.shift();
        if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
