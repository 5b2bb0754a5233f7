import type { RunContext } from '../../../operations/operation.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalCheck } from '../../../plan/goal-work-schema.js';
import type { Clean } from './clean.js';
import type { Git } from './git.js';
import type { Agent } from './presets.js';
import type { Attempt } from './state.js';
import type { CheckTools } from './run-checks.js';
import type { Turns } from './turns.js';

/** What a person is asked about. */
export const REVIEWS = ['none', 'needed', 'each'] as const;

/** What became of an attempt; `refused`: the goal was somebody else's, `kept`: it goes on with the next command. */
export type AttemptEnd = {
  readonly attempt: Attempt;
  readonly outcome: 'landed' | 'failed' | 'waiting' | 'refused' | 'lost' | 'interrupted' | 'agent';
  readonly reason: string | null;
};

/** All that attempts at the goals of a plan are carried out with. */
export interface Work {
  readonly context: RunContext;
  readonly log: PlanLog;
  /** Where attempts are kept. */
  readonly root: string;
  /** Git on the user's working tree. */
  readonly git: Git;
  readonly top: string;
  readonly branch: string;
  /** The folder of the user's objects. */
  readonly objects: string;
  readonly agent: Agent;
  /** Leaves secrets out of what goes into the plan. */
  readonly clean: Clean;
  readonly checkTools: CheckTools | null;
  readonly projectChecks: readonly GoalCheck[];
  readonly setup: string | undefined;
  readonly protect: readonly string[];
  readonly copy: readonly string[];
  readonly review: (typeof REVIEWS)[number];
  readonly tries: number;
  readonly timeoutMs: number;
  readonly isSandboxed: boolean;
  readonly identity: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Hears of each step of an attempt as it begins, and about once a minute of the last line of an agent. */
  readonly told: (now: Attempt, line?: string) => void;
  readonly turns: Turns;
  /** Returns how many dollars are left; null where there is no such budget. */
  readonly dollarsLeft: () => number | null;
  /** Ends what runs; its trees are kept. */
  readonly drop: AbortSignal;
}
