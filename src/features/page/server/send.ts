import type { ServerResponse } from 'node:http';

import { exitStatus, PlanError } from '../../../kernel/errors.js';
import { asPlanError } from '../../../operations/shared/system-error.js';
import { SAFE_HEADERS } from './headers.js';
import { writePieces } from './pieces.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a text as its reader takes it. @param pieceMs how long a piece of it may take */
export async function sendText(
  response: ServerResponse,
  pieces: Iterable<string | Buffer>,
  pieceMs: number,
  type = JSON_TYPE,
): Promise<void> {
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': type });
  if (await writePieces(response, pieces, pieceMs)) response.end();
}

/** Sends what went wrong as the commands print it, with a status that fits. */
export function sendError(response: ServerResponse, thrown: unknown): void {
  const error = errorToSendToPage(thrown);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendShort(response, errorToSend(error), statusOf(error));
}

/** Refuses a request that does not come from the page. */
export function sendRefused(
  response: ServerResponse,
  status: number,
  { message, hint }: { readonly message: string; readonly hint: string },
): void {
  // What a refused request still sends is not read.
  if (status >= 400) response.setHeader('connection', 'close');
  sendShort(
    response,
    errorToSend(new PlanError('REFUSED', message, { hint: { commandLine: hint } })),
    status,
  );
}

function sendShort(response: ServerResponse, document: object, status: number): void {
  response
    .writeHead(status, { ...SAFE_HEADERS, 'content-type': JSON_TYPE })
    .end(`${JSON.stringify(document)}\n`);
}

/** An error as the commands print it. */
export function errorToSend({ code, message, hint, details }: PlanError): {
  readonly error: Readonly<Record<string, unknown>>;
} {
  return { error: { code, message, ...(hint === undefined ? {} : { hint }), details } };
}

function statusOf({ code }: PlanError): number {
  return STATUS.get(exitStatus(code)) ?? 500;
}

/** By the exit status of a command. */
const STATUS: ReadonlyMap<number, number> = new Map([
  [2, 400],
  [3, 404],
  [4, 409],
]);

/** What was thrown as an error; of one of the program's own faults nothing is told to a page. */
export function errorToSendToPage(thrown: unknown): PlanError {
  return asPlanError(thrown, 'something went wrong inside frctl');
}
