import type { Client, ClientOptions, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';

import { schemaProblem } from '../../../actions/tools/argument-checker.js';
import type { ServerBinding } from '../../../actions/tools/bindings.js';
import { fillText } from '../../../actions/tools/template.js';
import { isJsonObject, isJsonValue } from '../../../../kernel/json/json-value.js';
import { VERSION } from '../../../../kernel/version.js';
import { boundedFetch } from '../bounded-fetch.js';
import { folderOfCommand, variablesOfCommand } from '../command.js';
import { createMcpGuard, guardTransport } from './mcp-guard.js';
import { confinedCommand } from '../sandbox/confine.js';
import { createStdioTransport } from './mcp-stdio.js';
import { ATTEMPT_VARIABLE } from '../programs/orphans.js';
import type { Secrets } from '../secrets.js';
import type { RunnerEnvironment } from '../runner-environment.js';

/** How long a server may take to answer first, and to list its tools, in milliseconds. */
export const START_MS = 30_000;
/** A server of an older protocol that answers nothing to the first question is asked in the old way after so long. */
const PROBE_MS = 3000;
/** A connection to a server. */
export interface Connection {
  readonly client: Client;
  isClosed: boolean;
}

/** What a connection is opened with. */
export interface Opening {
  readonly environment: RunnerEnvironment;
  readonly mark: string;
  readonly secrets: Secrets;
  readonly ended: (reason: string) => void;
}

/** What answers a schema of a server: patterns in linear time, as everywhere. */
const VALIDATOR: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator:
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the SDK asks for it.
    <T>(schema: unknown) =>
      (input: unknown) => {
        const problem =
          isJsonObject(schema) && isJsonValue(input) ? schemaProblem(schema, input) : 'it is not JSON';
        return problem === null
          ? // The schema says what type it is, and it fits.
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion
            { valid: true as const, data: input as T, errorMessage: undefined }
          : { valid: false as const, data: undefined, errorMessage: problem };
      },
};

/** Starts a server, or connects to one. */
export async function connectMcpServer(binding: ServerBinding, opening: Opening): Promise<Connection> {
  const { SdkErrorCode } = await import('@modelcontextprotocol/client');
  try {
    return await connected(binding, opening, 'auto');
  } catch (cause) {
    // A server of an older protocol may end at a question that it does not know.
    const code = codeOfMcpError(cause);
    if (!('command' in binding) || code !== SdkErrorCode.EraNegotiationFailed) throw cause;
    return connected(binding, opening, 'legacy');
  }
}

async function connected(
  binding: ServerBinding,
  opening: Opening,
  mode: 'auto' | 'legacy',
): Promise<Connection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const startMs = binding.start_ms ?? START_MS;
  const client = new Client(
    { name: 'frctl', version: VERSION },
    {
      versionNegotiation: {
        mode,
        probe: { timeoutMs: 'command' in binding ? Math.min(PROBE_MS, startMs / 2) : startMs },
      },
      jsonSchemaValidator: VALIDATOR,
      // Nobody is there whom a server could ask.
      inputRequired: { autoFulfill: false },
      capabilities: {},
    },
  );
  const connection: Connection = { client, isClosed: false };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target.
  client.onclose = () => {
    connection.isClosed = true;
  };
  const transport = await ('command' in binding ? overStdio(binding, opening) : overHttp(binding, opening));
  try {
    await client.connect(transport, { timeout: startMs });
  } catch (cause) {
    // Whoever is told that it cannot be used need not wait for its end as well.
    await transport.close();
    throw cause;
  }
  return connection;
}

async function overStdio(
  binding: Extract<ServerBinding, { command: unknown }>,
  { environment, mark, secrets, ended }: Opening,
): Promise<Transport> {
  const { deserializeMessage } = await import('@modelcontextprotocol/client');
  const folder = folderOfCommand(binding.folder, environment.root);
  const values = { args: {}, secret: secrets.read, call: {} };
  const variables = {
    ...variablesOfCommand(binding.env, environment, values, secrets),
    [ATTEMPT_VARIABLE]: mark,
  };
  const argv = binding.command;
  const confined = await confinedCommand({ argv, folder, variables }, binding, environment);
  const transport = createStdioTransport({
    ...confined,
    environment: confined.variables,
    mark,
    ended(reason) {
      void confined.release();
      ended(reason);
    },
    parse: deserializeMessage,
    secrets,
  });
  const close = transport.close.bind(transport);
  return Object.assign(transport, {
    async close() {
      await close();
      await confined.release();
    },
  });
}

async function overHttp(
  { url, headers = {} }: Extract<ServerBinding, { url: unknown }>,
  { secrets, ended }: Opening,
): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const values = { args: {}, secret: secrets.read, call: {} };
  const filled = Object.entries(headers).map(([key, value]) => [key, fillText(value, values)] as const);
  const transport = new StreamableHTTPClientTransport(new URL(fillText(url, values)), {
    requestInit: { headers: Object.fromEntries(filled) },
    fetch: boundedFetch,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const guard = createMcpGuard('http', (reason) => {
    ended(reason);
    void transport.close();
  });
  return guardTransport<Transport>(transport, guard);
}

const errorSchema = z.object({ code: z.union([z.string(), z.number()]) });

/** The code of an error of the SDK: its own are texts, those of servers numbers. */
export function codeOfMcpError(cause: unknown): string | number | undefined {
  return errorSchema.safeParse(cause).data?.code;
}
