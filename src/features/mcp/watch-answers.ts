import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** So long an answer is waited for at the end of the input. */
const LONGEST_MS = 1000;

type MessageId = string | number;

/**
 * Watches what a transport sends.
 * @returns resolves when the request of that id was answered, after a second even if it was not, and for null at once
 */
export function watchAnswers(transport: StdioServerTransport): (id: MessageId | null) => Promise<void> {
  const waiting = new Map<MessageId, () => void>();
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) waiting.get(message.id)?.();
  };
  return async (id) => {
    if (id === null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_MS);
      waiting.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  };
}
