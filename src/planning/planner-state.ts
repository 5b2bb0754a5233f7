import { setMaxListeners } from 'node:events';

import type { PlanError } from '../kernel/errors.js';
import type { EventPayload } from '../plan/events.js';
import { NO_USAGE } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Settings, Usage } from '../plan/schema.js';
import type { Expander, ExpansionOutcome } from './expander.js';
import { frontierBreadthFirst, frontierDepthFirst, frontierOf } from './frontier.js';
import type { Frontier, OpenGoal } from './frontier.js';
import { createRefusals } from './refusals.js';
import type { Refusals } from './refusals.js';
import { createArrivalQueue } from './arrival-queue.js';
import type { ArrivalQueue } from './arrival-queue.js';
import { createStopwatch } from './stopwatch.js';
import type { Stopwatch } from './stopwatch.js';

export interface PlannerOptions {
  readonly expander: Expander;
  readonly settings: Settings;
  /** A new goal id of the plan: its id, a hyphen, and a suffix. */
  readonly newGoalId: () => string;
  /** Milliseconds since any fixed moment; for `usage.seconds`. */
  readonly now: () => number;
  /** When aborted, no further goal is begun; those being expanded are finished. */
  readonly pause: AbortSignal;
  /** When aborted, the calls in flight are dropped too. */
  readonly abort: AbortSignal;
  /** Where whoever stores events can tell that they are written before they are stored. */
  readonly writing?: Writing;
  /** Told when a goal begins to be expanded and when that is over. */
  readonly observe?: (signal: PlannerSignal) => void;
}

/** Whoever stores the events of planning tells by this that what was yielded last is written, though perhaps not synced. */
export interface Writing {
  /** Set by planning. */
  noteWritten: () => void;
}

interface PlannerSignal {
  readonly type: 'expansion_started' | 'expansion_ended';
  readonly goal: Goal;
}

/** How planning ended, and what calls without a result cost. */
export type PlanningEnd =
  | { readonly kind: 'done'; readonly usage: Usage }
  | { readonly kind: 'paused'; readonly usage: Usage }
  | { readonly kind: 'budget'; readonly limit: string; readonly usage: Usage }
  | { readonly kind: 'unavailable'; readonly error: PlanError; readonly usage: Usage };

/** A goal whose reply has come. */
export interface AnsweredGoal {
  readonly openGoal: OpenGoal;
  readonly maxChildren: number;
  readonly outcome: ExpansionOutcome;
}

/** What planning cannot go on after. */
export type Halt = Exclude<PlanningEnd, { kind: 'done' | 'paused' }>;

/** Planning under way. */
export interface PlanningState {
  readonly options: PlannerOptions;
  readonly precedence: typeof frontierBreadthFirst;
  readonly inFlight: Map<string, OpenGoal>;
  /** Goals that were asked about; none is asked about twice. */
  readonly asked: Set<string>;
  /** Goals whose reply has come and is not in the plan yet. */
  readonly unstored: Map<string, AnsweredGoal>;
  /** Those of them whose reply a kill would lose: it is not written. */
  readonly unwritten: Set<string>;
  /** Events of goals that were taken as atomic without asking. */
  readonly taken: EventPayload[];
  readonly answers: ArrivalQueue<AnsweredGoal>;
  readonly refusals: Refusals<AnsweredGoal>;
  /** Aborts when no further call is to be made, for whatever reason; waits for one end then. */
  readonly stop: AbortController;
  readonly stopwatch: Stopwatch;
  plan: Plan;
  frontier: Frontier;
  /** What calls without a result cost. */
  unspent: Usage;
  /** Whether nobody takes events any more. */
  abandoned: boolean;
  /** Why planning cannot go on. */
  halt: Halt | null;
}

/** Planning before anything was asked. */
export function beginPlanning(plan: Plan, options: PlannerOptions): PlanningState {
  const precedence = options.settings.order === 'depth' ? frontierDepthFirst : frontierBreadthFirst;
  const stop = new AbortController();
  // Every call in flight listens to it.
  setMaxListeners(0, stop.signal);
  return {
    options,
    precedence,
    inFlight: new Map(),
    asked: new Set(),
    unstored: new Map(),
    unwritten: new Set(),
    taken: [],
    answers: createArrivalQueue<AnsweredGoal>(options.pause),
    refusals: createRefusals<AnsweredGoal>(),
    stop,
    stopwatch: createStopwatch(options.now),
    plan,
    frontier: frontierOf(plan, precedence),
    unspent: NO_USAGE,
    abandoned: false,
    halt: null,
  };
}
