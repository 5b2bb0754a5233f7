import { setMaxListeners } from 'node:events';
import process from 'node:process';
import { pipeline } from 'node:stream';

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import type { Feature } from '../../feature.js';
import { legibleLine } from '../../kernel/text/legible.js';
import { createContext } from '../../operations/shared/context.js';
import { defaultEnvironment } from '../../operations/shared/default-environment.js';
import { createMessageLines } from './message-lines.js';
import { createServer } from './server.js';
import { watchAnswers } from './watch-answers.js';

/** What a host may send in one message; a longer one is refused. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;
/** How long what was begun may take to its end when the host is gone. */
const LONGEST_END_MS = 5000;
/**
 * How long runs and planning may take to end by themselves before their calls are dropped. Hosts ask a server to end two
 * seconds after they closed its input and kill it after four; a program that is dropped has two to end.
 */
const DROP_AFTER_MS = 1000;
/** By these a server is asked to end; the second time it ends at once. */
const END_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Different things that are told of while a server runs. */
const MOST_TOLD = 1000;

/** Said where somebody has typed the command, who would see nothing happen. */
const TO_A_PERSON =
  'Waiting for an MCP client on standard input; Ctrl-C ends it.\ndocs/mcp.md says how a client starts it.\n';

export interface ServeOptions {
  readonly features: readonly Feature[];
  /** The store's folder, named outright. */
  readonly folder?: string | undefined;
  readonly outputSchemas: boolean;
}

/**
 * Serves MCP on standard input and output until the host closes them or a signal asks for the end. Nothing else may be written
 * to standard output; what the store warns of goes to standard error. Calls that are under way then come to their end. Runs,
 * and what is planned by a model in the background, are stopped as by Ctrl-C; whoever asks for them again goes on.
 */
export async function serveMcp({ features, folder, outputSchemas }: ServeOptions): Promise<void> {
  const tell = teller();
  if (process.stdin.isTTY) process.stderr.write(TO_A_PERSON);
  const lines = createMessageLines({
    longest: LONGEST_MESSAGE,
    reply: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
    answered: (id) => answered(id),
  });
  // A line that was let through is let through to its end.
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: 2 * LONGEST_MESSAGE });
  const answered = watchAnswers(transport);
  const stop = new AbortController();
  const drop = new AbortController();
  // Everything that goes on after its answer listens to them, and each answer that a slow host has not taken to its output.
  setMaxListeners(0, stop.signal, drop.signal, process.stdout);
  const closed = new Promise<void>((resolve) => {
    lines.once('close', resolve);
    for (const name of END_SIGNALS)
      process.once(name, () => {
        drop.abort();
        resolve();
      });
  });
  const underWay = new Set<Promise<unknown>>();
  const failures = new Map<string, string>();
  const count = (work: Promise<unknown>) => {
    const ended = work.catch(() => undefined);
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
  };
  const context = createContext({
    environment: defaultEnvironment(),
    features,
    folder,
    warn: ({ message }) => tell(message),
  });
  const handle = serveStdio(
    () =>
      createServer({
        newContext: () => context.newChange(),
        background: count,
        failures,
        ending: { signal: stop.signal, dropSignal: drop.signal },
        called: count,
        outputSchemas,
      }),
    { transport, onerror: ({ message }) => tell(message) },
  );
  pipeline(process.stdin, lines, () => undefined);
  await closed;
  stop.abort();
  await handle.close();
  await allEnded(underWay, drop);
  await context.close();
}

/** Waits for what is under way, and for what that has begun; calls that take too long are dropped, and in the end left. */
async function allEnded(underWay: ReadonlySet<Promise<unknown>>, drop: AbortController): Promise<void> {
  const dropping = setTimeout(() => drop.abort(), DROP_AFTER_MS);
  const late = new AbortController();
  const leaving = setTimeout(() => late.abort(), LONGEST_END_MS);
  const over = new Promise<void>((resolve) => {
    late.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  while (underWay.size > 0 && !late.signal.aborted) await Promise.race([Promise.all(underWay), over]);
  clearTimeout(dropping);
  clearTimeout(leaving);
}

/** Tells what is wrong on standard error, each thing once. */
function teller(): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message) || told.size > MOST_TOLD) return;
    told.add(message);
    process.stderr.write(`frctl mcp: ${legibleLine(message)}\n`);
  };
}
