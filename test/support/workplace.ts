import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import type { ToolCall } from '../../src/features/runs/model/tool.js';
import type { RunnerEnvironment } from '../../src/features/runs/runners/runner-environment.js';
import { temporaryFolder } from './folders.js';

/** A workspace of its own, and what its tools have replaced, by number. */
export interface TestWorkplace extends RunnerEnvironment {
  readonly kept: readonly Buffer[];
}

/** A workplace in a folder of its own, with a store beside the files. */
export function newWorkplace(variables: Readonly<Record<string, string>> = {}): TestWorkplace {
  // Within a folder of its own, so that what is beside it is nobody else's.
  const root = join(realpathSync(temporaryFolder()), 'workspace');
  mkdirSync(root);
  const store = join(root, '.plans');
  mkdirSync(store);
  const kept: Buffer[] = [];
  return {
    root,
    forbidden: [store],
    hidden: [],
    variables: { PATH: process.env.PATH, HOME: root, ...variables },
    keep: async (content) => Promise.resolve(`kept-${kept.push(content)}`),
    kept,
  };
}

let calls = 0;

/** A call of a tool, with ten seconds and a mark of its own. */
export function callWith(args: ToolCall['args'], more: Partial<ToolCall> = {}): ToolCall {
  calls += 1;
  const attempt = `run-test${process.pid}/step/${calls}`;
  const key = 'k'.repeat(32);
  return { args, key, attempt, timeoutMs: 10_000, signal: new AbortController().signal, ...more };
}
