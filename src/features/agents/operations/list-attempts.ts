import * as z from 'zod';

import { defineOperation } from '../../../operations/operation.js';
import { planArgument } from '../../../operations/shared/fields.js';
import { findPlan } from '../../../operations/shared/find-plan.js';
import { attemptFolder, isOwned, readAttempts } from '../attempt/state.js';
import { lostAttempts } from './lost-attempts.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import type { Attempt } from '../attempt/state.js';

export const attemptSchema = z
  .object({
    goal: z.string(),
    number: z.string(),
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
    const { header, goals } = (await findPlan(context, plan)).plan;
    const root = stateFolder(context.environment);
    const kept = await readAttempts(root, header.id);
    const lost = (await lostAttempts(context)).filter(({ goal }) => goals.has(goal));
    return { attempts: await Promise.all(kept.map(async (attempt) => attemptRow(root, attempt))), lost };
  },
});

/** Returns what is told of an attempt. */
export async function attemptRow(root: string, attempt: Attempt): Promise<z.output<typeof attemptSchema>> {
  const { goal, number, token, try: tryNumber, agent, reason, commit, files } = attempt;
  const { cost_usd, seconds, session, step } = attempt;
  const working = step === 'land' || step === 'move' ? ('landing' as const) : ('running' as const);
  const active = (await isOwned(attempt)) ? working : ('interrupted' as const);
  const state = attempt.state === 'waiting' ? ('waiting' as const) : active;
  const tree = `${attemptFolder(root, attempt)}/tree`;
  const told = { goal, number, token, try: tryNumber, agent, state, reason, commit, files };
  return { ...told, cost_usd, seconds, session, tree };
}
