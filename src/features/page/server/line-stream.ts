import type { ServerResponse } from 'node:http';

import { SAFE_HEADERS } from './headers.js';
import type { Limits } from './limits.js';
import { joined, writePieces } from './pieces.js';

const HEARTBEAT_MS = 15_000;

/** Lines of JSON to one reader. */
export interface LineStream {
  /** Has it look for the next line, when it is done with the last. */
  wake(): void;
}

export interface LineStreamOptions {
  readonly limits: Limits;
  /**
   * The next line in parts that are made as the reader takes them; null where there is none now, `over` when there will be
   * none. It is asked only when the reader has taken the line before, so that nothing waits for a slow one.
   */
  readonly next: () => Iterable<string> | 'over' | null;
  /** Called once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Begins an answer of lines of JSON (NDJSON), with a blank line now and then so that a lost reader is noticed. */
export function streamLines(
  response: ServerResponse,
  { limits, next, onEnd }: LineStreamOptions,
): LineStream {
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  let isWriting = false;
  const write = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    for (let line = next(); line !== null; line = next()) {
      if (line === 'over') return void response.end();
      if (!(await writePieces(response, joined(line), limits.pieceMs))) return;
    }
    isWriting = false;
  };
  const heartbeat = setInterval(() => {
    if (!isWriting && !response.writableNeedDrain) response.write('\n');
  }, HEARTBEAT_MS);
  response.on('error', () => undefined);
  response.on('close', () => {
    clearInterval(heartbeat);
    onEnd();
  });
  return { wake: () => void write() };
}
