import type { Feature } from '../../feature.js';
import type { OperationIn, OperationTable } from '../../operations/registered-operation.js';

const OPERATIONS = {
  worker: {
    group: 'plan further',
    after: 'pause',
    summary: 'plan goals of plans left to workers, and carry out runs left to them (run any number)',
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
export const teams = {
  name: 'teams',
  operations: OPERATIONS,
} as const satisfies Feature;

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;
