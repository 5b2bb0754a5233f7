import { readFileSync } from 'node:fs';

import { onTestFinished } from 'vitest';
import { z } from 'zod';

import type { Running, User } from './command.js';

export const readySchema = z.strictObject({ url: z.string(), port: z.number(), pid: z.number() });

/** The command that serves the page, once it has said where. */
export async function serving(
  user: User,
  args: readonly string[] = ['--json'],
  environment: Readonly<Record<string, string>> = {},
): Promise<Running & { readonly line: string }> {
  const running = user.start(['serve', ...args], environment);
  onTestFinished(() => void running.process.kill('SIGKILL'));
  const line = await new Promise<string>((resolve) => {
    running.process.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
  });
  return { ...running, line };
}

/** A server in a process of its own, whose memory can be looked at. */
export async function servedApart(user: User) {
  const { line, process: child } = await serving(user);
  const { url, port, pid } = readySchema.parse(JSON.parse(line));
  const token = new URL(url).hash.replace('#token=', '');
  return { url, port, token, child, megabytes: () => residentOf(pid) };
}

/** Megabytes that a process has in memory, as Linux tells it. */
export function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
