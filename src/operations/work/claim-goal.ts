import { hintStep } from '../../kernel/hint.js';
import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { waitingFor } from '../../plan/readiness/dependencies.js';
import type { EventPayload } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import type { Refusal } from '../../plan/refusals.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import { findGoalInPlan } from '../shared/find-plan.js';
import type { FoundGoal } from '../shared/find-plan.js';
import { endOfLease } from './lease.js';
import { defineOperation } from '../operation.js';
import { field, goalArgument, planOption, toggle } from '../shared/fields.js';
import { numberedGoal } from '../shared/report-schemas.js';
import { byOption, leaseOption, tokenOption } from './work-fields.js';
import { timeNow } from '../shared/environment.js';
import { goalToChange } from '../shared/find-to-change.js';
import { actorName } from '../shared/actor.js';
import type { ActorOptions } from '../shared/actor.js';
import { simulateRefusal, writeUnlessRefused } from '../shared/write-event.js';
import type { WrittenChange } from '../shared/write-event.js';
import { claimReportMembers, claimReportSchema } from './claim-schemas.js';
import type { ClaimReport, HeldClaim } from './claim-schemas.js';
import { givenToken, refusedWork } from './refused-work.js';
import { goalAfter } from './goal-after-change.js';

const claimedGoalsSchema = z
  .object({
    ...claimReportMembers,
    others: z.array(claimReportSchema).readonly().optional().describe('The others that were asked for.'),
  })
  .readonly();

/**
 * Takes a goal that can start, for a time; of several all or none.
 * @throws PlanError REFUSED with who holds it until when, or what it waits for; WRONG_STATE; INVALID_INPUT
 */
export const claimGoal = defineOperation({
  arguments: ['goal', 'others'],
  input: z.strictObject({
    goal: goalArgument(),
    others: field(z.array(z.string()).readonly().optional(), 'more goals: all are claimed, or none', {
      value: 'others',
    }),
    by: byOption(),
    for: leaseOption(),
    plan: planOption(),
  }),
  output: claimedGoalsSchema,
  examples: ['plan claim 1.2', 'plan claim 3 4', 'plan claim 1.2 --by agent-7 --for 2h --json'],
  mutates: true,
  async run(context, input) {
    const { log, goal } = await goalToChange(context, input.goal, input);
    const others = (input.others ?? []).map((name) => findGoalInPlan(log.plan, name).id);
    const claims = [...new Set([goal.id, ...others])].map((id) => newClaim(context, id, input));
    const [first, ...rest] = await takeAll(context, log, claims);
    if (first === undefined) throw new TypeError('one goal is always named');
    return { ...first, ...(rest.length === 0 ? {} : { others: rest }) };
  },
});

/**
 * Extends a claim; also one that has expired, when nobody took the goal meanwhile.
 * @throws PlanError REFUSED when the token is not that of the goal's claim
 */
export const renewClaim = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    token: field(z.string(), 'what `plan claim` printed', { value: 'token' }),
    for: leaseOption(),
    plan: planOption(),
  }),
  output: claimReportSchema,
  examples: ['plan renew 1.2 --token k2v9d0q4m7x1z8ab --for 1h'],
  mutates: true,
  async run(context, input) {
    const token = givenToken(input.token) ?? '';
    const found = await goalToChange(context, input.goal, input);
    const expires_at = endOfLease(context.environment.now(), input.for);
    // Whoever has the token acts for its holder, from wherever.
    const by = found.goal.claim?.token === token ? found.goal.claim.by : actorName(context, {});
    const { id } = found.goal;
    const after = await change(context, found, { type: 'claim_renewed', goal: id, token, expires_at }, by);
    return {
      goal: goalAfter(found.log.plan, after, id, timeNow(context.environment)),
      claimed: { goal: id, token, by, expires_at },
    };
  },
});

/**
 * Gives a goal back: with the token of its claim, or without one when the claim has expired or is of the
 * same name.
 * @throws PlanError REFUSED, WRONG_STATE when the goal is not claimed
 */
export const releaseClaim = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    token: tokenOption(),
    force: toggle('take it from whoever holds it'),
    by: byOption(),
    plan: planOption(),
  }),
  output: z
    .object({
      goal: numberedGoal,
      released: z.object({ goal: z.string(), by: z.string().describe('Whose claim it was.') }).readonly(),
    })
    .readonly(),
  examples: ['plan release 1.2 --token k2v9d0q4m7x1z8ab', 'plan release 1.2 --force'],
  mutates: true,
  async run(context, input) {
    const token = givenToken(input.token);
    const found = await goalToChange(context, input.goal, input);
    const { claim, id } = found.goal;
    if (claim === undefined) throw notClaimed(found);
    const payload = {
      type: 'claim_released' as const,
      goal: id,
      ...(token === undefined ? {} : { token }),
      ...(input.force === true ? { forced: true } : {}),
    };
    const after = await change(context, found, payload, actorName(context, input));
    return {
      goal: goalAfter(found.log.plan, after, id, timeNow(context.environment)),
      released: { goal: id, by: claim.by },
    };
  },
});

/** Takes goals, all or none: what another process was faster with gives the others back. */
async function takeAll(
  context: Context,
  log: PlanLog,
  claims: readonly HeldClaim[],
): Promise<readonly ClaimReport[]> {
  const at = timeNow(context.environment);
  const by = actorName(context, { by: claims[0]?.by });
  const payloads = claims.map(
    ({ goal, token, expires_at }) => ({ type: 'goal_claimed', goal, token, expires_at }) as const,
  );
  for (const payload of payloads) {
    const refusal = simulateRefusal(log.plan, payload, { by, at });
    if (refusal !== null) throw refusedClaim(log.plan, payload.goal, at, refusal);
  }
  const outcomes = await log.append(payloads, by);
  const failed = outcomes.find(({ refused }) => refused !== null);
  if (failed !== undefined && failed.refused !== null) {
    const taken = claims.filter((_claim, index) => outcomes[index]?.refused === null);
    await log.append(
      taken.map(({ goal, token }) => ({ type: 'claim_released', goal, token })),
      by,
    );
    await log.publish('when_due');
    const lost = claims[outcomes.indexOf(failed)]?.goal ?? '';
    throw refusedClaim(failed.before, lost, at, failed.refused);
  }
  await log.publish('when_due');
  return claims.map((claimed, index) => ({
    goal: goalAfter(log.plan, outcomes[index]?.after ?? log.plan, claimed.goal, at),
    claimed,
  }));
}

/** Returns the error for a claim that was refused, with what is in the way and the cure. */
export function refusedClaim(plan: Plan, goal: string, at: string, refusal: Refusal): PlanError {
  return refusedWork(plan, goal, at, refusal, whatItWaitsFor(plan, goal, refusal));
}

function notClaimed({ log, goal }: FoundGoal): PlanError {
  return new PlanError('WRONG_STATE', `goal ${goalInWords(log.plan, goal)} is not claimed`, {
    hint: [hintStep('status'), ' shows the claims.'],
    details: { plan: log.plan.header.id, goal: goal.id, status: goal.status },
  });
}

function whatItWaitsFor(plan: Plan, id: string, { code }: Refusal) {
  if (code === 'on_hold')
    return {
      hint: [
        hintStep('next'),
        ' finds a goal that can start; ',
        { commandLine: '`plan unhold`', tools: 'a person' },
        ' ends the hold.',
      ],
    };
  const goal = plan.goals.get(id);
  const waiting = goal?.status === 'atomic' ? waitingFor(plan, goal) : [];
  if (waiting.length === 0) return {};
  return { hint: [hintStep('next'), ' finds a goal that can start.'], details: { waiting_for: waiting } };
}

/** A claim with a token of its own that begins now. @throws PlanError INVALID_INPUT */
export function newClaim(
  { environment, ...context }: Context,
  goal: string,
  options: ActorOptions & { readonly for?: string | undefined },
): HeldClaim {
  return {
    goal,
    token: environment.ids.eventId(),
    by: actorName({ environment, ...context }, options),
    expires_at: endOfLease(environment.now(), options.for),
  };
}

/** Writes a claim, unless it can be seen beforehand that it will be refused. */
export async function claimIfFree(
  context: Context,
  log: PlanLog,
  { goal, token, by, expires_at }: HeldClaim,
): Promise<WrittenChange> {
  return writeUnlessRefused(context, log, { type: 'goal_claimed', goal, token, expires_at }, by);
}

/** Makes a change. @returns the plan just after it */
async function change(
  context: Context,
  { log, goal }: FoundGoal,
  payload: EventPayload,
  by: string,
): Promise<Plan> {
  const { refused, before, after } = await writeUnlessRefused(context, log, payload, by);
  if (refused !== null) throw refusedWork(before, goal.id, timeNow(context.environment), refused);
  return after;
}
