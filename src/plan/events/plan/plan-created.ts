import * as z from 'zod';

import { newGoal } from '../../apply/new-goals.js';
import { addWarnings } from '../../apply/warnings.js';
import { rootGoalId } from '../../ids.js';
import { makePlan } from '../../make-plan.js';
import { NO_USAGE } from '../../plan.js';
import { planHeaderSchema, sourceSchema } from '../../schema.js';
import type { PlanHeader } from '../../schema.js';
import { acceptEvent, defineMaking } from '../define-event.js';
import { spent } from '../shared-fields.js';

/** A plan is made, with a root that waits to be planned. */
export const planCreated = defineMaking({
  type: 'plan_created',
  fields: {
    plan: planHeaderSchema.pick({ id: true, description: true, settings: true, schema_version: true }),
    root: z.looseObject({
      description: z.string().min(1),
      detail: z.string().optional(),
      source: sourceSchema.optional(),
    }),
    ...spent,
  },
  touches: 'any_goal',
  undoable: false,
  opens: 'found_later',
  make(event) {
    const rootId = rootGoalId(event.plan.id);
    const header: PlanHeader = {
      ...event.plan,
      root_goal_id: rootId,
      description: event.plan.description ?? event.root.description,
      status: 'in_progress',
      created_at: event.at,
      updated_at: event.at,
      total_tokens: 0,
      max_depth: 0,
      usage: NO_USAGE,
      paused_because: null,
      warnings: [],
    };
    const root = newGoal(
      { ...event.root, id: rootId, atomic: null, reasoning: null, dependencies: [] },
      null,
      event.at,
    );
    return acceptEvent(addWarnings(makePlan(header, [root]), event.warnings));
  },
  describe: ({ root }) => `made the plan “${root.description}”`,
});
