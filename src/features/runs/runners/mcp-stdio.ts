import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';

import { killGroup, startProgram } from '../../../host/processes/process-group.js';
import { MOST_BYTES, MOST_ERROR } from './limits.js';
import { endOrphansOfAttempt } from './orphans.js';

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
}

/** A server that does not read what it is sent is ended when so many bytes wait for it. */
const MOST_UNREAD = 64 * 1024 * 1024;
/** The code of an error that names none, and of one after which nothing is asked again. */
const SERVER_ERROR = -32_603;
const NOT_AGAIN = -32_602;

/** How long a server may take to end by itself once nothing more comes, in milliseconds. */
const GRACE_MS = 1000;

/**
 * A server behind its standard input and output, a message a line, in a process group of its own that ends with it.
 * A line of more than 10 MB ends it: what it says is not held in memory without bound.
 */
export function createStdioTransport(server: StdioServer): Transport {
  let child: ChildProcess | null = null;
  let said = '';
  // By these two the SDK knows that silence at the first question may mean an older server, not an outage.
  const asProcess = { stderr: null, pid: null };
  const transport: Transport = {
    ...asProcess,
    async start() {
      const { argv, folder, environment: variables, options } = server;
      const started = startProgram({ argv, folder, variables, options, group: 'own', hasInput: true });
      child = started;
      started.stdin?.on('error', () => undefined);
      started.stderr?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString('utf8')).slice(-MOST_ERROR);
      });
      readLines(
        started,
        (line) => {
          receive(line, server, transport);
        },
        () => {
          said = `it said more than ${MOST_BYTES} bytes in one message`;
          killGroup(started, 'SIGKILL');
        },
      );
      started.once('exit', (status, by) => {
        killGroup(started, 'SIGKILL');
        server.ended(`it ended with ${by ?? String(status)}${said.trim() === '' ? '' : `: ${said.trim()}`}`);
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
      if (input.writableLength > MOST_UNREAD) {
        said = 'it does not read what it is sent';
        killGroup(child, 'SIGKILL');
        throw new Error('the server does not read what it is sent');
      }
      await new Promise<void>((resolve, reject) => {
        input.write(`${JSON.stringify(message)}\n`, (cause) => {
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

function receive(line: string, { parse }: StdioServer, transport: Transport): void {
  let message: JSONRPCMessage;
  try {
    message = parse(line);
  } catch {
    const answer = brokenAnswer(line);
    // Programs print what is no message, such as a banner.
    if (answer === null) return;
    message = answer;
  }
  transport.onmessage?.(message);
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
      error: { code: NOT_AGAIN, message: 'its answer is neither a result nor an error' },
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
      if (line.trim() !== '') take(line);
    }
    const rest = chunk.subarray(from);
    held.push(rest);
    length += rest.length;
    if (length > MOST_BYTES) {
      [held, length] = [[], 0];
      child.stdout?.removeAllListeners('data');
      child.stdout?.destroy();
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
