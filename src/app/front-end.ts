/** What front ends use besides the workspace: safe text, and the data they show. All of it loads fast. */
export { EXPORT_FORMATS } from '../formats/registry.js';
export type { TreeStyle } from '../formats/ascii.js';
export { oneLine, printable } from '../plan/safe-text.js';
export type { Summary } from '../plan/schema.js';
export { VERSION } from '../version.js';
export type { LogEntry } from './change-log.js';
export type { ClaimReport } from './claim-goal.js';
export type { ConfigReport } from './configure.js';
export type { ChangedGoal, DiffedGoal, PlanDiff } from './diff-plans.js';
export type { PlanningFlags } from './expanders.js';
export type { PlanningEvent, PlanningResult, PlanningRun } from './planning-run.js';
export type { NextReport } from './next-goals.js';
export type { GoalWithNumber } from './numbered-goals.js';
export type { GoalReport, StatusReport } from './read-plans.js';
export type { RefusedResult } from './refused-results.js';
export { SCHEMA_NAMES } from './schemas.js';
export type { DoctorReport } from './doctor.js';
export type { WorkerOptions } from './work-event.js';
