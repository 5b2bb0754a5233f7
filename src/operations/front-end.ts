/** What front ends use besides the workspace: safe text, and the data they show. All of it loads fast. */
export type { TreeStyle } from '../exports/ascii.js';
export { oneLine, printable } from '../kernel/text/safe-text.js';
export type { Summary } from '../plan/schema.js';
export { VERSION } from '../kernel/version.js';
export type { NumberedChange } from './editing/change-goals.js';
export type { ClaimReport } from './work/claim-goal.js';
export type { CompletionReport } from './work/complete-goal.js';
export type { EstimateReport } from './planning/estimate-planning.js';
export type { DigestedGoal } from './work/digest-goal.js';
export type { ChangedGoal, DiffedGoal, PlanDiff } from './reading/diff-plans.js';
export type { PlanningFlags } from './planning/expanders.js';
export type { PlanningEvent, PlanningResult, PlanningRun } from './planning/planning-run.js';
export type { NextReport } from './work/next-goals.js';
export type { GoalWithNumber } from './shared/numbered-goals.js';
export type { WorkerOptions } from './work/work-event.js';
export { refusedBySystem } from '../host/files/storage-error.js';
export type { StoreWarning } from '../storage/plan-store.js';
