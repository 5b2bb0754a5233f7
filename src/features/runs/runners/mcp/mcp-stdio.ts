import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';

import { killGroup, startProgram } from '../../../../host/processes/process-group.js';
import { isNestedTooDeep } from '../../../../kernel/json/nesting.js';
import { MOST_BYTES, MOST_ERROR } from '../limits.js';
import { createMcpGuard, NOT_AGAIN, TOO_DEEP } from './mcp-guard.js';
import type { McpGuard } from './mcp-guard.js';
import { endOrphansOfAttempt } from '../programs/orphans.js';
import type { Secrets } from '../secrets.js';

/** A server that is started as a program of its own. */
export interface StdioServer {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads on descriptor 3. */
  readonly options?: string | undefined;
  /** By which whatever it starts is found. */
  readonly mark: string;
  /** Told when it could not be started, or ended, with what it said last on standard error. */
  readonly ended: (reason: string) => void;
  readonly parse: (line: string) => JSONRPCMessage;
  /** What must not be told of what it says. */
  readonly secrets: Pick<Secrets, 'blotText' | 'longest'>;
}

/** A server that does not read what it is sent is ended when so many bytes, or messages, wait for it. */
const MOST_UNREAD = { bytes: 64 * 1024 * 1024, messages: 1000 };
/** The code of an error that names none. */
const SERVER_ERROR = -32_603;

/** How long a server may take to end by itself once nothing more comes, in milliseconds. */
const GRACE_MS = 1000;

/**
 * A server behind its standard input and output, a message a line, in a process group of its own that ends with it.
 * A line of more than 10 MB ends it, and so do more lines than it may say unasked: what it says is not held in memory without bound.
 */
export function createStdioTransport(server: StdioServer): Transport {
  let child: ChildProcess | null = null;
  const said = lastSaid(server.secrets);
  /** Why it was ended here. */
  let why: string | null = null;
  let unread = 0;
  // By these two the SDK knows that silence at the first question may mean an older server, not an outage.
  const asProcess = { stderr: null, pid: null };
  const endWith = (program: ChildProcess, reason: string): void => {
    why ??= reason;
    program.stdout?.removeAllListeners('data');
    program.stdout?.destroy();
    killGroup(program, 'SIGKILL');
  };
  const guard = createMcpGuard('stdio', (reason) => {
    if (child !== null) endWith(child, reason);
  });
  const transport: Transport = {
    ...asProcess,
    async start() {
      const { argv, folder, environment: variables, options } = server;
      const started = startProgram({ argv, folder, variables, options, group: 'own', hasInput: true });
      child = started;
      started.stdin?.on('error', () => undefined);
      started.stderr?.on('data', (chunk: Buffer) => {
        said.add(chunk);
      });
      readLines(
        started,
        (line) => {
          receive(line, { server, transport, guard });
        },
        () => {
          endWith(started, `it said more than ${MOST_BYTES} bytes in one message`);
        },
      );
      started.once('exit', (status, by) => {
        killGroup(started, 'SIGKILL');
        const last = said.text();
        server.ended(why ?? `it ended with ${by ?? String(status)}${last === '' ? '' : `: ${last}`}`);
        transport.onclose?.();
      });
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve).once('error', reject);
      });
    },
    async send(message) {
      const input = child?.stdin;
      if (input === null || input === undefined || child?.exitCode !== null)
        throw new Error('the server has ended');
      if (input.writableLength > MOST_UNREAD.bytes || unread > MOST_UNREAD.messages) {
        endWith(child, 'it does not read what it is sent');
        throw new Error('the server does not read what it is sent');
      }
      guard.sent(message);
      unread += 1;
      await new Promise<void>((resolve, reject) => {
        input.write(`${JSON.stringify(message)}\n`, (cause) => {
          unread -= 1;
          if (cause === null || cause === undefined) resolve();
          else reject(cause);
        });
      });
    },
    async close() {
      if (child !== null) await endServer(child, server.mark);
    },
  };
  return transport;
}

/** Keeps the last of what is said, without secrets: where its beginning was cut, the end of one may stand there. */
function lastSaid({ blotText, longest }: StdioServer['secrets']) {
  const decoder = new TextDecoder();
  let kept = '';
  let isCut = false;
  return {
    add(chunk: Buffer): void {
      const all = kept + decoder.decode(chunk, { stream: true });
      kept = all.slice(-(MOST_ERROR + longest()));
      isCut ||= kept.length < all.length;
    },
    text: (): string =>
      blotText(kept)
        .slice(isCut ? longest() : 0)
        .trim(),
  };
}

interface Receiving {
  readonly server: StdioServer;
  readonly transport: Transport;
  readonly guard: McpGuard;
}

function receive(line: string, { server, transport, guard }: Receiving): void {
  let message: JSONRPCMessage | null;
  try {
    message = server.parse(line);
  } catch {
    message = brokenAnswer(line);
  }
  // Programs print what is no message, such as a banner.
  if (message === null) {
    guard.stray(line.length);
    return;
  }
  const read = guard.received(message, line.length);
  if (read !== null) transport.onmessage?.(read);
}

const brokenSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.undefined().optional(),
  error: z.unknown().optional(),
});
const partsSchema = z.object({
  code: z.int().catch(SERVER_ERROR),
  message: z.string().catch('it answered with an error that has no text'),
});

/**
 * The error that stands for an answer which breaks the protocol, such as an error without a message: who asked must not
 * wait for another one. Null for what answers nothing.
 */
function brokenAnswer(line: string): JSONRPCMessage | null {
  let told: unknown;
  try {
    told = JSON.parse(line);
  } catch {
    return null;
  }
  const broken = brokenSchema.safeParse(told);
  if (!broken.success) return null;
  const { id, error } = broken.data;
  if (error === undefined)
    return {
      jsonrpc: '2.0',
      id,
      // What was asked may have been done, and is not asked again.
      error: {
        code: NOT_AGAIN,
        message: isNestedTooDeep(told) ? TOO_DEEP : 'its answer is neither a result nor an error',
      },
    };
  const said = typeof error === 'string' ? { message: error } : error;
  return { jsonrpc: '2.0', id, error: partsSchema.parse(said ?? {}) };
}

function readLines(child: ChildProcess, take: (line: string) => void, tooLong: () => void): void {
  let held: Buffer[] = [];
  let length = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...held, chunk.subarray(from, at)]).toString('utf8');
      [held, length, from] = [[], 0, at + 1];
      take(line);
    }
    const rest = chunk.subarray(from);
    held.push(rest);
    length += rest.length;
    if (length > MOST_BYTES) {
      [held, length] = [[], 0];
      tooLong();
    }
  });
}

/** Ends a server: nothing more comes, then it is asked, then killed, with all that it started. */
async function endServer(child: ChildProcess, mark: string): Promise<void> {
  const gone = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const exit = gone()
    ? Promise.resolve()
    : new Promise<void>((resolve) =>
        child.once('exit', () => {
          resolve();
        }),
      );
  child.stdin?.end();
  await Promise.race([exit, wait(GRACE_MS)]);
  if (!gone()) killGroup(child, 'SIGTERM');
  await Promise.race([exit, wait(GRACE_MS)]);
  // When it ended its group was killed with it; by now that number may be another's.
  if (!gone()) killGroup(child, 'SIGKILL');
  await exit;
  await endOrphansOfAttempt(mark, 0);
  child.stdout?.destroy();
  child.stderr?.destroy();
}
