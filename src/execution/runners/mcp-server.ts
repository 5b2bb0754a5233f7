import type { Client, ClientOptions, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';

import { schemaProblem } from '../../action-plans/tools/argument-checker.js';
import type { ServerBinding } from '../../action-plans/tools/bindings.js';
import { fillText } from '../../action-plans/tools/template.js';
import { messageOf } from '../../kernel/errors.js';
import { isJsonObject, isJsonValue } from '../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../kernel/json/json-value.js';
import { VERSION } from '../../kernel/version.js';
import type { Outcome, ToolCall } from '../tool.js';
import { boundedFetch } from './bounded-fetch.js';
import { confined, folderOf, passedOn } from './command.js';
import { createStdioTransport } from './mcp-stdio.js';
import { ATTEMPT_VARIABLE } from './orphans.js';
import { concluded, failure, lost, notSent, RefusedCall, timedOut } from './outcomes.js';
import { createSecrets } from './secrets.js';
import type { Workplace } from './workplace.js';

/** What a server says of one of its tools. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** All that it says of it, for the digest. */
  readonly said: JsonObject;
}

/** An MCP server, started or connected to when it is first needed. */
export interface McpServer {
  /** Its tools, asked now. @throws RefusedCall when it cannot be reached, or says what is no list */
  readonly tools: () => Promise<readonly OfferedTool[]>;
  /**
   * Calls a tool, as long as it is still what it was.
   * @param isSame whether what the server says of the tool now is what was approved; null when it has it no longer
   */
  readonly call: (
    tool: string,
    call: ToolCall,
    isSame: (now: OfferedTool | null) => boolean,
  ) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

interface Connection {
  readonly client: Client;
  /** Whether what it says of its tools is to be asked again before the next call. */
  isStale: boolean;
  isClosed: boolean;
}

const START_MS = 30_000;
/** A server of an older protocol that answers nothing to the first question is asked in the old way after so long. */
const PROBE_MS = 3000;
const MOST_TOOLS = 1000;

/**
 * A server of a tools file.
 * @param mark by which its processes are found
 */
export function createMcpServer(
  name: string,
  binding: ServerBinding,
  place: Workplace,
  mark: string,
): McpServer {
  const secrets = createSecrets(place.variables);
  let connecting: Promise<Connection> | null = null;
  let isEnded = false;
  let why = '';
  const ended = (reason: string) => {
    why = reason;
  };
  const connect = async (): Promise<Connection> => {
    if (isEnded) throw new RefusedCall('NOT_STARTED', `the server ${name} is closed`);
    const attempt = (connecting ??= open(binding, { place, mark, secrets, ended }));
    try {
      const connection = await attempt;
      if (!connection.isClosed) return connection;
    } catch (cause) {
      if (connecting === attempt) connecting = null;
      if (cause instanceof RefusedCall) throw cause;
      const reason = why === '' ? messageOf(cause) : why;
      throw new RefusedCall(
        'NOT_STARTED',
        secrets.blotText(`the server ${name} could not be used: ${reason}`),
      );
    }
    // It has died since. Of several calls that see it one starts it anew.
    if (connecting === attempt) connecting = null;
    return connect();
  };
  return {
    async tools() {
      const connection = await connect();
      return listed(connection, name);
    },
    call: (tool, call, isSame) =>
      concluded(secrets, async () => {
        const connection = await connect();
        if (connection.isStale) {
          const now = (await listed(connection, name)).find((one) => one.name === tool) ?? null;
          if (!isSame(now))
            return notSent(
              'E_TOOL_CHANGED',
              `the server ${name} says something else of ${tool} than was approved`,
            );
        }
        return called(connection.client, tool, call, `${name}/${tool}`);
      }),
    async close() {
      isEnded = true;
      const opened = await connecting?.catch(() => null);
      await opened?.client.close().catch(() => undefined);
    },
  };
}

interface Opening {
  readonly place: Workplace;
  readonly mark: string;
  readonly secrets: ReturnType<typeof createSecrets>;
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

async function open(binding: ServerBinding, opening: Opening): Promise<Connection> {
  const { SdkErrorCode } = await import('@modelcontextprotocol/client');
  try {
    return await connected(binding, opening, 'auto');
  } catch (cause) {
    // A server of an older protocol may end at a question that it does not know.
    const code = errorSchema.safeParse(cause).data?.code;
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
  const connection: Connection = { client, isStale: true, isClosed: false };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target.
  client.onclose = () => {
    connection.isClosed = true;
  };
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    connection.isStale = true;
  });
  const transport = await ('command' in binding ? overStdio(binding, opening) : overHttp(binding, opening));
  await client.connect(transport, { timeout: startMs });
  return connection;
}

async function overStdio(
  binding: Extract<ServerBinding, { command: unknown }>,
  { place, mark, secrets, ended }: Opening,
): Promise<Transport> {
  const { deserializeMessage } = await import('@modelcontextprotocol/client');
  const folder = folderOf(binding.folder, place.root);
  const values = { args: {}, secret: secrets.read, call: {} };
  return createStdioTransport({
    argv: await confined(binding.command, folder, binding, place),
    folder,
    environment: { ...passedOn(binding.env, place, values, secrets), [ATTEMPT_VARIABLE]: mark },
    mark,
    ended,
    parse: deserializeMessage,
  });
}

async function overHttp(
  { url, headers = {} }: Extract<ServerBinding, { url: unknown }>,
  { secrets }: Opening,
): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const values = { args: {}, secret: secrets.read, call: {} };
  const filled = Object.entries(headers).map(([key, value]) => [key, fillText(value, values)] as const);
  return new StreamableHTTPClientTransport(new URL(fillText(url, values)), {
    requestInit: { headers: Object.fromEntries(filled), redirect: 'error' },
    fetch: boundedFetch,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

const toolSchema = z.looseObject({
  name: z.string().max(200),
  description: z.string().max(100_000).optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});

async function listed(connection: Connection, name: string): Promise<readonly OfferedTool[]> {
  let tools: readonly unknown[];
  try {
    connection.isStale = false;
    ({ tools } = await connection.client.listTools(undefined, { cacheMode: 'refresh', timeout: START_MS }));
  } catch (cause) {
    connection.isStale = true;
    throw new RefusedCall('NOT_STARTED', `the server ${name} did not list its tools: ${messageOf(cause)}`);
  }
  return tools.slice(0, MOST_TOOLS).flatMap((tool) => {
    const read = toolSchema.safeParse(tool);
    const said = withoutUndefined(tool);
    if (!read.success || said === null) return [];
    const { inputSchema } = read.data;
    if (!isJsonObject(inputSchema) || !isJsonValue(inputSchema)) return [];
    return [{ name: read.data.name, description: read.data.description ?? '', inputSchema, said }];
  });
}

/** The one who parsed it may have left members undefined. */
function withoutUndefined(value: unknown): JsonObject | null {
  const plain: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
  return isJsonObject(plain) && isJsonValue(plain) ? plain : null;
}

async function called(client: Client, tool: string, call: ToolCall, what: string): Promise<Outcome> {
  const { args, key, timeoutMs, signal } = call;
  if (signal.aborted) return notSent('CANCELLED', 'it was dropped before it began');
  try {
    const result = await client.callTool(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON, whose type the SDK spells in another way.
      { name: tool, arguments: plain(args) as Record<string, never>, _meta: { 'io.frctl/key': key } },
      { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal },
    );
    const output = outputOf(result);
    if (result.isError !== true) return { outcome: 'succeeded', output };
    const text =
      isJsonObject(output) && typeof output.text === 'string' ? output.text : JSON.stringify(output);
    return { outcome: 'failed', error: failure('TOOL_FAILED', `${what}: ${text}`, true), output };
  } catch (cause) {
    return failedCall(cause, call, what);
  }
}

/** Numbers that keep their text are sent as the nearest double, which is what JavaScript’s JSON has. */
function plain(args: JsonObject): unknown {
  return JSON.parse(JSON.stringify(args));
}

const errorSchema = z.object({ code: z.union([z.string(), z.number()]) });

async function failedCall(cause: unknown, { timeoutMs, signal }: ToolCall, what: string): Promise<Outcome> {
  const { SdkErrorCode } = await import('@modelcontextprotocol/client');
  if (signal.aborted) return lost('CANCELLED', `${what} was dropped before it was answered`);
  const code = errorSchema.safeParse(cause).data?.code;
  const said = `${what}: ${messageOf(cause)}`;
  if (typeof code === 'number')
    return { outcome: 'failed', error: failure('TOOL_FAILED', said, code !== -32602 && code !== -32601) };
  switch (code) {
    case SdkErrorCode.RequestTimeout:
      return timedOut(timeoutMs, what);
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return { outcome: 'failed', error: failure('OUTPUT_INVALID', said, false) };
    case SdkErrorCode.NotConnected:
      return notSent('NOT_STARTED', said, true);
    default:
      return isRefusedConnection(cause) ? notSent('NOT_SENT', said, true) : lost('CONNECTION_LOST', said);
  }
}

function isRefusedConnection(cause: unknown): boolean {
  const inner: unknown = cause instanceof Error ? cause.cause : null;
  const { code } = z.object({ code: z.string() }).safeParse(inner).data ?? {};
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND';
}

type Called = Awaited<ReturnType<Client['callTool']>>;

/** What a tool answered: its structured content, else its text, else all that it sent. */
function outputOf({ structuredContent, content }: Called): JsonValue {
  if (structuredContent !== undefined && isJsonValue(structuredContent)) return structuredContent;
  const blocks: readonly { readonly type: string }[] = content ?? [];
  const texts = blocks.flatMap((block) =>
    'text' in block && typeof block.text === 'string' ? [block.text] : [],
  );
  const others = blocks.filter(({ type }) => type !== 'text');
  const text = texts.join('\n');
  const rest: unknown = JSON.parse(JSON.stringify(others));
  return others.length > 0 && isJsonValue(rest) ? { text, content: rest } : { text };
}
