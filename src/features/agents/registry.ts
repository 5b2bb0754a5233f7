import { join } from 'node:path';

import type { FeatureWith } from '../../feature.js';
import { exists } from '../../host/files/exists.js';
import type { OperationIn, OperationTable, ResultIn } from '../../operations/registered-operation.js';
import { stateFolder, type Environment } from '../../operations/shared/environment.js';

const OPERATIONS = {
  work: {
    group: 'work',
    summary: 'let coding agents do the goals, and land what passes its checks',
    load: async () => (await import('./operations/work-plan.js')).workPlan,
  },
  'attempts list': {
    group: 'work',
    commandSummary: 'show what agents work on, and accept or reject what waits',
    isDefault: true,
    summary: 'list the attempts of agents that are under way, or wait',
    load: async () => (await import('./operations/list-attempts.js')).listAttempts,
  },
  'attempts show': {
    group: 'work',
    summary: 'show what an agent made: its patch, its output, and what went wrong',
    load: async () => (await import('./operations/show-attempt.js')).showAttempt,
  },
  'attempts pause': {
    group: 'work',
    summary: 'ask `plan work` to begin nothing more, and to finish what runs',
    load: async () => (await import('./operations/clean-attempts.js')).pauseAttempts,
  },
  'attempts clean': {
    group: 'work',
    summary: 'remove what attempts have left on the disk; commits are kept',
    load: async () => (await import('./operations/clean-attempts.js')).cleanAttempts,
  },
  'attempts accept': {
    group: 'work',
    summary: 'land what an agent made, after looking at it',
    load: async () => (await import('./operations/decide-attempt.js')).acceptAttempt,
  },
  'attempts reject': {
    group: 'work',
    summary: 'give up what an agent made; its commit is kept',
    load: async () => (await import('./operations/decide-attempt.js')).rejectAttempt,
  },
} as const satisfies OperationTable;

/** Whether attempts at goals of a plan are kept here; a home that cannot be looked at has none. */
function hasAttempts(environment: Environment, plan: string): boolean {
  try {
    return exists(join(stateFolder(environment), plan));
  } catch {
    return false;
  }
}

/** Coding agents that work a plan off. */
export const agents: FeatureWith<typeof OPERATIONS> = {
  name: 'agents',
  operations: OPERATIONS,
  diagnose: async (context) => (await import('./operations/diagnose-attempts.js')).attemptDiagnoses(context),
  names: {
    agent: async (context) => (await import('./operations/agent-names.js')).agentNames(context),
  },
  purge: async (context, plan) =>
    (await import('./operations/attempts-of-purged.js')).attemptsOfPurged(context, plan),
  // Most plans have no attempts, and load nothing of them.
  openRuns: async (context, plan) =>
    hasAttempts(context.environment, plan.header.id)
      ? (await import('./operations/open-attempts.js')).openAttemptsOf(context, plan)
      : [],
};

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;
export type ResultOf<Name extends keyof typeof OPERATIONS> = ResultIn<typeof OPERATIONS, Name>;
