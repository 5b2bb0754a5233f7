import process from 'node:process';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { printable } from '../../kernel/text/safe-text.js';
import { createContext } from '../../operations/shared/context.js';
import { defaultEnvironment } from '../../operations/shared/default-environment.js';
import { createMessageLines } from './message-lines.js';
import { createServer } from './server.js';

/** What a host may send in one message; a longer one is refused. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;
/** How long what was begun may take to its end when the host is gone. */
const LONGEST_END_MS = 5000;

/** Different things that are told of while a server runs. */
const MOST_TOLD = 1000;

export interface ServeOptions {
  /** The store's folder, named outright. */
  readonly folder?: string | undefined;
  readonly outputSchemas: boolean;
}

/**
 * Serves MCP on standard input and output until the host closes them. Nothing else may be written to standard output; what the
 * store warns of goes to standard error. Calls that are under way then come to their end. What is planned by a model in the
 * background ends with the server, and `plan_start` or `plan resume` goes on with it.
 */
export async function serveMcp({ folder, outputSchemas }: ServeOptions): Promise<void> {
  const tell = teller();
  const lines = createMessageLines({
    longest: LONGEST_MESSAGE,
    reply: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
  });
  const closed = new Promise<void>((resolve) => void lines.once('close', resolve));
  const underWay = new Set<Promise<unknown>>();
  const handle = serveStdio(
    () =>
      createServer({
        newContext: () =>
          createContext({ environment: defaultEnvironment(), folder, warn: ({ message }) => tell(message) }),
        background: (work) => void work.catch(() => undefined),
        called: (call) => {
          underWay.add(call);
          void call.finally(() => underWay.delete(call));
        },
        outputSchemas,
      }),
    {
      // A line that was let through is let through to its end.
      transport: new StdioServerTransport(lines, process.stdout, { maxBufferSize: 2 * LONGEST_MESSAGE }),
      onerror: ({ message }) => tell(message),
    },
  );
  pipeline(process.stdin, lines, () => undefined);
  await closed;
  await handle.close();
  const ended = new AbortController();
  await Promise.race([
    Promise.allSettled(underWay),
    wait(LONGEST_END_MS, undefined, { signal: ended.signal }).catch(() => undefined),
  ]);
  ended.abort();
}

/** Tells what is wrong on standard error, each thing once. */
function teller(): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message) || told.size > MOST_TOLD) return;
    told.add(message);
    process.stderr.write(`frctl mcp: ${printable(message)}\n`);
  };
}
