import type { FeatureWith } from '../../feature.js';
import type { OperationIn, OperationTable, ResultIn } from '../../operations/registered-operation.js';

const OPERATIONS = {
  draft: {
    group: 'action plans',
    summary: 'draft the action plan of an atomic goal: its steps, with tools',
    load: async () => (await import('./operations/draft-action-plan.js')).draftActionPlan,
  },
  preview: {
    group: 'action plans',
    summary: 'show an action plan before it runs',
    load: async () => (await import('./operations/preview-action-plan.js')).previewActionPlan,
  },
  lint: {
    group: 'action plans',
    summary: 'check action plans against every rule and a policy',
    load: async () => (await import('./operations/lint-plans.js')).lintPlans,
  },
  convert: {
    group: 'action plans',
    summary: 'convert an action plan to another format',
    load: async () => (await import('./operations/convert-action-plan.js')).convertFile,
  },
  hash: {
    group: 'action plans',
    summary: 'print the content hash of an action plan, and the ids of one in the dialect wa',
    load: async () => (await import('./operations/hash-action-plan.js')).hashActionPlan,
  },
} as const satisfies OperationTable;

/** Action plans: drafted, looked at, checked and converted. */
export const actions: FeatureWith<typeof OPERATIONS> = {
  name: 'actions',
  operations: OPERATIONS,
  purge: async (context, plan) =>
    (await import('./operations/drop-action-plans.js')).actionPlansOfPurged(context, plan),
  questions: {
    action_plan: async () => (await import('./operations/draft-questions.js')).draftQuestions,
  },
  names: {
    rule: async () =>
      (await import('./operations/lint-rules.js')).lintRules().map(({ rule }) => [rule, ''] as const),
  },
};

export type OperationNamed<Name extends keyof typeof OPERATIONS> = OperationIn<typeof OPERATIONS, Name>;
export type ResultOf<Name extends keyof typeof OPERATIONS> = ResultIn<typeof OPERATIONS, Name>;
