import * as z from 'zod';

import { defineOperation } from '../../../operations/operation.js';
import { planArgument } from '../../../operations/shared/fields.js';
import { findPlan } from '../../../operations/shared/find-plan.js';
import { attemptFolder, isOwned, readAttempts } from '../attempt/state.js';
import { lostAttempts } from './lost-attempts.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import type { Attempt } from '../attempt/state.js';
import type { Plan } from '../../../plan/plan.js';
import { numberNow } from './goal-number.js';

export const attemptSchema = z
  .object({
    goal: z.string(),
    number: z
      .string()
      .nullable()
      .describe('The number that the goal has now; null where it is gone from the plan.'),
    token: z.string(),
    try: z.number(),
    agent: z.string(),
    state: z.enum(['running', 'landing', 'waiting', 'interrupted']),
    reason: z.string().nullable(),
    commit: z.string().nullable(),
    files: z.array(z.string()).readonly(),
    cost_usd: z.number().nullable(),
    seconds: z.number(),
    session: z.string().nullable(),
    tree: z.string(),
  })
  .readonly();

/** Lists the attempts of agents at goals of a plan that are under way on this machine, or wait. @throws PlanError PLAN_NOT_FOUND */
export const listAttempts = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: z
    .object({
      attempts: z.array(attemptSchema).readonly(),
      lost: z
        .array(
          z.object({ goal: z.string(), file: z.string().nullable(), ref: z.string().nullable() }).readonly(),
        )
        .readonly()
        .describe('Attempts of which no record can be read, and the name in git that holds what was made.'),
    })
    .readonly(),
  examples: ['plan attempts', 'plan attempts list --json'],
  mutates: false,
  async run(context, { plan }) {
    const { plan: now } = await findPlan(context, plan);
    const root = stateFolder(context.environment);
    const kept = await readAttempts(root, now.header.id);
    const lost = (await lostAttempts(context)).filter(({ goal }) => now.goals.has(goal));
    return { attempts: await Promise.all(kept.map(async (attempt) => attemptRow(root, now, attempt))), lost };
  },
});

/** Returns what is told of an attempt. */
export async function attemptRow(
  root: string,
  plan: Plan,
  attempt: Attempt,
): Promise<z.output<typeof attemptSchema>> {
  const { goal, token, try: tryNumber, agent, reason, commit, files } = attempt;
  const { cost_usd, seconds, session, step } = attempt;
  const working = step === 'land' || step === 'move' ? ('landing' as const) : ('running' as const);
  const active = (await isOwned(attempt)) ? working : ('interrupted' as const);
  const state = attempt.state === 'waiting' ? ('waiting' as const) : active;
  const tree = `${attemptFolder(root, attempt)}/tree`;
  const number = numberNow(plan, goal);
  const told = { goal, number, token, try: tryNumber, agent, state, reason, commit, files };
  return { ...told, cost_usd, seconds, session, tree };
}
