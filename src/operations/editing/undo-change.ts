import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { wordRefusal } from '../../plan/refusals.js';
import { summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import { summarySchema } from '../../plan/schema.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { planArgument, text, toggle } from '../shared/fields.js';
import { timeNow } from '../shared/environment.js';
import { planToChange } from '../shared/find-to-change.js';
import { workerName } from '../shared/worker.js';
import { goalInWords } from './change-goals.js';
import { historyOfChanges, lastToUndo, lastUndone, readChange } from './whole-changes.js';
import type { ChangeOfGoal, WholeChange } from './whole-changes.js';

const toldSchema = z
  .object({
    event: z.string().describe('The first of its events that changed goals.'),
    type: z.string(),
    at: z.string(),
    by: z.string(),
    message: z.string().describe('What it had done, in words.'),
    events: z.int().describe('How many events of it changed goals.'),
  })
  .readonly();

const goalsSchema = z.array(z.string()).readonly();

const undoneSchema = z
  .object({
    plan: summarySchema,
    undone: toldSchema.describe('The command that was undone.'),
    goals: goalsSchema.describe('The goals that are as they were before it.'),
  })
  .readonly();

const redoneSchema = z
  .object({
    plan: summarySchema,
    redone: toldSchema.describe('The command that was brought back.'),
    goals: goalsSchema.describe('The goals that are as it had left them.'),
  })
  .readonly();

const fields = () => ({
  any: toggle('also what somebody else did'),
  force: toggle('also where somebody else loses a claim'),
  by: text('who asks (default: user@host)', 'name'),
});

/**
 * Takes back the last command of the one who asks that is not undone yet, with everything it caused, by appending the
 * inverse; called again it goes one further back. What calls have cost stays counted.
 * @throws PlanError WRONG_STATE when there is nothing to undo; REFUSED when a goal has changed since, or somebody else
 *   would lose a claim
 */
export const undoChange = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument(), ...fields() }),
  output: undoneSchema,
  examples: ['plan undo', 'plan undo 0398 --any'],
  mutates: true,
  async run(context, input) {
    const log = await planToChange(context, input.plan);
    const by = workerName(context, input);
    const history = await historyOfChanges(log);
    const change = await lastToUndo(log, history, input.any === true ? null : by);
    if (change === null) throw nothing('undo', (await lastToUndo(log, history, null))?.event ?? null);
    const { event, goals } = change;
    await write(context, log, { undoes: event.id, goals, verb: 'undone', by, force: input.force });
    return { plan: summarize(log.plan), undone: told(change), goals: goals.map(({ goal }) => goal) };
  },
});

/**
 * Brings back the last command that the one who asks has undone, and whose undoing still stands.
 * @throws PlanError WRONG_STATE when nothing was undone; REFUSED when a goal has changed since
 */
export const redoChange = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument(), ...fields() }),
  output: redoneSchema,
  examples: ['plan redo'],
  mutates: true,
  async run(context, input) {
    const log = await planToChange(context, input.plan);
    const by = workerName(context, input);
    const history = await historyOfChanges(log);
    const undoing = lastUndone(history, input.any === true ? null : by);
    if (undoing === null) throw nothing('redo', lastUndone(history, null)?.event ?? null);
    const { event } = undoing;
    const goals = event.changes.map(({ goal, before, after }) => ({ goal, before: after, after: before }));
    await write(context, log, { undoes: event.id, goals, verb: 'redone', by, force: input.force });
    const change = await readChange(log, history, undoing.change);
    if (change === null) throw new TypeError('what was undone had changed goals');
    return { plan: summarize(log.plan), redone: told(change), goals: goals.map(({ goal }) => goal) };
  },
});

interface Writing {
  readonly undoes: string;
  /** As an event that takes something back has them: from `after` to `before`. */
  readonly goals: readonly ChangeOfGoal[];
  readonly verb: 'undone' | 'redone';
  readonly by: string;
  readonly force: boolean | undefined;
}

async function write(
  context: Context,
  log: PlanLog,
  { undoes, goals, verb, by, force }: Writing,
): Promise<void> {
  if (force !== true) refuseLosingClaims(log.plan, goals, { by, at: timeNow(context.environment) });
  const changes = goals.map(({ goal, before, after }) => ({ goal, before, after }));
  const [outcome] = await log.append([{ type: 'change_undone', undoes, changes }], by);
  if (outcome !== undefined && outcome.refused !== null) {
    throw new PlanError('REFUSED', `the change cannot be ${verb}: ${wordRefusal(outcome.refused)}`, {
      details: { plan: log.plan.header.id, refusal: outcome.refused },
      hint: '`plan log` shows what came after it.',
    });
  }
  await log.publish('when_due');
}

/** Refuses to take a claim from somebody else who still holds it. */
function refuseLosingClaims(
  plan: Plan,
  goals: readonly ChangeOfGoal[],
  { by, at }: { readonly by: string; readonly at: string },
): void {
  for (const { goal: id, before } of goals) {
    const goal = plan.goals.get(id);
    const claim = goal === undefined ? null : liveClaim(goal, at);
    if (goal === undefined || claim === null || claim.by === by || before?.claim?.token === claim.token)
      continue;
    throw new PlanError('REFUSED', `${claim.by} holds ${goalInWords(plan, goal)} until ${claim.expires_at}`, {
      hint: '--force takes the claim away with it.',
      details: { plan: plan.header.id, goal: id, claimed_by: claim.by, expires_at: claim.expires_at },
    });
  }
}

function told({ event, message, events }: WholeChange): z.output<typeof toldSchema> {
  return { event: event.id, type: event.type, at: event.at, by: event.by, message, events };
}

function nothing(what: 'undo' | 'redo', others: { readonly by: string } | null): PlanError {
  const there = others === null ? `there is no change to ${what}` : `there is no change of yours to ${what}`;
  return new PlanError('WRONG_STATE', there, {
    hint:
      others === null
        ? '`plan log` shows what there was.'
        : `The last one is of ${others.by}: --any takes that of anybody, --by says who you are.`,
  });
}
