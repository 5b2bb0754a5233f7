import * as z from 'zod';

import type { ServerBinding } from '../../../actions/tools/bindings.js';
import { isJsonObject, isJsonValue } from '../../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import type { Outcome, ToolCall } from '../../model/tool.js';
import { callRemote } from './mcp-call.js';
import { fillText } from '../../../actions/tools/template.js';
import { connectMcpServer, START_MS } from './mcp-connection.js';
import type { Connection } from './mcp-connection.js';
import { mcpFault } from './mcp-faults.js';
import { concluded, notSentOutcome, RefusedCall } from '../outcomes.js';
import { createSecrets } from '../secrets.js';
import type { Secrets } from '../secrets.js';
import type { RunnerEnvironment } from '../runner-environment.js';

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

const MOST_TOOLS = 1000;

/** Where a server is, without what its URL may hold that nobody else is to know. */
function addressOf(binding: ServerBinding, secrets: Secrets): string {
  if (!('url' in binding)) return '';
  const url = URL.parse(fillText(binding.url, { args: {}, secret: secrets.read, call: {} }));
  return url === null ? '' : ` at ${url.origin}`;
}

/**
 * A server of a tools file.
 * @param mark by which its processes are found
 */
export function createMcpServer(
  name: string,
  binding: ServerBinding,
  environment: RunnerEnvironment,
  mark: string,
): McpServer {
  const secrets = createSecrets(environment.variables);
  let connecting: Promise<Connection> | null = null;
  let isEnded = false;
  let why = '';
  const ended = (reason: string) => {
    why = reason;
  };
  const connect = async (): Promise<Connection> => {
    if (isEnded) throw new RefusedCall('NOT_STARTED', `the server ${name} is closed`);
    if (connecting === null) why = '';
    const attempt = (connecting ??= connectMcpServer(binding, { environment, mark, secrets, ended }));
    try {
      const connection = await attempt;
      if (!connection.isClosed) return connection;
    } catch (cause) {
      if (connecting === attempt) connecting = null;
      if (cause instanceof RefusedCall) throw cause;
      const reason = why === '' ? mcpFault(cause) : why;
      const where = addressOf(binding, secrets);
      throw new RefusedCall(
        'NOT_STARTED',
        secrets.blotText(`the server ${name}${where} could not be used: ${reason}`),
      );
    }
    // It has died since. Of several calls that see it one starts it anew.
    if (connecting === attempt) connecting = null;
    return connect();
  };
  return {
    async tools() {
      const connection = await connect();
      return listed(connection, name, { whyEnded: () => why }).catch((thrown: unknown) => {
        throw thrown instanceof RefusedCall
          ? new RefusedCall(thrown.code, secrets.blotText(thrown.message))
          : thrown;
      });
    },
    call: (tool, call, isSame) =>
      concluded(secrets, async () => {
        const connection = await connect();
        // A server can change a tool without a word, so it is asked each time.
        const now =
          (await listed(connection, name, { ...call, whyEnded: () => why })).find(
            (one) => one.name === tool,
          ) ?? null;
        if (!isSame(now))
          return notSentOutcome(
            'E_TOOL_CHANGED',
            `the server ${name} says something else of ${tool} than was approved`,
          );
        return callRemote(connection.client, tool, call, { what: `${name}/${tool}`, whyEnded: () => why });
      }),
    async close() {
      isEnded = true;
      const opened = await connecting?.catch(() => null);
      await opened?.client.close().catch(() => undefined);
    },
  };
}

const toolSchema = z.looseObject({
  name: z.string().max(200),
  description: z.string().max(100_000).optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});

async function listed(
  connection: Connection,
  name: string,
  within: Partial<Pick<ToolCall, 'timeoutMs' | 'signal'>> & { readonly whyEnded: () => string },
): Promise<readonly OfferedTool[]> {
  const { timeoutMs = START_MS, signal, whyEnded } = within;
  const timeout = Math.min(START_MS, timeoutMs);
  // For all pages together; each has its limit from the other.
  const over = AbortSignal.timeout(timeout);
  const limits = { timeout, signal: signal === undefined ? over : AbortSignal.any([signal, over]) };
  let tools: readonly unknown[];
  try {
    ({ tools } = await connection.client.listTools(undefined, { cacheMode: 'refresh', ...limits }));
  } catch (cause) {
    const reason = whyEnded() === '' ? mcpFault(cause) : whyEnded();
    throw new RefusedCall('NOT_STARTED', `the server ${name} did not list its tools: ${reason}`);
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
