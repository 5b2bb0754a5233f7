import { PlanError } from '../../kernel/errors.js';
import type { PlanErrorOptions } from '../../kernel/errors.js';
import { apply } from '../../plan/apply.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import type { EventPayload } from '../../plan/events.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import type { Outcome } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import { actorOf } from '../shared/environment.js';
import { findGoalByName } from '../shared/find-plan.js';
import type { FoundGoal } from '../shared/find-plan.js';
import { withNumber } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import { refuseArchived } from '../shared/refuse-archived.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';

const LONGEST_NAME = 200;

/** Who works, and on which plan. */
export interface WorkerOptions {
  /** The plan, when it is not the one changed last. */
  readonly plan?: string | undefined;
  /** Who acts, as claims name it (default: `FRCTL_BY`, else user@host). */
  readonly by?: string | undefined;
}

/** A goal of a plan that can be changed. @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND, WRONG_STATE */
export async function goalToWorkOn(
  context: Context,
  name: string,
  { plan }: WorkerOptions,
): Promise<FoundGoal> {
  const found = await findGoalByName(context.store(), name, plan);
  refuseArchived(found.log);
  return found;
}

/** Who acts, on one line. @throws PlanError INVALID_INPUT */
export function workerName({ environment }: Context, { by }: WorkerOptions): string {
  const name = oneLine(by ?? actorOf(environment));
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  throw new PlanError('INVALID_INPUT', `a name has 1 to ${LONGEST_NAME} characters, not ${name.length}`, {
    hint: '--by says who works, such as --by agent-7; FRCTL_BY says it for good.',
  });
}

/** A token as it was given; nothing is no token. @throws PlanError INVALID_INPUT for an empty one */
export function givenToken(token: string | undefined): string | undefined {
  if (token === undefined || token !== '') return token;
  throw new PlanError('INVALID_INPUT', 'the token is empty', {
    hint: 'Give the one that `plan claim` printed, or leave --token out.',
  });
}

/** The time, as events carry it. */
export function timeNow({ environment }: Context): string {
  return new Date(environment.now()).toISOString();
}

/** What an event would be refused for by the plan as far as it was read; null when it would be accepted. */
export function foreseeRefusal(
  plan: Plan,
  payload: EventPayload,
  who: { readonly by: string; readonly at: string },
): Refusal | null {
  return apply(plan, { id: 'foreseen', replica: 'none', clock: 1, ...who, ...payload }).refused;
}

/** What became of a change: why it was refused, or null, and the plan just before it and just after it. */
export type WrittenChange = Pick<Outcome, 'refused' | 'before' | 'after'>;

/** Writes one event, unless it can be seen beforehand that it will be refused. */
export async function writeUnlessRefused(
  context: Context,
  log: FoundGoal['log'],
  payload: EventPayload,
  by: string,
): Promise<WrittenChange> {
  const { plan } = log;
  const foreseen = foreseeRefusal(plan, payload, { by, at: timeNow(context) });
  return foreseen === null ? writeEvent(log, payload, by) : { refused: foreseen, before: plan, after: plan };
}

/** Writes one event and publishes the plan where that is due. Whether it was accepted is for the caller to see. */
export async function writeEvent(log: FoundGoal['log'], payload: EventPayload, by: string): Promise<Outcome> {
  const [outcome] = await log.append([payload], by);
  if (outcome === undefined) throw new TypeError('an event that was written has an outcome');
  await log.publish('when_due');
  return outcome;
}

/**
 * The error for work that was refused: REFUSED, with who holds the goal until when if somebody does;
 * WRONG_STATE with its status when it is not one that is worked on.
 */
export function refusedWork(
  plan: Plan,
  goalId: string,
  at: string,
  refusal: Refusal,
  options: PlanErrorOptions = {},
): PlanError {
  const message = wordRefusal(refusal);
  const goal = plan.goals.get(goalId);
  const common = { plan: plan.header.id, goal: goalId, refusal, ...options.details };
  if (goal === undefined) return new PlanError('REFUSED', message, { ...options, details: common });
  const claim = liveClaim(goal, at);
  if (claim !== null) {
    const { by, expires_at } = claim;
    return new PlanError('REFUSED', message, {
      hint: '`plan next` finds another goal; `plan release --force` takes a claim from its holder.',
      ...options,
      details: { ...common, claimed_by: by, expires_at },
    });
  }
  const code = goal.status === 'atomic' ? 'REFUSED' : 'WRONG_STATE';
  return new PlanError(code, message, { ...options, details: { ...common, status: goal.status } });
}

/**
 * A goal after an accepted change of it, with its number: as it is now, or, where another process has taken it
 * away since, as the change left it.
 * @param now the plan as it was read last
 * @param after the plan just after the change, which has the goal
 */
export function goalAfter(now: Plan, after: Plan, id: string): GoalWithNumber {
  const plan = now.goals.has(id) ? now : after;
  return withNumber(plan, goalOf(plan, id));
}
