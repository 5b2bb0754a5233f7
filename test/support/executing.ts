import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { DialectName } from '../../src/features/actions/model/dialect.js';
import { planDigest } from '../../src/features/actions/model/content-hash.js';
import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { executeRun } from '../../src/features/runs/executor/execute-run.js';
import type { ExecutionEnd } from '../../src/features/runs/executor/execute-run.js';
import type { ExecutionEvent, ExecutorOptions } from '../../src/features/runs/executor/session.js';
import type { RunLog } from '../../src/features/runs/model/run-log.js';
import type { Run } from '../../src/features/runs/model/run.js';
import { stepsOfRun } from '../../src/features/runs/model/steps/run-step.js';
import type {
  Condition,
  Effects,
  Outcome,
  Tool,
  Toolbox,
  ToolCall,
} from '../../src/features/runs/model/tool.js';
import type { JsonObject, JsonValue } from '../../src/kernel/json/json-value.js';
import { createMemoryRunStore } from '../../src/features/runs/storage/memory-run-store.js';
import type { RunStore } from '../../src/features/runs/storage/run-store.js';
import { preparedWith, startedWith } from './runs.js';

/** A call that a tool of a test was given. */
export type Call = ToolCall & { readonly tool: string };

/** What a tool of a test does: what it brings, or how it ends. A function is asked for each call. */
export type Behaviour = (call: Call, number: number) => Promise<Outcome | JsonValue> | Outcome | JsonValue;

/** Tools that record their calls and can be told what to do. */
export interface Workbench {
  readonly toolbox: Toolbox;
  readonly calls: readonly Call[];
  /** The attempts whose orphans were ended. */
  readonly orphans: readonly string[];
  /** Looks at conditions, by type. */
  readonly looks: readonly { readonly type: string; readonly args: JsonObject }[];
}

export interface Bench {
  /** By name; those that are left out bring their arguments. */
  readonly tools?: Readonly<Record<string, Behaviour>>;
  readonly effects?: Readonly<Record<string, Effects>>;
  readonly schemas?: Readonly<Record<string, JsonObject>>;
  /** By type; a list is what the looks see one after the other, its last again and again. */
  readonly conditions?: Readonly<
    Record<string, boolean | readonly boolean[] | ((args: JsonObject) => boolean)>
  >;
  readonly settleMs?: number;
  /** What an earlier executor has left behind has ended then; at once where it is left out. */
  readonly orphanEnds?: Promise<void>;
  /** By tool, the condition that is waited for before each call. */
  readonly ready?: Readonly<Record<string, string>>;
}

/** Makes tools for a test. */
export function workbench(bench: Bench, names: readonly string[]): Workbench {
  const calls: Call[] = [];
  const numbers = new Map<string, number>();
  const orphans: string[] = [];
  const looks: { type: string; args: JsonObject }[] = [];
  const tools = new Map<string, Tool>();
  const conditions = new Map<string, Condition>();
  for (const name of new Set([...names, ...Object.keys(bench.tools ?? {})])) {
    const behaviour = bench.tools?.[name] ?? ((call) => call.args);
    tools.set(name, {
      definition: () => definitionOf(name, bench),
      settleMs: bench.settleMs ?? 0,
      get ready() {
        return conditions.get(bench.ready?.[name] ?? '');
      },
      async call(given) {
        const call = { ...given, tool: name };
        calls.push(call);
        const number = (numbers.get(name) ?? 0) + 1;
        numbers.set(name, number);
        const result = await behaviour(call, number);
        return isOutcome(result) ? result : { outcome: 'succeeded', output: result };
      },
    });
  }
  for (const [type, said] of Object.entries(bench.conditions ?? {})) {
    let number = 0;
    conditions.set(type, {
      definition: () => definitionOf(type, bench),
      async look({ args }) {
        looks.push({ type, args });
        const ok =
          typeof said === 'function'
            ? said(args)
            : typeof said === 'boolean'
              ? said
              : (said[Math.min(number, said.length - 1)] ?? false);
        number += 1;
        return { ok, detail: ok ? 'as it should be' : `${type} does not hold` };
      },
    });
  }
  const toolbox: Toolbox = {
    tools,
    conditions,
    async endOrphan(attempt) {
      orphans.push(attempt);
      await bench.orphanEnds;
    },
    close: async () => undefined,
  };
  return { toolbox, calls, orphans, looks };
}

function definitionOf(name: string, { effects, schemas }: Bench) {
  return {
    name,
    description: '',
    inputSchema: schemas?.[name] ?? true,
    effects: effects?.[name] ?? ('idempotent' as const),
    binding: {},
  };
}

/** A tool that answers that it failed. */
export function failing(message = 'broken', retryable = true): Outcome {
  return { outcome: 'failed', error: { code: 'TOOL_FAILED', message, retryable } };
}

function isOutcome(value: Outcome | JsonValue): value is Outcome {
  return typeof value === 'object' && value !== null && 'outcome' in value;
}

/** A run of a test, and how to go on with it. */
export interface TestRun {
  readonly log: RunLog;
  readonly bench: Workbench;
  readonly end: ExecutionEnd;
  readonly run: Run;
  readonly events: readonly ExecutionEvent[];
  /** States of instances by name. */
  readonly states: Readonly<Record<string, string>>;
  /** Carries it on, as another executor would. */
  again(changes?: Partial<Bench> & Partial<ExecutorOptions>): Promise<TestRun>;
}

export type RunOptions = Partial<ExecutorOptions> & {
  readonly dialect?: DialectName;
  readonly store?: RunStore;
  readonly run?: string;
};

/** Prepares a plan and carries it out with tools of a test. */
export async function runPlan(plan: object, bench: Bench = {}, options: RunOptions = {}): Promise<TestRun> {
  const { dialect = 'frctl', store = memoryRuns(), run = 'run-0000abcd' } = options;
  const text = JSON.stringify(dialect === 'frctl' ? { schema_version: '1.0', ...plan } : plan);
  const read = readActionPlan(text, { format: dialect });
  const steps = stepsOfRun(read.plan, dialect);
  const made = workbench(
    bench,
    steps.all.map(({ raw }) => raw.tool),
  );
  const log = await store.create(
    preparedWith({
      run,
      plan: text,
      source: { file: null, dialect },
      digest: planDigest(read.plan, dialect),
      tools: [...made.toolbox.tools].map(([name]) => ({
        name,
        effects: bench.effects?.[name] ?? 'idempotent',
        definition: 'd',
        binding: {},
      })),
      expires_at: '2999-01-01T00:00:00Z',
    }),
  );
  return execute(log, made, { steps, ...options }, bench);
}

/** A store of runs in memory, whose clock is the machine's. */
export function memoryRuns(): RunStore {
  let number = 0;
  return createMemoryRunStore(() => {
    number += 1;
    return { id: `e${number}`, at: new Date().toISOString(), by: 'me' };
  });
}

async function execute(
  log: RunLog,
  made: Workbench,
  options: RunOptions & Pick<ExecutorOptions, 'steps'>,
  bench: Bench,
): Promise<TestRun> {
  const replaces = log.run.executor?.id;
  const [started] = await log.append([startedWith(replaces === undefined ? {} : { replaces })]);
  if (started === undefined || started.refused !== null)
    throw new Error(`not started: ${started?.refused?.code ?? ''}`);
  const events: ExecutionEvent[] = [];
  const end = await executeRun(
    {
      log,
      toolbox: made.toolbox,
      clock: testClock(),
      stop: new AbortController().signal,
      drop: new AbortController().signal,
      onUnknown: 'verify',
      // Not the states after each event, which would be thousands.
      emit: (event) => {
        if (event.type !== 'run_event') events.push(event);
      },
      graceMs: 20,
      pollMs: 1,
      ...options,
    },
    started.event.id,
  );
  return {
    log,
    bench: made,
    end,
    run: log.run,
    events,
    states: Object.fromEntries([...log.run.instances].map(([name, { state }]) => [name, state])),
    again: (changes = {}) => {
      const next = { ...bench, ...changes };
      return execute(log, workbench(next, [...made.toolbox.tools.keys()]), { ...options, ...changes }, next);
    },
  };
}

/** Looks are waited for no longer, in milliseconds; the time of a call is. */
const LONGEST_PAUSE_MS = 1000;

/** A clock that goes on only while looks are waited for; the limits of calls are never over. */
export function steppedClock(): {
  readonly clock: ExecutorOptions['clock'];
  readonly waits: readonly number[];
} {
  let now = Date.now();
  const waits: number[] = [];
  const wait = async (ms: number, signal: AbortSignal) => {
    if (ms > LONGEST_PAUSE_MS) {
      await once(signal, 'abort');
      return;
    }
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, wait }, waits };
}

/** The clock of the machine. */
export function testClock(): ExecutorOptions['clock'] {
  return {
    now: Date.now,
    wait: async (ms, signal) => {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    },
  };
}
