import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { changesBy } from '../../plan/changes.js';
import type { GoalChange } from '../../plan/changes.js';
import type { PlanEvent } from '../../plan/events.js';
import { beginHistory, extendHistory } from '../../plan/history.js';
import { summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { planArgument } from '../shared/fields.js';
import { messageFor } from '../../plan/event-message.js';
import { findPlan } from '../shared/find-plan.js';
import { refuseArchived } from '../shared/refuse-archived.js';
import { definitionOf } from '../../plan/events.js';
import { wordRefusal } from '../../plan/refusals.js';

const undoneSchema = z
  .object({
    plan: summarySchema,
    undone: z
      .object({
        event: z.string(),
        type: z.string(),
        at: z.string(),
        by: z.string(),
        message: z.string().describe('What it had done, in words.'),
      })
      .readonly()
      .describe('The event that was undone.'),
    goals: z.array(z.string()).readonly().describe('The goals that are as they were before it.'),
  })
  .readonly();

interface Change {
  readonly message: string;
  readonly event: PlanEvent;
  readonly changes: readonly GoalChange[];
}

/**
 * Takes back the last accepted change of goals that is not undone yet, by appending its inverse; called
 * again it goes one further back. What calls have cost stays counted.
 * @throws PlanError WRONG_STATE when there is nothing to undo, REFUSED when a goal has changed since
 */
export const undoChange = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: undoneSchema,
  examples: ['plan undo', 'plan undo 0398'],
  mutates: true,
  async run(context, { plan: name }) {
    const log = await findPlan(context.store(), name);
    refuseArchived(log);
    const last = await lastChange(log);
    if (last === null)
      throw new PlanError('WRONG_STATE', 'there is no change to undo', {
        hint: '`plan log` shows what there was.',
      });
    const { message, event, changes } = last;
    const payload = {
      type: 'change_undone' as const,
      undoes: event.id,
      changes: changes.map(({ goal, before, after }) => ({ goal, before, after })),
    };
    const [outcome] = await log.append([payload]);
    if (outcome !== undefined && outcome.refused !== null) {
      throw new PlanError('REFUSED', `the change cannot be undone: ${wordRefusal(outcome.refused)}`, {
        details: { plan: log.plan.header.id, refusal: outcome.refused },
        hint: '`plan log` shows what came after it.',
      });
    }
    await log.publish('when_due');
    return {
      plan: summarize(log.plan),
      undone: { event: event.id, type: event.type, at: event.at, by: event.by, message },
      goals: changes.map(({ goal }) => goal),
    };
  },
});

/** As many changes are kept while a history is read as `plan undo` is rarely called in a row. */
const MOST_KEPT = 64;

/** The last change that counts and was not taken back by an undoing that counts. */
async function lastChange(log: PlanLog): Promise<Change | null> {
  for (let most = MOST_KEPT; ; most *= MOST_KEPT) {
    const { kept, isAll } = await lastAccepted(log, most);
    for (const { event, before, after } of kept.toReversed()) {
      const changes = changesBy(event, before, after);
      if (changes.length > 0) return { message: messageFor(event, before), event, changes };
    }
    if (isAll) return null;
  }
}

interface AcceptedChange {
  readonly event: PlanEvent;
  readonly before: Plan;
  readonly after: Plan;
}

/**
 * The last changes that were accepted, may be undone and are not undone yet.
 * @param most so many are kept, however long the history is
 */
async function lastAccepted(log: PlanLog, most: number) {
  let history = beginHistory();
  let isAll = true;
  const kept: AcceptedChange[] = [];
  for await (const event of log.eachEvent()) {
    const before = history.plan;
    const extended = extendHistory(history, event);
    history = extended.history;
    const after = history.plan;
    if (extended.verdict.kind !== 'accepted' || before === null || after === null) continue;
    if (event.type === 'change_undone') {
      const undone = kept.findLastIndex((change) => change.event.id === event.undoes);
      if (undone !== -1) kept.splice(undone, 1);
    }
    if (!definitionOf(event).undoable) continue;
    kept.push({ event, before, after });
    if (kept.length > most) isAll = kept.shift() === undefined;
  }
  return { kept, isAll };
}
