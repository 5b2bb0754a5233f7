import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';

import type { User } from './command.js';

const messageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z
    .looseObject({
      content: z.array(z.looseObject({ text: z.string() })).optional(),
      isError: z.boolean().optional(),
    })
    .optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

/** A message that the server wrote. */
export type WireMessage = z.output<typeof messageSchema>;

/** `plan mcp` as a host sees it that writes whatever it likes. */
export interface McpWire {
  readonly pid: number;
  readonly write: (text: string | Buffer) => void;
  /** Writes a message of JSON-RPC. */
  readonly send: (message: Readonly<Record<string, unknown>>) => void;
  /** Every line on standard output so far; one that is no message fails the test. */
  readonly messages: () => readonly WireMessage[];
  /** The answer to a request, as soon as it is there. */
  readonly answerTo: (id: string | number) => Promise<WireMessage>;
  readonly error: () => string;
  /** Closes its standard input, and gives its exit status. */
  readonly end: () => Promise<number | null>;
}

/** Starts the server in a user's folder and shakes hands as a client of 2025. */
export async function startWire(user: User): Promise<McpWire> {
  const child = spawn(process.execPath, [resolve('dist/cli/plan.js'), 'mcp'], {
    cwd: user.folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: user.home,
      XDG_CONFIG_HOME: `${user.home}/.config`,
      FORCE_COLOR: '1',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((done) => void child.on('close', done));
  let out = '';
  let error = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (error += part.toString()));
  child.stdin.on('error', () => undefined);
  const send = (message: Readonly<Record<string, unknown>>) =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const messages = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => messageSchema.parse(JSON.parse(line)));
  const answerTo = async (id: string | number) => {
    const found = () => messages().find((message) => message.id === id);
    await expect.poll(found, { timeout: 30_000 }).toBeDefined();
    return messageSchema.parse(found());
  };
  send({
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  await answerTo('hello');
  send({ method: 'notifications/initialized' });
  return {
    pid: child.pid ?? 0,
    write: (text) => void child.stdin.write(text),
    send,
    messages,
    answerTo,
    error: () => error,
    end: async () => {
      child.stdin.end();
      return ended;
    },
  };
}

/** The request that calls a tool. */
export const toolCall = (
  id: string | number,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({ id, method: 'tools/call', params: { name, arguments: args } });
