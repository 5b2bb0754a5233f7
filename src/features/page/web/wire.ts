import type { ShownGoal, ShownHeader } from '../watching/plan-delta.js';
import type { FeedEntry } from '../watching/log-feed.js';
import type { GoalState } from '../../../plan/readiness/goal-state.js';
import type { Summary } from '../../../plan/schema.js';

export type { FeedEntry, ShownGoal, ShownHeader };

/** A line of the stream of a plan. */
export type PlanLine =
  | {
      readonly type: 'whole' | 'changed';
      readonly seq: number;
      readonly header: ShownHeader | null;
      readonly goals: readonly ShownGoal[];
      readonly gone: readonly string[];
      readonly archived?: boolean;
      readonly log: readonly FeedEntry[];
    }
  | { readonly type: 'gone'; readonly error: WireError };

/** An error as every route gives it. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** What is said of the server. */
export interface ServerInfo {
  readonly write: boolean;
  readonly version: string;
  readonly store: string;
  /** Where the tabs that it lets in talk to each other. */
  readonly channel: string;
}

/** A plan in the list. */
export interface PlanSummary {
  readonly id: string;
  readonly description: string;
  readonly status: string;
  readonly progress: Summary['progress'];
  readonly updated_at: string;
  readonly total_goals: number;
  readonly atomic_goals: number;
  readonly complete_goals: number;
  readonly pending_goals: number;
  readonly failed_goals: number;
  readonly paused_because: string | null;
}

/** A goal as `show` gives it. */
export interface DetailedGoal {
  readonly id: string;
  readonly number: string;
  readonly description: string;
  readonly status: string;
  readonly state: GoalState;
  readonly [member: string]: unknown;
}

/** What `show` says. */
export interface GoalReport {
  readonly goal: DetailedGoal;
  readonly parent: DetailedGoal | null;
  readonly children: readonly DetailedGoal[];
  readonly dependencies: readonly DetailedGoal[];
  readonly dependents: readonly DetailedGoal[];
  readonly inherited_dependencies: readonly InheritedGoal[];
  readonly inherited_dependents: readonly InheritedGoal[];
  readonly decisions: readonly { readonly line: string }[];
  readonly missing_results: readonly { readonly what: string }[];
  readonly findings?: { readonly first: readonly { readonly code: string; readonly message: string }[] };
  readonly refused_results: readonly unknown[];
}

/** A goal that one waits for, or that waits for it, by way of a goal above. */
interface InheritedGoal {
  readonly goal: DetailedGoal;
  readonly by: { readonly id: string; readonly number: string };
}

/** A run in the list. */
export interface RunSummary {
  readonly run: string;
  readonly status: string;
  readonly updated_at: string;
  /** The same words as on a terminal. */
  readonly words: { readonly plan: string; readonly status: string; readonly steps: string };
}

/** A run with its steps and their attempts. */
export interface RunReport {
  readonly run: RunSummary & {
    readonly reason: string | null;
    readonly steps: readonly {
      readonly step: string;
      readonly state: string;
      /** The state in words. */
      readonly words: string;
      readonly tool: string | null;
      readonly title: string | null;
      readonly skipped_because: string | null;
      readonly error: { readonly code: string; readonly message: string } | null;
    }[];
    readonly waiting: readonly {
      readonly step: string;
      readonly for: string;
      readonly summary: string;
      readonly commands: readonly string[];
    }[];
    readonly next: readonly { readonly command: string; readonly does: string }[];
  };
  readonly attempts: readonly {
    readonly step: string;
    readonly attempt: number;
    readonly tool: string;
    readonly outcome: string | null;
    readonly started_at: string;
    readonly ended_at: string | null;
    readonly error: string | null;
  }[];
}

/** What would be agreed to: the plan for people, everything else, and the digest of all of it. */
export interface ShownApproval {
  readonly run: string;
  readonly scope: string;
  readonly text: string;
  readonly parts: readonly {
    readonly title: string;
    readonly lines: readonly string[];
    readonly kind: 'line' | 'list' | 'time';
  }[];
  readonly shown: string;
}

/** A decision, with the goal that it is kept with; it holds for everything below. */
export interface PlanDecision {
  readonly goal: string;
  readonly number: string;
  readonly what: string;
  /** Null while it is open. */
  readonly choice: string | null;
  readonly decided_by: string | null;
  /** Whether somebody made it; otherwise it was chosen while planning. */
  readonly confirmed: boolean;
}

/** The lines of a document that a goal was made from, and some around them. */
export interface SourceLines {
  readonly file: string;
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  /** How many lines of the goal are left out below. */
  readonly cut: number;
}

/** What looks wrong in a plan. */
export interface PlanFinding {
  readonly code: string;
  readonly goal: string;
  readonly message: string;
  readonly hint: string;
}

/** A page of the log. */
export interface LogPage {
  readonly events: readonly (FeedEntry & { readonly refused: string | null })[];
  readonly before: number | null;
  readonly checked: boolean;
}
