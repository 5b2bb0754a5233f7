import type { InputIn, OperationIn, OperationTable, ResultIn } from './registered-operation.js';

/**
 * The operations of the core, by the names of their commands, in the order of the help. With those of the features
 * (`features.ts`) the command line, the library, the published schemas and the docs derive from it.
 */
export const OPERATIONS = {
  init: {
    group: 'start',
    everyday: true,
    summary: 'make a plan and decompose it into atomic goals',
    aliases: ['new', 'create'],
    streams: 'planning',
    load: async () => (await import('./planning/init-plan.js')).initPlan,
  },
  'agent-guide': {
    group: 'start',
    summary: 'print or write what a coding agent needs to work through a plan',
    load: async () => (await import('./guide/agent-guide.js')).agentGuide,
  },
  list: {
    group: 'look',
    everyday: true,
    summary: 'list every plan, newest first',
    aliases: ['ls'],
    load: async () => (await import('./reading/list-plans.js')).listPlans,
  },
  status: {
    group: 'look',
    everyday: true,
    summary: 'show progress, cost, and what is ready',
    load: async () => (await import('./reading/plan-status.js')).planStatus,
  },
  use: {
    group: 'look',
    summary: 'choose the default plan',
    load: async () => (await import('./reading/use-plan.js')).usePlan,
  },
  show: {
    group: 'look',
    everyday: true,
    summary: 'show one goal and what surrounds it',
    aliases: ['review'],
    load: async () => (await import('./reading/show-goal.js')).showGoal,
  },
  tree: {
    group: 'look',
    everyday: true,
    summary: 'draw the tree of goals',
    aliases: ['visualize'],
    load: async () => (await import('./reading/plan-tree.js')).planTree,
  },
  waves: {
    group: 'look',
    summary: 'show what can be done in parallel, wave by wave',
    load: async () => (await import('./reading/plan-waves.js')).planWaves,
  },
  check: {
    group: 'look',
    summary: 'find what looks wrong in a plan: vague, doubled, without a check',
    load: async () => (await import('./reading/check-plan.js')).checkPlan,
  },
  coverage: {
    group: 'look',
    summary: 'show which lines of a document no goal covers, and which goals no line asked for',
    load: async () => (await import('./reading/cover-document.js')).coverPlan,
  },
  export: {
    group: 'look',
    everyday: true,
    summary: 'export a plan in another format',
    load: async () => (await import('./reading/export-plan.js')).exportPlan,
  },
  log: {
    group: 'look',
    summary: 'show who changed what, and when',
    load: async () => (await import('./reading/change-log.js')).planLog,
  },
  diff: {
    group: 'look',
    summary: 'show what differs between two plans, or since an event',
    load: async () => (await import('./reading/diff-plans.js')).diffPlans,
  },
  next: {
    group: 'work',
    everyday: true,
    summary: 'show the goals that can start now, the best to begin with first',
    load: async () => (await import('./work/next-goals.js')).nextGoals,
  },
  claim: {
    group: 'work',
    everyday: true,
    summary: 'take a goal to work on, for a time',
    aliases: ['start'],
    load: async () => (await import('./work/claim-goal.js')).claimGoal,
  },
  renew: {
    group: 'work',
    summary: 'extend a claim',
    load: async () => (await import('./work/claim-goal.js')).renewClaim,
  },
  release: {
    group: 'work',
    everyday: true,
    summary: 'release a claimed goal',
    load: async () => (await import('./work/claim-goal.js')).releaseClaim,
  },
  context: {
    group: 'work',
    everyday: true,
    summary: 'print everything that is needed to do a goal, within a number of tokens',
    load: async () => (await import('./work/goal-context.js')).goalContext,
  },
  complete: {
    group: 'work',
    everyday: true,
    summary: 'mark a goal as done, with its result',
    aliases: ['done'],
    load: async () => (await import('./work/complete-goal.js')).completeGoal,
  },
  fail: {
    group: 'work',
    summary: 'mark a goal as failed, with the reason',
    aliases: ['block'],
    load: async () => (await import('./work/fail-goal.js')).failGoal,
  },
  reopen: {
    group: 'work',
    summary: 'reopen a finished or failed goal, so that it is done again',
    load: async () => (await import('./work/fail-goal.js')).reopenGoal,
  },
  hold: {
    group: 'work',
    summary: 'put a goal on hold, with all below it, so that nobody is offered it',
    load: async () => (await import('./work/hold-goal.js')).holdGoal,
  },
  unhold: {
    group: 'work',
    summary: 'end the hold that was put on a goal',
    load: async () => (await import('./work/hold-goal.js')).unholdGoal,
  },
  add: {
    group: 'change',
    everyday: true,
    summary: 'add a goal by hand',
    load: async () => (await import('./editing/add-goal.js')).addGoal,
  },
  edit: {
    group: 'change',
    everyday: true,
    summary: 'change a goal: its words, priority, tags, checks',
    aliases: ['rename'],
    load: async () => (await import('./editing/edit-goal.js')).editGoal,
  },
  move: {
    group: 'change',
    summary: 'move a goal, with all below it',
    load: async () => (await import('./editing/move-goal.js')).moveGoal,
  },
  remove: {
    group: 'change',
    summary: 'remove a goal, with all below it',
    aliases: ['rm'],
    load: async () => (await import('./editing/remove-goal.js')).removeGoal,
  },
  merge: {
    group: 'change',
    summary: 'merge siblings that nobody has begun into one goal',
    load: async () => (await import('./editing/merge-goals.js')).mergeGoals,
  },
  depend: {
    group: 'change',
    everyday: true,
    summary: 'make a goal wait for others, or no longer',
    load: async () => (await import('./editing/depend-goal.js')).dependGoal,
  },
  decide: {
    group: 'change',
    summary: 'decide something for a goal and everything below it, or leave it open',
    load: async () => (await import('./editing/decide-goal.js')).decideGoal,
  },
  rollback: {
    group: 'change',
    summary: 'undo the division of a goal, so that it waits to be planned',
    load: async () => (await import('./editing/roll-back-expansion.js')).rollBackExpansion,
  },
  undo: {
    group: 'change',
    everyday: true,
    summary: 'undo your last command that changed goals',
    load: async () => (await import('./editing/undo-change.js')).undoChange,
  },
  redo: {
    group: 'change',
    summary: 'redo what undo undid',
    load: async () => (await import('./editing/undo-change.js')).redoChange,
  },
  resume: {
    group: 'plan further',
    everyday: true,
    summary: 'continue planning',
    aliases: ['continue'],
    streams: 'planning',
    load: async () => (await import('./planning/resume-plan.js')).resumePlan,
  },
  pause: {
    group: 'plan further',
    summary: 'stop planning after the calls in flight',
    load: async () => (await import('./planning/pause-plan.js')).pausePlan,
  },
  ask: {
    group: 'plan further',
    summary: 'show the questions of a plan, for whoever answers in a model’s place',
    load: async () => (await import('./planning/agent/ask-questions.js')).askQuestions,
  },
  answer: {
    group: 'plan further',
    summary: 'answer questions of a plan, and get the next',
    load: async () => (await import('./planning/agent/answer-questions.js')).answerQuestions,
  },
  estimate: {
    group: 'plan further',
    summary: 'estimate calls, tokens and cost of planning, before anything is spent',
    load: async () => (await import('./planning/estimate-planning.js')).estimatePlan,
  },
  digest: {
    group: 'plan further',
    summary: 'digest finished goals and measure what the digests keep',
    load: async () => (await import('./work/digest-goal.js')).digestPlan,
  },
  split: {
    group: 'plan further',
    summary: 'divide a goal that has no sub-goals',
    streams: 'planning',
    load: async () => (await import('./editing/split-goal.js')).splitGoal,
  },
  replan: {
    group: 'plan further',
    summary: 'divide a failed or changed goal again, without touching what is done',
    streams: 'planning',
    load: async () => (await import('./editing/replanning/replan.js')).replan,
  },
  'dependencies infer': {
    group: 'plan further',
    commandSummary: 'find dependencies that were overlooked, are not needed, or look wrong',
    summary: 'ask a model for dependencies that were overlooked',
    load: async () => (await import('./planning/infer-dependencies.js')).inferPlanDependencies,
  },
  'dependencies link': {
    group: 'plan further',
    summary: 'ask a model once which leaves need each other, and what none of them makes',
    load: async () => (await import('./planning/link-dependencies.js')).linkPlanDependencies,
  },
  'dependencies check': {
    group: 'plan further',
    summary: 'find dependencies that are not needed or look wrong',
    load: async () => (await import('./planning/check-dependencies.js')).checkPlanDependencies,
  },
  validate: {
    group: 'store and settings',
    summary: 'check a plan or a plan file',
    load: async () => (await import('./maintenance/validate-plan.js')).validatePlan,
  },
  doctor: {
    group: 'store and settings',
    summary: 'check the store, explain what is wrong, and repair what is safe',
    load: async () => (await import('./maintenance/doctor.js')).doctor,
  },
  import: {
    group: 'store and settings',
    summary: 'import a plan file, or tasks of another tool, into the store',
    load: async () => (await import('./maintenance/import-plan.js')).importPlan,
  },
  archive: {
    group: 'store and settings',
    summary: 'archive a plan: it is listed apart until it is restored',
    load: async () => (await import('./maintenance/archive-plan.js')).archivePlan,
  },
  restore: {
    group: 'store and settings',
    summary: 'bring a plan back from the archive',
    load: async () => (await import('./maintenance/archive-plan.js')).restorePlan,
  },
  delete: {
    group: 'store and settings',
    summary: 'archive a plan; --purge deletes it for good',
    load: async () => (await import('./maintenance/delete-plan.js')).deletePlan,
  },
  schema: {
    group: 'store and settings',
    summary: 'print a published JSON Schema',
    load: async () => (await import('./reading/published-schemas.js')).publishedSchema,
  },
  'config show': {
    group: 'store and settings',
    commandSummary: 'show and change settings, try the model, trust a server or prompts',
    isDefault: true,
    summary: 'show every setting with the place it comes from',
    load: async () => (await import('./settings/show-config.js')).showConfig,
  },
  'config set': {
    group: 'store and settings',
    summary: 'set a setting',
    load: async () => (await import('./settings/configure.js')).setConfig,
  },
  'config unset': {
    group: 'store and settings',
    summary: 'remove a setting',
    load: async () => (await import('./settings/configure.js')).unsetConfig,
  },
  'config test': {
    group: 'store and settings',
    summary: 'make one real call to the model that planning would ask',
    load: async () => (await import('./settings/test-config.js')).testConfig,
  },
  'config trust': {
    group: 'store and settings',
    summary: 'trust a server that a repository names with what is planned and the key',
    load: async () => (await import('./settings/configure.js')).trustBaseUrl,
  },
  'config trust-prompts': {
    group: 'store and settings',
    summary: 'trust the prompts of the repository as they are now',
    load: async () => (await import('./settings/configure.js')).trustPrompts,
  },
  'config trust-command': {
    group: 'store and settings',
    summary: 'trust a command of this machine as the model of repositories',
    load: async () => (await import('./settings/trust-command.js')).trustCommand,
  },
  publish: {
    group: 'store and settings',
    summary: 'write the plan file from the log now',
    load: async () => (await import('./maintenance/publish-plan.js')).publishPlan,
  },
} as const satisfies OperationTable;

type Core = typeof OPERATIONS;

/** The operation of a name. */
export type OperationNamed<Name extends keyof Core> = OperationIn<Core, Name>;

/** What an operation takes. */
export type InputOf<Name extends keyof Core> = InputIn<Core, Name>;

/** What an operation comes to. */
export type ResultOf<Name extends keyof Core> = ResultIn<Core, Name>;
