import type { FeatureWith } from '../../feature.js';
import type { OperationIn, OperationTable, ResultIn } from '../../operations/registered-operation.js';
import { KIT_PARTS } from './parts.js';

const OPERATIONS = {
  'tools add': {
    group: 'action plans',
    after: 'tools trust',
    summary: 'add ready-made tools to the tools file: a kit',
    load: async () => (await import('./operations/add-kit.js')).addKit,
  },
  'tools list': {
    group: 'action plans',
    after: 'tools add',
    summary: 'list the tools that plans may use, with their arguments and effects',
    load: async () => (await import('./operations/list-tools.js')).listTools,
  },
} as const satisfies OperationTable;

/** Ready-made tools. */
export const kits: FeatureWith<typeof OPERATIONS> = {
  name: 'kits',
  operations: OPERATIONS,
  parts: KIT_PARTS,
};

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;
export type ResultOf<Name extends keyof typeof OPERATIONS> = ResultIn<typeof OPERATIONS, Name>;
