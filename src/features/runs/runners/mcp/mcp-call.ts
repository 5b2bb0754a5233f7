import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';

import { messageOf } from '../../../../kernel/errors.js';
import { isJsonObject, isJsonValue } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { CANCELLED } from '../../model/events/attempt-ended.js';
import type { Outcome, ToolCall } from '../../model/tool.js';
import { codeOfMcpError } from './mcp-connection.js';
import { httpRefusalOf, mcpFault } from './mcp-faults.js';
import { toolFailure, lostOutcome, notSentOutcome, statusFailure, timedOutOutcome } from '../outcomes.js';

/**
 * Calls a tool once.
 * @param whyEnded why the server has ended; empty while it has not
 */
export async function callRemote(
  client: Client,
  tool: string,
  call: ToolCall,
  { what, whyEnded }: { readonly what: string; readonly whyEnded: () => string },
): Promise<Outcome> {
  const { args, key, timeoutMs, signal } = call;
  if (signal.aborted) return notSentOutcome(CANCELLED, 'it was dropped before it began');
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
    return { outcome: 'failed', error: toolFailure('TOOL_FAILED', `${what}: ${text}`, true), output };
  } catch (cause) {
    return failedCall(cause, call, what, whyEnded());
  }
}

/** Numbers that keep their text are sent as the nearest double, which is what JavaScript’s JSON has. */
function plain(args: JsonObject): unknown {
  return JSON.parse(JSON.stringify(args));
}

async function failedCall(
  cause: unknown,
  { timeoutMs, signal }: ToolCall,
  what: string,
  whyEnded: string,
): Promise<Outcome> {
  const { SdkErrorCode } = await import('@modelcontextprotocol/client');
  if (signal.aborted) return lostOutcome(CANCELLED, `${what} was dropped before it was answered`);
  const code = codeOfMcpError(cause);
  const refusal = httpRefusalOf(cause);
  if (refusal !== null)
    return { outcome: 'failed', error: statusFailure(refusal.status, `${what} ${refusal.words}`) };
  const said = `${what}: ${typeof code === 'number' ? messageOf(cause) : mcpFault(cause)}`;
  if (typeof code === 'number')
    return {
      outcome: 'failed',
      error: toolFailure('TOOL_FAILED', said, code !== -32602 && code !== -32601),
    };
  switch (code) {
    case SdkErrorCode.RequestTimeout:
      return timedOutOutcome(timeoutMs, what);
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return { outcome: 'failed', error: toolFailure('OUTPUT_INVALID', said, false) };
    case SdkErrorCode.NotConnected:
      return notSentOutcome('NOT_STARTED', said, true);
    default:
      return isRefusedConnection(cause)
        ? notSentOutcome('NOT_SENT', said, true)
        : lostOutcome('CONNECTION_LOST', whyEnded === '' ? said : `${what}: ${whyEnded}`);
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
