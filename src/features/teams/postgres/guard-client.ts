import type { Client } from 'pg';

/**
 * Has a connected client lose its connection over an answer that cannot be read, as one with a text longer than any may be.
 * The driver throws then where nobody can catch it, and the process would end. Whoever has asked is told what was thrown.
 */
export function guardClient({ connection: { stream } }: Pick<Client, 'connection'>): void {
  for (const listener of stream.listeners('data')) {
    if (!isListener(listener)) continue;
    stream.off('data', listener);
    stream.on('data', (chunk: unknown) => {
      try {
        listener.call(stream, chunk);
      } catch (cause) {
        stream.destroy(cause instanceof Error ? cause : new Error(String(cause)));
      }
    });
  }
}

function isListener(listener: unknown): listener is (chunk: unknown) => void {
  return typeof listener === 'function';
}
