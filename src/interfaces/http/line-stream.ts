import type { ServerResponse } from 'node:http';

import { SAFE_HEADERS } from './headers.js';

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long is gone. */
const LONGEST_PAUSE_MS = 60_000;

/** Lines of JSON to one reader. */
export interface LineStream {
  /** Whether the reader has taken what was sent; what is sent meanwhile would have to be kept. */
  readonly isFree: boolean;
  send(document: unknown): void;
  end(): void;
}

export interface LineStreamOptions {
  /** Called when the reader has taken what was sent. */
  readonly onFree: () => void;
  /** Called once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Begins an answer of lines of JSON (NDJSON), with a blank line now and then so that a lost reader is noticed. */
export function streamLines(response: ServerResponse, { onFree, onEnd }: LineStreamOptions): LineStream {
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  let waitingSince: NodeJS.Timeout | null = null;
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write('\n');
  }, HEARTBEAT_MS);
  const noteFull = () => {
    waitingSince ??= setTimeout(() => response.destroy(), LONGEST_PAUSE_MS);
  };
  response.on('drain', () => {
    if (waitingSince !== null) clearTimeout(waitingSince);
    waitingSince = null;
    onFree();
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    clearInterval(heartbeat);
    if (waitingSince !== null) clearTimeout(waitingSince);
    onEnd();
  });
  return {
    get isFree() {
      return !response.writableNeedDrain && !response.writableEnded && !response.destroyed;
    },
    send(document) {
      if (!response.write(`${JSON.stringify(document)}\n`)) noteFull();
    },
    end: () => void response.end(),
  };
}
