export type {
  ActionPlan,
  ActionStep,
  Check,
  ContextRequest,
  Extensions,
  Foreach,
  OnError,
  PlacedStep,
  Retry,
  Risk,
  StepDefaults,
} from './features/actions/model/action-plan.js';
export { planDigest } from './features/actions/model/content-hash.js';
export type { DraftFinding } from './features/actions/tools/draft-finding.js';
export { everyStep } from './features/actions/model/action-plan.js';
export { convertActionPlan } from './features/actions/convert/convert-action-plan.js';
export type { ConvertedActionPlan } from './features/actions/convert/convert-action-plan.js';
export type { Loss, LossKind } from './features/actions/convert/losses.js';
export { writeActionPlan } from './features/actions/convert/write-action-plan.js';
export type { WriteOptions, WrittenActionPlan } from './features/actions/convert/write-action-plan.js';
export type { DialectName } from './features/actions/model/dialect.js';
export type { JsonDocument, TextPosition } from './kernel/json/json-document.js';
export type { ExactNumber, JsonObject, JsonValue } from './kernel/json/json-value.js';
export { examineActionPlan, readActionPlan } from './features/actions/model/read-action-plan.js';
export type {
  ExaminedActionPlan,
  PlacedProblem,
  ReadActionPlan,
  ReadOptions,
} from './features/actions/model/read-action-plan.js';
export type {
  FoundReference,
  Reference,
  ReferenceKind,
  StringPart,
} from './features/actions/model/references.js';
export { lexReferences } from './features/actions/model/references.js';
export { referencesOfStep } from './features/actions/model/step-references.js';
export { resolveDefaults } from './features/actions/model/resolve-defaults.js';
export type { ResolvedPlan, ResolvedStep } from './features/actions/model/resolve-defaults.js';
export type { Finding as LintFinding, SuppressedFinding } from './features/actions/lint/finding.js';
export { lint } from './features/actions/lint/lint.js';
export type { LintOptions } from './features/actions/lint/lint.js';
export type { PlanCheck } from './features/actions/lint/check-plan.js';
export type { FileReport, LintReport, UnreadableFile } from './features/actions/lint/report.js';
export type { Policy } from './features/actions/policy/policy.js';
export { openWorkspace } from './workspace.js';
export type { Library, Workspace, WorkspaceOptions } from './workspace.js';
export type { ExportedPlan, InputOf, OperationName, ResultOf } from './features.js';
export type { ChangeReport, NumberedChange } from './operations/editing/change-goals.js';
export type { LogEntry } from './operations/reading/change-log.js';
export type { ClaimReport, HeldClaim } from './operations/work/claim-schemas.js';
export type { CallOptions } from './operations/library.js';
export type { CompletionReport } from './operations/work/completion-report.js';
export type { ProjectConfig } from './operations/settings/config.js';
export type { DigestReport } from './operations/work/digest-goal.js';
export type { ChangedGoal, DiffedGoal, PlanDiff } from './operations/reading/diff-plans.js';
export type { Environment } from './operations/shared/environment.js';
export type { PlanningFlags } from './operations/planning/choose-planning.js';
export type { GoalContext } from './operations/work/goal-context.js';
export type { DraftReport } from './features/actions/operations/draft-report.js';
export type { LintedPlans, LintResult } from './features/actions/operations/lint-plans.js';
export type { RuleReport } from './features/actions/operations/lint-report-schema.js';
export type { NextReport, ReadyGoal } from './operations/work/next-goals.js';
export type { NothingReady } from './operations/work/nothing-ready.js';
export type { WaveGoal, WavesReport } from './operations/reading/plan-waves.js';
export type { PlanningEvent, PlanningResult, PlanningRun } from './operations/planning/planning-progress.js';
export type { GoalWithNumber } from './operations/shared/numbered-goals.js';
export type { StatusReport } from './operations/reading/status-schema.js';
export type { PlanTree } from './operations/reading/plan-tree.js';
export type { GoalReport } from './operations/reading/show-goal.js';
export type { RefusedResult } from './operations/reading/refused-results.js';
export type {
  LevelVerdict,
  ProposedGoal,
  ProposedLevel,
  ReviewLevel,
  WantedGoal,
} from './planning/review/level.js';
export type { StopSignals } from './operations/operation.js';
export type { Source } from './operations/settings/settings.js';
export type { SubmittedWork } from './operations/work/submitted-result.js';
export type { ActorOptions } from './operations/shared/actor.js';
export type { ExecutionEvent } from './features/runs/executor/session.js';
export type { RunEvent, RunPayload } from './features/runs/model/run-events.js';
export type { Run as ActionRun } from './features/runs/model/run.js';
export type {
  Condition,
  Outcome,
  Tool,
  Toolbox,
  ToolCall,
  ToolDefinition,
} from './features/runs/model/tool.js';
export type { PreparedReport } from './features/runs/operations/prepared-schema.js';
export type { RunReport } from './features/runs/operations/run-report.js';
export type { RunShown } from './features/runs/operations/runs/show-run.js';
export type { Streamed } from './operations/shared/streamed.js';
export { exitStatus, PlanError } from './kernel/errors.js';
export type { ErrorCode, PlanErrorOptions } from './kernel/errors.js';
export type { TreeStyle } from './exports/drawn-tree.js';
export type { EventPayload, EventStamp, EventType, PlanEvent } from './plan/events.js';
export type { Result } from './plan/events/result.js';
export type { Goals } from './plan/goals.js';
export type { IdSource } from './plan/ids.js';
export type { Problem } from './plan/invariants.js';
export type { Counts, Plan } from './plan/plan.js';
export type {
  Budget,
  Digest,
  Estimate,
  Goal,
  GoalStatus,
  PauseCause,
  PlanFile,
  PlanHeader,
  PlanStatus,
  Run,
  Settings,
  Summary,
  Usage,
  Warning,
} from './plan/schema.js';
export type { PlanningEstimate } from './planning/estimate.js';
export type { CoveredLine, UnaskedGoal } from './planning/document-coverage.js';
export type { Listing, StoreProblem, StoreWarning } from './storage/plan-store.js';
export { VERSION } from './kernel/version.js';
