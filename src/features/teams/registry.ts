import type { FeatureWith } from '../../feature.js';
import type { OperationIn, OperationTable } from '../../operations/registered-operation.js';
import { TEAM_PARTS } from './parts.js';
import { RUNS_IN_TEAMS } from './runs/parts.js';

const OPERATIONS = {
  worker: {
    group: 'plan further',
    after: 'pause',
    summary: 'work on plans and runs that were left to workers (run any number)',
    load: async () => (await import('./operations/plan-worker.js')).planWorker,
  },
  'store copy': {
    group: 'store and settings',
    after: 'import',
    summary: 'copy every plan and run to PostgreSQL, or back to files',
    load: async () => (await import('./copy/copy-store.js')).copyStore,
  },
} as const satisfies OperationTable;

/** Plans in a database, and workers. */
export const teams: FeatureWith<typeof OPERATIONS> = {
  name: 'teams',
  operations: OPERATIONS,
  stores: {
    postgres: async () => (await import('./postgres/open-postgres.js')).openPostgres,
  },
  parts: [...TEAM_PARTS, ...RUNS_IN_TEAMS],
  delegate: async () => (await import('./operations/delegate.js')).workers,
  diagnose: async (context) => (await import('./operations/diagnose-workers.js')).workerDiagnoses(context),
};

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;
