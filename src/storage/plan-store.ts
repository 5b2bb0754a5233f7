import type { Plan } from '../plan/plan.js';
import type { EventPayload, EventType, PayloadOf, PlanEvent } from '../plan/events.js';
import type { Problem } from '../plan/invariants.js';
import type { LogPosition, KeptSummary } from '../plan/schema.js';
import type { Refusal } from '../plan/refusals.js';

/** Keeps plans as logs of events. Every store passes the same contract suite. */
export interface PlanStore {
  /** Where it is, for messages. */
  readonly location: string;

  /**
   * Makes a plan of its first event and of those that follow it; durable when the promise resolves.
   * @throws PlanError PLAN_EXISTS when there is a plan of that id, STORAGE_FAILED
   */
  create(
    first: PayloadOf<'plan_created' | 'plan_imported'>,
    rest?: readonly EventPayload[],
  ): Promise<PlanLog>;

  /**
   * @param from `view`: the published plan file is trusted where its position in the log holds; `log`: the
   *   state is made of the log alone
   * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
   */
  open(planId: string, from?: 'view' | 'log'): Promise<PlanLog>;

  /**
   * The state of a plan as it was published, for looking at it, when nothing has been written since: many
   * times faster than {@link open}, and the same. Null when the plan must be opened, for whatever reason.
   */
  view(planId: string): Promise<Plan | null>;

  /**
   * What cannot be read in the log of a plan, found without applying it.
   * @param depth `checksums`: what is damaged, at the speed of the disk; `events`: also what this version cannot read
   * @throws PlanError STORAGE_FAILED
   */
  findDamage(planId: string, depth: 'checksums' | 'events'): Promise<readonly Damage[]>;

  /**
   * The events of a type that name a goal as theirs, oldest first as the log has them, accepted or not. Nothing else
   * of the log is made events.
   * @throws PlanError PLAN_NOT_FOUND, STORAGE_FAILED
   */
  eventsOf(planId: string, type: EventType, goal: string): Promise<readonly PlanEvent[]>;

  /**
   * The last events of a log in the order in which they were written there, found from its end; where copies were merged
   * that is not the order in which they count.
   * @param before what an earlier answer said, for the events before those
   * @throws PlanError PLAN_NOT_FOUND, STORAGE_FAILED
   */
  recentEvents(
    planId: string,
    options: { readonly count: number; readonly before?: number | undefined },
  ): Promise<RecentEvents>;

  /**
   * Tells when logs of plans and of runs may have changed, by whomever, as soon as the store knows of it; what is told may
   * be nothing new. Keeps no process from ending.
   * @returns what ends it
   */
  subscribe(onChange: (change: StoreChange) => void): () => void;

  /** Ids of all plans, archived or not, in no particular order. */
  ids(): Promise<readonly string[]>;

  /**
   * A summary of each plan that can be read and is archived or not, newest change first, and what is wrong with
   * those that cannot be read.
   */
  list(which?: 'active' | 'archived'): Promise<Listing>;

  /**
   * Deletes a plan for good. When the promise resolves that is durable, and no process that has the plan open can
   * bring any of it back.
   * @throws PlanError PLAN_NOT_FOUND, STORAGE_FAILED
   */
  purge(planId: string): Promise<void>;
}

/** What may have changed in a store; `any` where it does not know what. */
export type StoreChange = { readonly kind: 'plan' | 'run'; readonly id: string } | { readonly kind: 'any' };

/** The last events of a log, the oldest first. */
export interface RecentEvents {
  readonly events: readonly PlanEvent[];
  /** Where the events before these end; null when there are none. */
  readonly before: number | null;
}

export interface Listing {
  readonly plans: readonly KeptSummary[];
  readonly problems: readonly StoreProblem[];
  /** Those of `problems` that are plans and may have been changed after every one of `plans`, as far as their files tell. */
  readonly perhapsNewest: readonly StoreProblem[];
}

/** A file that could not be read as a plan. */
export interface StoreProblem extends Problem {
  /** The file. */
  readonly file: string;
}

/** One plan that is open: its state as far as it was read, and the way to change it. */
export interface PlanLog {
  readonly plan: Plan;

  /** Whether the plan is archived; it can be changed all the same. */
  readonly archived: boolean;

  /** Whether the log has lost something that the plan file shows; then the plan can be read, as that has it, not changed. */
  readonly isCutOff: boolean;

  /** Whether the plan file is a merge of two, or unreadable, and the state was made of the log alone. */
  readonly stale: boolean;

  /** Id of the last event that `plan` holds; null while there is no log, or its end is missing. */
  readonly lastEvent: string | null;

  /** Whether the next change rewrites the plan file. That of a large plan may be behind; see {@link PublishTime}. */
  readonly publishDue: boolean;

  /** How many changes are in `plan` and not in the log, since something took them out of it; the next change writes them again. */
  readonly pending: number;

  /** What was skipped in the log because it was damaged or written by a newer version. */
  readonly damage: readonly Damage[];

  /**
   * Writes events and reads up to them. When the promise resolves they are durable, and `plan` holds
   * them and whatever others wrote before. Concurrent calls are written together.
   * @param by who acts, where that is not whom the store stamps
   * @param onWritten called once the events are in the log, so that a process that is killed loses none of them; the disk may
   *   not have them yet, and a store that knows no such moment calls it when they are durable
   * @returns for each event, in order, whether it was accepted and why not
   * @throws PlanError PLAN_NOT_FOUND when the plan is gone, STORAGE_FAILED: then none of them is acknowledged
   */
  append(payloads: readonly EventPayload[], by?: string, onWritten?: () => void): Promise<readonly Outcome[]>;

  /** Reads what others have written since. @throws PlanError PLAN_NOT_FOUND when the plan is gone, STORAGE_FAILED */
  refresh(): Promise<Plan>;

  /**
   * Publishes the state as the plan file and in the index. What was appended is stored whatever comes of this, so a
   * store that was told where warnings go warns of what fails here instead of throwing it. A plan whose log is gone
   * is not published.
   * @returns false when the plan file could not be written
   * @throws PlanError STORAGE_FAILED
   */
  publish(when: PublishTime): Promise<boolean>;

  /**
   * The history in canonical order.
   * @param upTo only what a snapshot reflects, as its `log` says; a store without snapshots knows no such place
   */
  events(upTo?: LogPosition): Promise<readonly PlanEvent[]>;

  /** The same, one event at a time, for a history that need not fit into memory; a line that a merge repeated comes again. */
  eachEvent(): AsyncIterable<PlanEvent>;
}

/**
 * When the plan file is written: `now`; `when_due`, after a change by hand, when that takes a few milliseconds or the
 * file would be too far behind otherwise; `cheaply`, again and again during a run, when that keeps publishing a small
 * fraction of the time.
 */
export type PublishTime = 'now' | 'when_due' | 'cheaply';

export interface Outcome {
  readonly event: PlanEvent;
  /** Why it changed nothing; null when it was accepted. */
  readonly refused: Refusal | null;
  /** The plan just before the event, and just after it: what others did meanwhile is in neither or in both. */
  readonly before: Plan;
  readonly after: Plan;
}

/** A line of an event log that could not be read. */
export interface Damage {
  /**
   * `torn`: a writer was stopped there before its change was acknowledged; `unknown`: an event that a newer version
   * wrote; `conflict_marker`: git could not merge; `damaged`: what stood there is lost.
   */
  readonly kind: 'torn' | 'unknown' | 'conflict_marker' | 'damaged';
  /** Its number in the log, from 1, blank ones counted: that which an editor shows. */
  readonly line: number;
  /** What the damaged bytes are known by wherever they stand, in `accepted_damage` of the plan. */
  readonly mark: string;
  readonly reason: string;
}

/** Something that a person should know of, though the change was stored. */
export interface StoreWarning {
  /**
   * `NOT_PUBLISHED` and `NOT_INDEXED`: what is made of the log could not be written, and can be made again.
   * `WRITTEN_AGAIN` and `TAKEN_BY_GIT`: something took changes out of the log that were acknowledged here.
   * `PLAN_FILE_KEPT`: a plan file that somebody edited or damaged was copied before it was written anew.
   * `NOT_WATCHED`: who subscribed is told of no more changes. `NOT_REACHED`: the store is away, and is tried again.
   */
  readonly code:
    | 'NOT_PUBLISHED'
    | 'NOT_INDEXED'
    | 'WRITTEN_AGAIN'
    | 'TAKEN_BY_GIT'
    | 'PLAN_FILE_KEPT'
    | 'NOT_WATCHED'
    | 'NOT_REACHED';
  readonly message: string;
  /** The file that it is about. */
  readonly file: string;
}

/** Stamps an event: a fresh id, the time, who, and the first event of the same command where there is one. */
export type Stamp = () => {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly change?: string | undefined;
};
