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
} from './actions/action-plan.js';
export { planDigest } from './actions/digest.js';
export type { DraftFinding } from './actions/tools/draft-finding.js';
export { everyStep } from './actions/action-plan.js';
export { convertActionPlan } from './actions/convert/convert-action-plan.js';
export type { ConvertedActionPlan } from './actions/convert/convert-action-plan.js';
export type { Loss, LossKind } from './actions/convert/losses.js';
export { writeActionPlan } from './actions/convert/write-action-plan.js';
export type { WriteOptions, WrittenActionPlan } from './actions/convert/write-action-plan.js';
export type { DialectName } from './actions/dialect.js';
export type { JsonDocument, TextPosition } from './actions/json-document.js';
export type { ExactNumber, JsonObject, JsonValue } from './actions/json-value.js';
export { examineActionPlan, readActionPlan } from './actions/read-action-plan.js';
export type {
  ExaminedActionPlan,
  PlacedProblem,
  ReadActionPlan,
  ReadOptions,
} from './actions/read-action-plan.js';
export type { FoundReference, Reference, ReferenceKind, StringPart } from './actions/references.js';
export { lexReferences } from './actions/references.js';
export { referencesOfStep } from './actions/step-references.js';
export { resolveDefaults } from './actions/resolve-defaults.js';
export type { ResolvedPlan, ResolvedStep } from './actions/resolve-defaults.js';
export type { Finding as LintFinding, SuppressedFinding } from './actions/lint/finding.js';
export { lint } from './actions/lint/lint.js';
export type { LintOptions } from './actions/lint/lint.js';
export type { PlanCheck } from './actions/lint/check-plan.js';
export type { FileReport, LintReport, UnreadableFile } from './actions/lint/report.js';
export type { Policy } from './actions/policy/policy.js';
export { openWorkspace } from './app/workspace.js';
export type { Workspace, WorkspaceOptions } from './app/workspace.js';
export type { AddOptions } from './app/add-goal.js';
export type { ChangeOptions, ChangeReport, NumberedChange } from './app/change-goals.js';
export type { LogEntry, LogOptions } from './app/change-log.js';
export type {
  CheckDependenciesOptions,
  DependencyReport,
  ExplainedFinding,
} from './app/check-dependencies.js';
export type {
  ClaimOptions,
  ClaimReport,
  HeldClaim,
  ReleaseOptions,
  ReleaseReport,
  RenewOptions,
} from './app/claim-goal.js';
export type { CompleteOptions, CompletionReport } from './app/complete-goal.js';
export type { Conversion, ConvertOptions } from './app/convert-action-plan.js';
export type { ActionPlanHash, HashOptions } from './app/hash-action-plan.js';
export type { ConfigReport, ConfigTest, SettingReport, TrustedPrompts } from './app/configure.js';
export type { ProjectConfig } from './app/config.js';
export type { DoctorOptions, DoctorReport, Finding } from './app/doctor.js';
export type { CoverageOptions, CoverageReport } from './app/cover-document.js';
export type { EstimateOptions, EstimateReport } from './app/estimate-planning.js';
export type { DigestedGoal, DigestOptions, DigestReport } from './app/digest-goal.js';
export type { DependOptions } from './app/depend-goal.js';
export type { DraftOptions, DraftReport } from './app/draft-action-plan.js';
export type { PreviewOptions, PreviewReport } from './app/preview-action-plan.js';
export type { ChangedGoal, DiffedGoal, PlanDiff } from './app/diff-plans.js';
export type { ClearableField, EditOptions } from './app/edit-goal.js';
export type { Environment } from './app/environment.js';
export type { PlanningFlags } from './app/expanders.js';
export type { ExportedPlan, ExportOptions } from './app/export-plan.js';
export type { FailOptions, FailureReport, GoalChangeReport, ReopenOptions } from './app/fail-goal.js';
export type { InferenceReport, InferOptions, InferredDependency } from './app/infer-dependencies.js';
export type { GoalContext, GoalContextOptions } from './app/goal-context.js';
export type { InitOptions } from './app/init-plan.js';
export type { LintedPlans, LintPlansOptions } from './app/lint-plans.js';
export type { RuleReport } from './app/lint-rules.js';
export type { ListOptions } from './app/list-plans.js';
export type { PlaceOptions } from './app/goal-place.js';
export type { MergeOptions } from './app/merge-goals.js';
export type { Migration } from './app/migrate-plans.js';
export type { NextOptions, NextReport, ReadyGoal } from './app/next-goals.js';
export type { NothingReady } from './app/nothing-ready.js';
export type { WaveGoal, WavesReport } from './app/plan-waves.js';
export type { MoveOptions } from './app/move-goal.js';
export type { PlanningEvent, PlanningResult, PlanningRun } from './app/planning-run.js';
export type { GoalWithNumber } from './app/numbered-goals.js';
export type { ClaimedGoal, StatusOptions, StatusReport } from './app/plan-status.js';
export type { GoalReport, TreeReport } from './app/read-plans.js';
export type { RefusedResult } from './app/refused-results.js';
export type { RemoveOptions } from './app/remove-goal.js';
export type { Replanned, ReplanOptions } from './app/replan-goal.js';
export type { ResumeOptions } from './app/resume-plan.js';
export type { StopSignals } from './app/run-planning.js';
export type { SplitOptions } from './app/split-goal.js';
export type { Source } from './app/settings.js';
export type { Undone } from './app/undo-change.js';
export type { Validation } from './app/validate-plan.js';
export type { SubmittedWork } from './app/submitted-result.js';
export type { WorkerOptions } from './app/work-event.js';
export { exitStatus, PlanError } from './errors.js';
export type { ErrorCode, PlanErrorOptions } from './errors.js';
export type { TreeStyle } from './formats/ascii.js';
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
export type { PlanningEstimate } from './planner/estimate.js';
export type { CoveredLine, UnaskedGoal } from './planner/document-coverage.js';
export type { Listing, StoreProblem, StoreWarning } from './store/plan-store.js';
export { VERSION } from './version.js';
