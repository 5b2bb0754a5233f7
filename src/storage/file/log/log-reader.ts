import { setTimeout as wait } from 'node:timers/promises';

import { monotonicNow } from '../../../host/monotonic-clock.js';
import { PlanError } from '../../../kernel/errors.js';
import type { PlanEvent } from '../../../plan/events.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { Journal } from '../journal/journal.js';
import { noLag } from '../../log/lag.js';
import { isLogOfOther } from './log-owner.js';
import type { Verdicts } from './log-reading.js';
import { planFileStamp } from '../snapshot/plan-file-stamp.js';
import { loadAlone, loadPlan, readPlanNews, withOwnEvents, withoutItsEnd } from './plan-state.js';
import type { LogReaderOptions, PlanState } from './plan-state.js';

/** How long git may take to write a log. */
const LONGEST_WRITING_MS = 2000;
const STEP_MS = 10;

/** The state of one plan, and the way to read on. */
export interface LogReader extends PlanState {
  /** Reads a plan file that has no log anew. */
  reloadAlone(): Promise<void>;
  /** Reads all anew. */
  reload(): Promise<void>;
  /** Notes that the plan file shows what was read. */
  noteFits(): void;
  /** Reads what was written since. @param watched learns what became of these events */
  readOn(watched: Verdicts): Promise<void>;
  /** Notes whether the log has lost what was read of it before. */
  noticeCutOff(log: FileIdentity): void;
  /**
   * Applies what was just written without reading it again, when nobody else has written meanwhile.
   * @param length the bytes that were written
   * @param log the log as it is now
   */
  takeOwn(events: readonly PlanEvent[], length: number, log: FileIdentity, watched: Verdicts): boolean;
}

/**
 * Reads a plan.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function openLogReader(options: LogReaderOptions): Promise<LogReader> {
  let state = await untilWritten(options.journal, () => loadPlan(options));

  return {
    get plan() {
      return state.plan;
    },
    get reading() {
      return state.reading;
    },
    get loss() {
      return state.loss;
    },
    get view() {
      return state.view;
    },
    get covered() {
      return state.covered;
    },
    get alone() {
      return state.alone;
    },
    async reloadAlone() {
      state = await loadAlone(options);
    },
    async reload() {
      state = await loadPlan(options);
    },
    noteFits() {
      const { plan, reading } = state;
      const covered = planFileStamp(options.paths.planFile);
      state = { ...state, view: 'fits', covered, reading: reading && { ...reading, lag: noLag(plan) } };
    },
    async readOn(watched) {
      await untilWritten(options.journal, async () => {
        state = await readPlanNews(options, state, watched);
      });
    },
    noticeCutOff(log) {
      state = withoutItsEnd(state, log);
    },
    takeOwn(events, length, log, watched) {
      const taken = withOwnEvents(options, state, { events, length, log, watched });
      state = taken ?? state;
      return taken !== null;
    },
  };
}

/** Git writes a large file in pieces, and begins with an empty one; where there was a plan, one is waited for. */
async function untilWritten<T>(journal: Journal, read: () => Promise<T>): Promise<T> {
  const end = monotonicNow() + LONGEST_WRITING_MS;
  for (;;) {
    try {
      return await read();
    } catch (cause) {
      if (!isPassing(cause) || !journal.hasAny() || monotonicNow() > end) throw cause;
      await wait(STEP_MS);
    }
  }
}

/** Whether an error may come of a log that is being replaced: it is not there for a moment, or there is nothing in it. */
function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof PlanError) || isLogOfOther(thrown)) return false;
  return thrown.code === 'STORE_DAMAGED' || thrown.details.reason === 'ENOENT';
}
