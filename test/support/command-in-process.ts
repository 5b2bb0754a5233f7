import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';

import type * as Built from '../../src/bin/run-command.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { randomIds } from '../../src/operations/shared/environment.js';
import type { Environment } from '../../src/operations/shared/environment.js';

/** The built command line as a function: the same files that `dist/cli/plan.js` runs. */
const { runCommand } = createRequire(import.meta.url)(resolve('dist/cli/run-command.js')) as typeof Built;

/** What ends where a process does, or is the process's own: its streams, its signals, its time zone and language. */
const OF_A_PROCESS = /^(?:NODE_.*|TZ|LANG|LC_.*|HOME|SSL_CERT_.*)$/;
const SPEAKS_TO_PROCESS = new Set(['-h', '--help', '-V', '--version', '--watch', '--debug', 'help']);
const COMMANDS_OF_PROCESS = new Set(['completion', 'mcp', 'serve', 'help']);

/** By `FRCTL_TEST_COMMANDS=processes` every command is a process, as it is for a user. */
const isAllowed = process.env.FRCTL_TEST_COMMANDS !== 'processes';

let isBusy = false;

/** Whether a command line can run here; not beside another, for two commands at once are two processes. */
export function canRunHere(args: readonly string[], environment: Readonly<Record<string, string>>): boolean {
  const [name = '-'] = args;
  return (
    isAllowed &&
    !isBusy &&
    !name.startsWith('-') &&
    // What is left to workers is done by them, and not by the process of the command.
    (!COMMANDS_OF_PROCESS.has(name) || (name === 'run' && args.includes('--workers'))) &&
    !args.some((arg) => SPEAKS_TO_PROCESS.has(arg)) &&
    !Object.keys(environment).some((variable) => OF_A_PROCESS.test(variable))
  );
}

/** Runs a command line in this process, without starting Node and loading the command for each. */
export async function runHere(
  args: readonly string[],
  world: { readonly folder: string; readonly home: string; readonly variables: Environment['variables'] },
  input = '',
): Promise<{ readonly status: number; readonly out: string; readonly error: string }> {
  isBusy = true;
  try {
    const out = new PassThrough();
    const error = new PassThrough();
    const texts = [textOf(out), textOf(error)] as const;
    const status = await runCommand('plan', args, {
      streams: {
        stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
        stdout: out,
        stderr: error,
        env: world.variables,
      },
      environment: () => environmentOf(world),
      delivery: { keep: () => undefined, mustArrive: () => undefined },
    });
    out.end();
    error.end();
    return { status, out: await texts[0], error: await texts[1] };
  } finally {
    isBusy = false;
  }
}

function environmentOf({ folder, home, variables }: Parameters<typeof runHere>[1]): Environment {
  return {
    variables,
    workingFolder: folder,
    homeFolder: home,
    user: defaultEnvironment().user,
    host: hostname(),
    pid: process.pid,
    ids: randomIds(),
    now: Date.now,
    random: Math.random,
  };
}

async function textOf(stream: PassThrough): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}
