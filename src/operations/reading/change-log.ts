import * as z from 'zod';

import { changesBy } from '../../plan/changes.js';
import { replayHistory } from '../../plan/history.js';
import type { Replayed } from '../../plan/history.js';
import { goalInWords, inQuotes } from '../../plan/goal-in-words.js';
import { findGoal } from '../../plan/tree.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { planArgument, text } from '../shared/fields.js';
import { messageFor } from '../../plan/event-message.js';
import { findPlan, noGoal, planMeantByGoals } from '../shared/find-plan.js';
import { wordRefusal } from '../../plan/refusals.js';

const logEntrySchema = z
  .object({
    event: z.string(),
    at: z.string(),
    by: z.string(),
    type: z.string(),
    goals: z.array(z.string()).readonly().describe('Ids of the goals that it is about, or changed.'),
    message: z.string(),
    undoes: z.string().optional().describe('The event that it undid or redid.'),
    refused: z.string().nullable().describe('Why it changed nothing; null when it was accepted.'),
  })
  .readonly();

/** One line of a plan's history. */
export type LogEntry = z.output<typeof logEntrySchema>;

/**
 * Who changed what and when, in the order in which it is applied. A goal that is gone, because its making was
 * undone, is named by its full id.
 * @throws PlanError PLAN_NOT_FOUND, GOAL_NOT_FOUND
 */
export const planLog = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    goal: text('only what changed this goal, or is about it: its id, suffix or number', 'goal'),
  }),
  output: z.object({ events: z.array(logEntrySchema).readonly() }),
  examples: ['plan log', 'plan log 0398 --goal 1.2', 'plan log --json'],
  mutates: false,
  run: async (context, { plan, goal }) => entriesOf(context, plan, goal),
  document: (events) => ({ events }),
});

async function entriesOf(
  context: Context,
  name: string | undefined,
  goal: string | undefined,
): Promise<readonly LogEntry[]> {
  const log = await findPlan(context, planMeantByGoals(name, [goal]));
  const messages = new Map<string, string>();
  const gone = new Map<string, string>();
  const inverses = new Map<string, Inverse>();
  // A line that a merge repeated is no second event.
  const once = [...replayHistory(await log.events())].filter(({ verdict }) => verdict.kind !== 'repeated');
  const entries = once.map((replayed) => {
    const inverse = inverseOf(replayed.event, inverses);
    if (inverse !== null) inverses.set(replayed.event.id, inverse);
    const entry = entryOf(replayed, { messages, gone, inverse });
    for (const [id, description] of takenAway(replayed)) gone.set(id, description);
    messages.set(entry.event, entry.message);
    return entry;
  });
  if (goal === undefined) return entries;
  const id = findGoal(log.plan, goal)?.id ?? goal;
  const found = entries.filter(({ goals }) => goals.includes(id));
  if (found.length === 0 && !log.plan.goals.has(id)) throw noGoal(log.plan, goal);
  return found;
}

/** A goal as people know it when an event came: by number and words, or by its words when it was gone already. */
function nameOf({ before }: Replayed, id: string, gone: ReadonlyMap<string, string>): string {
  const goal = before?.goals.get(id);
  if (before !== null && goal !== undefined) return goalInWords(before, goal);
  const description = gone.get(id);
  return description === undefined ? id : `${inQuotes(description)}, which is gone`;
}

/** The goals that an event took out of the plan, with their words. */
function takenAway({ event, verdict, before, after }: Replayed): readonly (readonly [string, string])[] {
  if (verdict.kind !== 'accepted' || before === null || after === null) return [];
  return changesBy(event, before, after).flatMap(({ goal, before: was, after: is }) =>
    was !== null && is === null ? [[goal, was.description] as const] : [],
  );
}

function entryOf(
  replayed: Replayed,
  {
    messages,
    gone,
    inverse,
  }: {
    readonly messages: ReadonlyMap<string, string>;
    readonly gone: ReadonlyMap<string, string>;
    readonly inverse: Inverse | null;
  },
): LogEntry {
  const { event, verdict, before } = replayed;
  return {
    event: event.id,
    at: event.at,
    by: event.by,
    type: event.type,
    goals: goalsOf(replayed),
    message:
      inverse !== null
        ? `${inverse.isBack ? 'redid' : 'undid'}: ${messages.get(inverse.of) ?? 'an event that this log does not hold'}`
        : messageFor(event, before, gone),
    ...(inverse === null ? {} : { undoes: inverse.of }),
    refused:
      verdict.kind === 'refused' ? wordRefusal(verdict.refusal, (id) => nameOf(replayed, id, gone)) : null,
  };
}

/** What an inverse is about in the end: the event that it takes back or, where it undoes an undoing, brings back. */
interface Inverse {
  readonly of: string;
  readonly isBack: boolean;
}

function inverseOf(event: Replayed['event'], inverses: ReadonlyMap<string, Inverse>): Inverse | null {
  if (event.type !== 'change_undone') return null;
  const undone = inverses.get(event.undoes);
  return undone === undefined
    ? { of: event.undoes, isBack: false }
    : { of: undone.of, isBack: !undone.isBack };
}

/** The goals that an event is about, or changed, or would have changed had it not been refused. */
function goalsOf({ event, verdict, before, after }: Replayed): readonly string[] {
  // A try of an agent may leave its goal as it was.
  const named = typeof event.goal === 'string' ? [event.goal] : [];
  if (verdict.kind === 'accepted' && after !== null) {
    const changed =
      before === null ? after.goals.keys() : changesBy(event, before, after).map(({ goal }) => goal);
    return [...new Set([...named, ...changed])];
  }
  return event.type === 'change_undone' ? event.changes.map(({ goal }) => goal) : named;
}
