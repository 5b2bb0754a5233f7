import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { checkOutput } from './check-output.js';
import { canRunHere, runHere } from './command-in-process.js';
import { temporaryFolder } from './folders.js';
import { UNLINKED } from './unlinked.js';

const BINARIES = { plan: resolve('dist/cli/plan.js'), frctl: resolve('dist/cli/frctl.js') };

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly error: string;
  /** Standard output as JSON. */
  readonly json: () => Json;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The command of a user in a folder of his own, with a home of his own and nothing of ours in its environment. */
export interface User {
  readonly folder: string;
  readonly home: string;
  /** @param input what the command reads from standard input; nothing when it is left out */
  start(args: readonly string[], environment?: Readonly<Record<string, string>>, input?: string): Running;
  /** The same to its end, in this process where nothing of it is a process's own: several times as fast. */
  readonly run: (
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
    input?: string,
  ) => Promise<Ended>;
}

export type Json = Record<string, unknown> & { readonly [key: string]: unknown };

/** @param within what the command line begins with, to run the command on another machine */
export function newUser(
  folder: string = temporaryFolder(),
  program: keyof typeof BINARIES = 'plan',
  within: readonly string[] = [],
): User {
  const home = temporaryFolder();
  const variablesWith = (environment: Readonly<Record<string, string>>) => ({
    PATH: process.env.PATH ?? '',
    HOME: home,
    TZ: 'UTC',
    ...UNLINKED,
    XDG_CONFIG_HOME: join(home, '.config'),
    ...environment,
  });
  const start = (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    input?: string,
  ): Running => {
    const [command, ...words] = [...within, process.execPath, BINARIES[program], ...args];
    const child = spawn(command ?? '', words, {
      cwd: folder,
      env: variablesWith(environment),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(input);
    return { process: child, ended: collect(child).then((ended) => checked(args, ended)) };
  };
  const run = async (
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    input?: string,
  ): Promise<Ended> => {
    if (program !== 'plan' || !canRunHere(args, environment)) return start(args, environment, input).ended;
    const variables = variablesWith(environment);
    const { out, ...ended } = await runHere(args, { folder, home, variables }, input);
    return checked(args, { ...ended, out, signal: null, json: () => jsonOf(out) });
  };
  return { folder, home, start, run };
}

function jsonOf(text: string): Json {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Holds what was printed for `--json` to its published schema; of errors and of help there is none. */
function checked(args: readonly string[], ended: Ended): Ended {
  const asksForHelp = args.some((arg) => ['-h', '--help', '-V', '--version'].includes(arg));
  if (!args.includes('--json') || asksForHelp || ended.signal !== null || ended.out === '') return ended;
  let document: unknown;
  try {
    document = JSON.parse(ended.out);
  } catch {
    // Whether it must be JSON is for the test to say.
    return ended;
  }
  if (typeof document === 'object' && document !== null && !('error' in document))
    checkOutput(args, document);
  return ended;
}

const summarySchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  total_goals: z.number(),
  atomic_goals: z.number(),
  pending_goals: z.number(),
  failed_goals: z.number(),
  paused_because: z.string().nullable(),
  usage: z.looseObject({ calls: z.number(), cost_usd: z.number().nullable() }),
  total_tokens: z.number(),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

/** The summary of `{"plan": summary}`. */
export function summaryOf(document: Json): z.infer<typeof summarySchema> {
  return z.looseObject({ plan: summarySchema }).parse(document).plan;
}

const errorSchema = z.looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() });

/** The error of `{"error": …}`. */
export function errorOf(document: Json): z.infer<typeof errorSchema> {
  return z.looseObject({ error: errorSchema }).parse(document).error;
}

async function collect(child: ChildProcess): Promise<Ended> {
  const out: Buffer[] = [];
  const error: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => error.push(chunk));
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (code, by) => resolve([code, by]));
  });
  const text = Buffer.concat(out).toString('utf8');
  return {
    status,
    signal,
    out: text,
    error: Buffer.concat(error).toString('utf8'),
    json: () => jsonOf(text),
  };
}
