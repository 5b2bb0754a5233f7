import type * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { goalOf, rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import type { positionFields } from './change-fields.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import { findGoalInPlan } from '../shared/find-plan.js';

type PositionOptions = z.output<z.ZodObject<ReturnType<typeof positionFields>>>;

export interface GoalPosition {
  readonly parent: Goal;
  /** Counted from 0 without the goal itself; last when it is missing. */
  readonly at_index?: number;
}

/**
 * The place that is meant: below the root, and last, unless it is said otherwise.
 * @param moving the goal that moves; without another word it stays below its parent
 * @throws PlanError USAGE, INVALID_INPUT, GOAL_NOT_FOUND
 */
export function positionFor(plan: Plan, options: PositionOptions, moving?: Goal): GoalPosition {
  const { under, before, after, at } = options;
  if ([before, after, at].filter((one) => one !== undefined).length > 1)
    throw new PlanError('USAGE', 'only one of --before, --after and --at can be given');
  const beside = before ?? after;
  const sibling = beside === undefined ? undefined : siblingNamed(plan, beside, moving);
  const parent = parentFor(plan, under, sibling, moving);
  const others = parent.child_ids.filter((id) => id !== moving?.id);
  if (sibling !== undefined)
    return { parent, at_index: others.indexOf(sibling.id) + (after === undefined ? 0 : 1) };
  return at === undefined ? { parent } : { parent, at_index: at - 1 };
}

function siblingNamed(plan: Plan, name: string, moving: Goal | undefined): Goal {
  const sibling = findGoalInPlan(plan, name);
  const wrong =
    sibling.parent_id === null
      ? 'nothing stands beside the root'
      : sibling.id === moving?.id
        ? 'a goal cannot stand beside itself'
        : null;
  if (wrong === null) return sibling;
  throw new PlanError('INVALID_INPUT', wrong, { details: { goal: sibling.id } });
}

function parentFor(
  plan: Plan,
  under: string | undefined,
  sibling: Goal | undefined,
  moving: Goal | undefined,
): Goal {
  const named = under === undefined ? undefined : findGoalInPlan(plan, under);
  const above = sibling?.parent_id ?? null;
  if (above !== null && sibling !== undefined && named !== undefined && named.id !== above) {
    throw new PlanError(
      'INVALID_INPUT',
      `${goalInWords(plan, sibling)} is not a sub-goal of ${goalInWords(plan, named)}`,
      {
        hint: [
          'Leave ',
          { commandLine: '--under', tools: 'parent' },
          ' out: the place beside a goal says what it is under.',
        ],
      },
    );
  }
  if (named !== undefined) return named;
  if (above !== null) return goalOf(plan, above);
  const stays = moving?.parent_id ?? null;
  return stays === null ? rootOf(plan) : goalOf(plan, stays);
}
