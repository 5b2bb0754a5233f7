import { PlanError } from '../../kernel/errors.js';
import { usageWithBegun } from '../../plan/plan.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { DigestSource } from '../../work/digests/digest-source.js';
import type { DigestOutcome } from '../../work/digests/model-digester.js';
import type { PlanningChoice } from '../planning/choose-planning.js';
import type { Connection } from '../planning/connection.js';
import type { Emit } from '../planning/planning-progress.js';
import { budgetReached } from '../shared/budget-reached.js';

export interface DigestModelOptions {
  /** Connects to a model; null to do without. */
  readonly connect: PlanningChoice['connect'];
  readonly emit: Emit;
  /** When aborted, the model is asked nothing further; what it is asked now is answered. */
  readonly signal?: AbortSignal | undefined;
  /** When aborted, the calls in flight are dropped as well. */
  readonly dropSignal?: AbortSignal | undefined;
}

/** A model that is asked for digests until it cannot be asked any further. */
export interface DigestModel {
  /** What it answers; null where it is not asked: there is none, it has stopped, or the goal is gone. */
  ask(goal: string, source: DigestSource): Promise<DigestOutcome | null>;
  /** Why it is not asked any further. */
  readonly stopped: PlanError | null;
}

/** Connects at the first question. What stops it is told once, as a notice. */
export function createDigestModel(
  log: PlanLog,
  { connect, emit, signal, dropSignal }: DigestModelOptions,
): DigestModel {
  const drop = dropSignal ?? new AbortController().signal;
  const stop = signal ?? drop;
  let connecting: Promise<Connection> | undefined;
  let stopped: PlanError | null = null;
  const notice = (message: string): void => emit({ type: 'notice', message });

  return {
    get stopped() {
      return stopped;
    },
    async ask(id, source) {
      if (connect === null || stopped !== null) return null;
      if (stop.aborted || drop.aborted) return halt(interrupted());
      connecting ??= connect(usageWithBegun(log.plan.header), emit);
      const connection = await connecting;
      const { digestByModel } = await import('../../work/digests/model-digester.js');
      const described = log.plan.goals.get(id);
      if (described === undefined) return null;
      const outcome = await digestByModel(connection, described.description, source, { signal: drop, stop });
      if (outcome.kind === 'rejected')
        notice(`the model’s digest of ${id} was no good: ${outcome.reason}; it was made without the model`);
      if (outcome.kind === 'budget') halt(outOfBudget(outcome.limit));
      if (outcome.kind === 'unavailable') halt(outcome.error);
      if (outcome.kind === 'aborted') halt(interrupted());
      return outcome;
    },
  };

  function halt(why: PlanError): null {
    if (stopped === null) notice(`${why.message}; digests are made without the model`);
    stopped ??= why;
    return null;
  }
}

function outOfBudget(limit: string): PlanError {
  return budgetReached({
    limit,
    hint: `Give a larger one with --budget-${limit} N, or leave the model out with --expander rules.`,
  });
}

function interrupted(): PlanError {
  return new PlanError('INTERRUPTED', 'asking the model was interrupted', {
    hint: { commandLine: 'What was made is stored; `plan digest` asks about the rest.' },
  });
}
