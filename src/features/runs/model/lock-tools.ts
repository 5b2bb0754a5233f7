import { setTimeout as wait } from 'node:timers/promises';

import * as z from 'zod';

import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Condition, Outcome, Tool, ToolCall, ToolDefinition } from './tool.js';

/** The locks of wa, for one run. */
export interface LocksOfRun {
  /** Takes a lock. @returns null when the run has it, else the run that holds it */
  take(lock: string): Promise<string | null>;
  giveBack(lock: string): Promise<void>;
  /** Who holds a lock: the run itself, another one by its id, or nobody. */
  holder(lock: string): Promise<'self' | { readonly other: string } | null>;
}

const ACQUIRE = 'wa:acquire_lock';
const RELEASE = 'wa:release_lock';
const HELD = 'wa:lock_held';
const AVAILABLE = 'wa:lock_available';

/** The actions and conditions about locks. */
export const LOCK_NAMES = [ACQUIRE, RELEASE, HELD, AVAILABLE];

/** A number, also as a text that is one, as references may leave it. */
const patienceSchema = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().nonnegative());

/** How often a lock that another run holds is looked at, in milliseconds. */
const LOOK_MS = 100;

/** wa's actions about locks. They change nothing but what other runs may do meanwhile, and can be done again. */
export function lockTools(locks: LocksOfRun): readonly Tool[] {
  return [
    {
      definition: () =>
        definitionOf(ACQUIRE, 'Takes a lock; it is given back at the end of the run at the latest.'),
      call: (call) => acquire(locks, call),
    },
    {
      definition: () => definitionOf(RELEASE, 'Gives a lock back.'),
      async call({ args }) {
        const lock = nameOf(args);
        await locks.giveBack(lock);
        return { outcome: 'succeeded', output: { lock } };
      },
    },
  ];
}

async function acquire(locks: LocksOfRun, { args, signal, timeoutMs, say }: ToolCall): Promise<Outcome> {
  const lock = nameOf(args);
  const wanted = patienceSchema.safeParse(args.timeout_ms ?? 0);
  if (!wanted.success) {
    const message = 'timeout_ms is not a number of milliseconds';
    return { outcome: 'not_sent', error: { code: 'VALIDATION_ERROR', message, retryable: false } };
  }
  const patience = Math.min(wanted.data, timeoutMs);
  for (let waited = 0; ; waited += LOOK_MS) {
    const other = await locks.take(lock);
    if (other === null) return { outcome: 'succeeded', output: { lock } };
    const message = held(lock, other);
    if (signal.aborted || waited >= patience) {
      return { outcome: 'failed', error: { code: 'LOCKED', message, retryable: true } };
    }
    if (waited === 0) say?.(message);
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Who holds a lock, and what frees it. @param holder a run, the run itself, or nobody */
function held(lock: string, holder: string | null): string {
  const name = `the lock ${JSON.stringify(lock)}`;
  if (holder === null) return `nobody holds ${name}`;
  if (holder === 'self') return `this run holds ${name}`;
  return `${holder} holds ${name}; \`plan abort ${holder}\` ends it and frees that`;
}

/** wa's conditions about locks. */
export function lockConditions(locks: LocksOfRun): readonly (readonly [string, Condition])[] {
  const look = (
    name: string,
    description: string,
    isMet: (holder: Awaited<ReturnType<LocksOfRun['holder']>>) => boolean,
  ) => {
    const condition: Condition = {
      definition: () => definitionOf(name, description),
      async look({ args }) {
        const lock = nameOf(args);
        const holder = await locks.holder(lock);
        return {
          ok: isMet(holder),
          detail: held(lock, holder === null || holder === 'self' ? holder : holder.other),
        };
      },
    };
    return [name, condition] as const;
  };
  return [
    look(HELD, 'The run holds the lock.', (holder) => holder === 'self'),
    look(AVAILABLE, 'No other run holds the lock.', (holder) => holder === null || holder === 'self'),
  ];
}

function nameOf({ lock_name: name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}

function definitionOf(name: string, description: string): ToolDefinition {
  const inputSchema = {
    type: 'object',
    properties: { lock_name: { type: 'string', minLength: 1 } },
    required: ['lock_name'],
  };
  return { name, description, inputSchema, effects: 'none', binding: { built_in: name } };
}
