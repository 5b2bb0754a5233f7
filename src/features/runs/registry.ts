import type { FeatureWith } from '../../feature.js';
import type { OperationIn, OperationTable, ResultIn } from '../../operations/registered-operation.js';
import { RUN_PARTS, RUNS } from './parts.js';

const OPERATIONS = {
  prepare: {
    group: 'action plans',
    summary: 'check an action plan, bind its tools and store what would run, for approval',
    load: async () => (await import('./operations/prepare-run.js')).prepareRun,
  },
  approve: {
    group: 'action plans',
    summary: 'approve a run, or a step of one, with its code or a signature',
    load: async () => (await import('./operations/approving/approve-run.js')).approveRun,
  },
  run: {
    group: 'action plans',
    summary: 'run what was prepared and approved, or continue it',
    aliases: ['commit'],
    streams: 'own',
    load: async () => (await import('./operations/run-action-plan.js')).runActionPlan,
  },
  'runs list': {
    group: 'action plans',
    commandSummary: 'list and show runs, record uncertain outcomes, remove old ones',
    isDefault: true,
    summary: 'list every run, the one prepared last first',
    load: async () => (await import('./operations/runs/list-runs.js')).listRuns,
  },
  'runs show': {
    group: 'action plans',
    summary: 'show a run: what happened, what is unknown, what can be done',
    load: async () => (await import('./operations/runs/show-run.js')).showRun,
  },
  'runs log': {
    group: 'action plans',
    summary: 'show every event of a run',
    load: async () => (await import('./operations/runs/show-run-log.js')).runLog,
  },
  'runs settle': {
    group: 'action plans',
    summary: 'record the outcome of an uncertain step',
    load: async () => (await import('./operations/runs/settle-run.js')).settleRun,
  },
  'runs pause': {
    group: 'action plans',
    summary: 'pause a run: start nothing more, and take it from workers',
    load: async () => (await import('./operations/runs/pause-run.js')).pauseRun,
  },
  'runs signal': {
    group: 'action plans',
    summary: 'give a run a signal that its steps wait for',
    load: async () => (await import('./operations/runs/signal-run.js')).signalRun,
  },
  'runs prune': {
    group: 'action plans',
    summary: 'remove runs that are over, with their outputs',
    load: async () => (await import('./operations/runs/prune-runs.js')).pruneRuns,
  },
  abort: {
    group: 'action plans',
    summary: 'end a run for good, dropping what is under way',
    load: async () => (await import('./operations/runs/abort-run.js')).abortRun,
  },
  'tools trust': {
    group: 'action plans',
    commandSummary: 'add, list and trust tools',
    summary: 'trust a tools file as it is now, so that plans may run its tools',
    load: async () => (await import('./operations/trust/trust-tools.js')).trustTools,
  },
  'config trust-approvers': {
    group: 'store and settings',
    after: 'config trust-prompts',
    summary: 'trust the current approvers to approve runs by signature',
    load: async () => (await import('./operations/trust/trust-approvers.js')).trustApprovers,
  },
} as const satisfies OperationTable;

/** Action plans that are prepared, approved and carried out. */
export const runs: FeatureWith<typeof OPERATIONS> = {
  name: 'runs',
  operations: OPERATIONS,
  parts: RUN_PARTS,
  diagnose: async (context) => (await import('./operations/runs/runs-of-plan.js')).runDiagnoses(context),
  purge: async (context, plan) =>
    (await import('./operations/runs/runs-of-plan.js')).runsOfPurged(context, plan),
  // Most stores have no runs, and load nothing of them.
  openRuns: async (context, plan) =>
    (await context.partIfAny(RUNS)) === null
      ? []
      : (await import('./operations/runs/open-runs.js')).openRunsOf(context, plan.header.id),
};

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;
export type ResultOf<Name extends keyof typeof OPERATIONS> = ResultIn<typeof OPERATIONS, Name>;
