import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { changesBy } from '../../plan/changes.js';
import type { GoalChange } from '../../plan/changes.js';
import type { PlanEvent } from '../../plan/events.js';
import { replayHistory } from '../../plan/history.js';
import { summarize } from '../../plan/plan.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { planArgument } from '../shared/fields.js';
import { messageFor } from '../reading/event-message.js';
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
    const last = lastChange(await log.events());
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

/** The last change that counts and was not taken back by an undoing that counts. */
function lastChange(events: readonly PlanEvent[]): Change | null {
  const accepted = [...replayHistory(events)].filter(({ verdict }) => verdict.kind === 'accepted');
  const undone = new Set(
    accepted.flatMap(({ event }) => (event.type === 'change_undone' ? [event.undoes] : [])),
  );
  for (const { event, before, after } of accepted.toReversed()) {
    if (before === null || after === null) return null;
    if (!definitionOf(event).undoable || undone.has(event.id)) continue;
    const changes = changesBy(event, before, after);
    if (changes.length > 0) return { message: messageFor(event, before), event, changes };
  }
  return null;
}
