import type { EventPayload, PayloadOf } from '../../plan/events.js';
import { addUsage, usageWithBegun } from '../../plan/plan.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { RunContext } from '../operation.js';
import { handOver } from './agent/hand-over.js';
import { bookOf } from './budget/begun-calls.js';
import { lostTime } from './budget/lost-time.js';
import type { PlanningChoice } from './choose-planning.js';
import { neededDelegate } from './delegate.js';
import { planNotStored } from './init/not-stored.js';
import type { NotStored } from './init/not-stored.js';
import { nothingProposed, outlineReviewed, planReviewed, signalsOf } from './init/review-planning.js';
import type { ReviewLevel } from './init/review-planning.js';
import { expectedUse } from './planning-estimate.js';
import { planningResult } from './planning-result.js';
import type { PlanningResult } from './planning-progress.js';
import { runPlanning } from './run-planning.js';

/** How a caller wants a plan to be planned, besides its settings. */
export interface PlannerWanted {
  /** False where the plan is only to be made. */
  readonly decompose?: boolean | undefined;
  /** Whether workers are to plan it. */
  readonly workers?: boolean | undefined;
  /** Who looks at each level before it is stored. */
  readonly review: ReviewLevel | null;
  /** The plan, where there is one already. */
  readonly log?: PlanLog;
}

/** The first events of a plan that is not stored yet. */
interface DraftedPlan {
  readonly first: PayloadOf<'plan_created'>;
  readonly outline: readonly PayloadOf<'goal_expanded'>[];
}

/** Who plans: a model or rules, a person who reviews what they propose, whoever answers `plan ask`, workers, or nobody. */
export interface Planner {
  /** Returns the outline as it is to be stored. @throws PlanError INTERRUPTED where a person leaves its review */
  review(draft: DraftedPlan): Promise<DraftedPlan['outline']>;
  /** Plans in memory what costs nothing, and returns an estimate of the rest. */
  preview(log: PlanLog): Promise<PlanningResult & { readonly dry: NotStored }>;
  /**
   * Plans what is open in a stored plan, until nothing is left or planning must stop.
   * @param first stored once it is sure that no other process plans
   * @throws PlanError PLANNER_BUSY, STORAGE_FAILED
   */
  plan(log: PlanLog, first?: readonly EventPayload[]): Promise<PlanningResult>;
}

/**
 * Returns who plans by some settings. Whatever could refuse to plan does so here, before anything is written.
 * @throws PlanError USAGE, WRONG_STATE, INVALID_CONFIG, UNTRUSTED_PROMPTS
 */
export async function choosePlanner(
  context: RunContext,
  choice: PlanningChoice,
  { decompose, workers, review, log: stored }: PlannerWanted,
): Promise<Planner> {
  const { emit, environment } = context;
  const { settings } = choice;
  const byAgent = settings.expander === 'agent';
  const isLeft = decompose === false;
  const delegate = workers === true && !isLeft ? await neededDelegate(context) : null;
  await delegate?.refuse(context, { settings, review: review !== null });
  if (byAgent && review !== null) throw nothingProposed();
  const book = bookOf(environment, stored);
  const header = stored?.plan.header;
  const spent = header && addUsage(usageWithBegun(header), lostTime(header, settings, environment.now()));
  const expander = isLeft || byAgent ? null : await choice.makeExpander(spent, emit, { book });

  return {
    review: async (draft) =>
      review === null ? draft.outline : outlineReviewed(context, { ...draft, settings }, review),
    preview: (log) => planNotStored(context, { choice, log, expander, emit, ...signalsOf(context) }),
    async plan(log, first = []) {
      if (isLeft) return planningResult(context, log.plan, null);
      if (expander === null) return handOver(context, { log, settings, first, emit });
      const { plan } = log;
      // As it is before the first reply; what is to be asked again counts once it is stored.
      const estimate = () => expectedUse(context, choice, first.length === 0 ? plan : log.plan);
      if (delegate !== null) return delegate.begin(context, { log, settings, first, estimate, emit });
      book.log = log;
      const planning = { log, settings, expander, first, estimate, emit };
      return review === null
        ? runPlanning(context, { ...planning, ...signalsOf(context) })
        : planReviewed(context, { ...planning, review });
    },
  };
}
