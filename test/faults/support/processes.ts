import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { onTestFinished } from 'vitest';
import { z } from 'zod';

import type { EventPayload } from '../../../src/plan/events.js';

/** What a worker tells on its standard output, a line each. */
const reportSchema = z.looseObject({
  opened: z.boolean().optional(),
  done: z.boolean().optional(),
  end: z.string().optional(),
  event: z.string().optional(),
  refused: z.looseObject({ code: z.string() }).nullable().optional(),
  error: z.looseObject({ name: z.string(), code: z.string().optional(), message: z.string() }).optional(),
});
export type Report = z.infer<typeof reportSchema>;

export interface AppendTask {
  readonly folder: string;
  readonly plan: string;
  readonly payloads: readonly EventPayload[];
  readonly publish: 'each' | 'end' | 'never';
  readonly endless?: boolean;
}

export interface WorkerOptions {
  /** A module that is loaded first, with what it is told in the environment. */
  readonly preload?: { readonly module: string; readonly environment: Readonly<Record<string, string>> };
  /** A program that starts node, such as `strace` with its arguments. */
  readonly under?: readonly string[];
  readonly uid?: number;
  /** Called for each report as it comes. */
  readonly onReport?: (report: Report, process: ChildProcess) => void;
}

export interface WorkerEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly reports: readonly Report[];
  readonly stderr: string;
  /** Ids of the events that the worker was told are kept, accepted or not. */
  readonly acknowledged: readonly string[];
  readonly error: Report['error'];
}

/** Runs a worker that appends. */
export function runAppender(task: AppendTask, options: WorkerOptions = {}): Promise<WorkerEnd> {
  return runWorker('append', task, options);
}

/** Runs a worker that tells what it does. */
export async function runWorker(
  name: 'append' | 'run',
  task: object,
  options: WorkerOptions = {},
): Promise<WorkerEnd> {
  const child = startWorker(name, task, options);
  const reports: Report[] = [];
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => {
    const report = reportOf(line);
    if (report === null) return;
    reports.push(report);
    options.onReport?.(report, child);
  });
  const { status, signal, stderr } = await ended(child);
  return {
    status,
    signal,
    reports,
    stderr,
    acknowledged: reports.flatMap(({ event }) => (event === undefined ? [] : [event])),
    error: reports.find(({ error }) => error !== undefined)?.error,
  };
}

const readingsSchema = z.object({ readings: z.number(), problems: z.array(z.string()) });

/** Starts a worker that reads until it is told to stop, and then tells what it saw. */
export function startReader(folder: string, plan: string): () => Promise<z.infer<typeof readingsSchema>> {
  const child = startWorker('read', { folder, plan });
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const end = ended(child);
  return async () => {
    child.stdin?.end();
    const { stderr } = await end;
    if (stderr !== '') throw new Error(stderr);
    return readingsSchema.parse(JSON.parse(out));
  };
}

/** A program's end: status, signal, and what it wrote to standard error. */
export async function ended(child: ChildProcess): Promise<{
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, by) => done([code, by]));
  });
  return { status, signal, stderr };
}

function startWorker(
  name: 'append' | 'read' | 'run',
  task: object,
  options: WorkerOptions = {},
): ChildProcess {
  const { preload, under = [], uid } = options;
  const node = [
    process.execPath,
    ...(preload === undefined ? [] : ['--import', resolve('test/faults/workers', `${preload.module}.js`)]),
    builtWorker(name),
    JSON.stringify(task),
  ];
  const [program = '', ...args] = [...under, ...node];
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', UV_THREADPOOL_SIZE: '1', ...preload?.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Where a worker is that `test/support/build.ts` bundles. */
export function builtWorker(name: 'append' | 'claim-all' | 'claims' | 'read' | 'run' | 'work'): string {
  return resolve('node_modules/.cache/frctl-workers', `${name}.js`);
}

/** A killed worker may leave a part of a line. */
function reportOf(line: string): Report | null {
  try {
    return reportSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
