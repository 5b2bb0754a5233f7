import process from 'node:process';

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { createContext } from '../../operations/shared/context.js';
import { defaultEnvironment } from '../../operations/shared/default-environment.js';
import { createServer } from './server.js';

/** What a host may send in one message; a longer one ends the connection, as there is no other way to tell. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;

export interface ServeOptions {
  /** The store's folder, named outright. */
  readonly folder?: string | undefined;
  readonly outputSchemas: boolean;
}

/**
 * Serves MCP on standard input and output until the host closes them. Nothing else may be written to standard output. What is
 * planned by a model in the background ends with the server, and `plan_start` or `plan resume` goes on with it.
 */
export async function serveMcp({ folder, outputSchemas }: ServeOptions): Promise<void> {
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: LONGEST_MESSAGE,
  });
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  const handle = serveStdio(
    () =>
      createServer({
        newContext: () => createContext({ environment: defaultEnvironment(), folder, warn: () => undefined }),
        background: (work) => void work.catch(() => undefined),
        outputSchemas,
      }),
    {
      transport,
      onerror: (error) => process.stderr.write(`frctl mcp: ${error.message}\n`),
    },
  );
  await closed;
  await handle.close();
}
