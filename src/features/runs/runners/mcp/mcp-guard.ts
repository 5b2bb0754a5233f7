import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

import { isNestedTooDeep, MAX_NESTING } from '../../../../kernel/json/nesting.js';
import { MOST_BYTES } from '../limits.js';

/** What a server may say at once that nobody asked it, in messages and bytes, and in a second from then on. */
const AT_ONCE = { messages: 10_000, bytes: 6 * MOST_BYTES };
const IN_A_SECOND = { messages: 1000, bytes: MOST_BYTES };
/** A request counts for so many messages, for it is answered; over HTTP by a request of our own. */
const OF_REQUEST = { stdio: 10, http: 100 };
/** The code of an error after which nothing is asked again: what was asked may have been done. */
export const NOT_AGAIN = -32_602;
/** Why an answer is taken for an error. */
export const TOO_DEEP = `its answer is nested more than ${MAX_NESTING} levels deep`;

/** What stands between a server and whoever reads its messages. */
export interface McpGuard {
  /** Notes what is asked of the server. */
  readonly sent: (message: JSONRPCMessage) => void;
  /** Counts a line that is no message. */
  readonly stray: (bytes: number) => void;
  /**
   * The message as it is to be read; null where it is not, such as an answer that nobody waits for. One that is nested too
   * deep is read as an error.
   */
  readonly received: (message: JSONRPCMessage, bytes: number) => JSONRPCMessage | null;
}

/**
 * Lets messages through up to so many that nobody asked for: requests, notifications, answers to nothing. They would be held, or
 * answered, as long as the step may take.
 * @param flooded told once, with what the server did
 */
export function createMcpGuard(kind: 'stdio' | 'http', flooded: (reason: string) => void): McpGuard {
  const awaited = new Set<string | number>();
  let { messages, bytes } = AT_ONCE;
  let last = performance.now();
  let isFlooded = false;
  const count = (length: number, of = 1): void => {
    const now = performance.now();
    const seconds = (now - last) / 1000;
    last = now;
    messages = Math.min(AT_ONCE.messages, messages + seconds * IN_A_SECOND.messages) - of;
    bytes = Math.min(AT_ONCE.bytes, bytes + seconds * IN_A_SECOND.bytes) - length;
    if (isFlooded || (messages >= 0 && bytes >= 0)) return;
    isFlooded = true;
    flooded('it sent more requests, notifications and other lines than it may');
  };
  return {
    sent(message) {
      if ('method' in message && 'id' in message) awaited.add(message.id);
    },
    stray: (length) => {
      count(length);
    },
    received(message, length) {
      const id = 'method' in message ? undefined : message.id;
      const isAnswer = id !== undefined && awaited.delete(id);
      if (!isAnswer) count(length, 'id' in message ? OF_REQUEST[kind] : 1);
      // The client would take a reply to "3" for one to 3.
      if (isFlooded || (id !== undefined && !isAnswer)) return null;
      if (!isNestedTooDeep(message)) return message;
      return isAnswer ? { jsonrpc: '2.0', id, error: { code: NOT_AGAIN, message: TOO_DEEP } } : null;
    },
  };
}

/** Puts a guard before whoever reads a transport, which may have been made by others. */
export function guardTransport<T extends Transport>(transport: T, guard: McpGuard): T {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    guard.sent(message);
    await send(message, options);
  };
  let take: Transport['onmessage'];
  const guarded: NonNullable<Transport['onmessage']> = (message, extra) => {
    const read = guard.received(message, 0);
    if (read !== null) take?.(read, extra);
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => (take === undefined ? undefined : guarded),
    set(reader: Transport['onmessage']) {
      take = reader;
    },
  });
  return transport;
}
