import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';
import { summarySchema } from '../../plan/schema.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { planArgument, text, toggle } from '../shared/fields.js';
import { timeNow } from '../shared/environment.js';
import { planToChange } from '../shared/find-to-change.js';
import { actorName } from '../shared/actor.js';
import { simulateRefusal, writeEvent } from '../shared/write-event.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import { withCurrentClaim, claimLostByUndoing, withoutEndedWork } from './claims-undone.js';
import type { Asking } from './claims-undone.js';
import {
  changesToUndo,
  historyOfChanges,
  lastChangeOf,
  readChange,
  undoingsToRedo,
} from './whole-changes.js';
import type { ChangeOfGoal, HistoryOfChanges, WholeChange } from './whole-changes.js';
import { summaryNow } from '../shared/summary-now.js';

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

const dryRunSchema = z.literal(true).optional().describe('Nothing was written.');

const undoneSchema = z
  .object({
    plan: summarySchema,
    undone: toldSchema.describe('The command that was undone.'),
    goals: goalsSchema.describe('The goals that are as they were before it.'),
    dry_run: dryRunSchema,
  })
  .readonly();

const redoneSchema = z
  .object({
    plan: summarySchema,
    redone: toldSchema.describe('The command that was brought back.'),
    goals: goalsSchema.describe('The goals that are as it had left them.'),
    dry_run: dryRunSchema,
  })
  .readonly();

const fields = () => ({
  any: toggle('also changes by others'),
  force: toggle('even if somebody else loses a claim'),
  skip: toggle('skip changes that can no longer be undone or redone'),
  by: text('whose changes (default: yours, user@host)', 'name'),
  dryRun: toggle('only show what would change'),
});

/**
 * Takes back the last command of the one who asks that is not undone yet, with everything it caused, by appending the
 * inverse; called again it goes one further back. What calls have cost stays counted.
 * @throws PlanError WRONG_STATE when there is nothing to undo; REFUSED when a goal has changed since, or somebody else
 *   would lose a claim: what can be seen to be refused is not written
 */
export const undoChange = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument(), ...fields() }),
  output: undoneSchema,
  examples: ['plan undo', 'plan undo 0398 --any'],
  mutates: true,
  async run(context, input) {
    const asked = await askedOf(context, input, 'undone');
    const { log, history } = asked;
    for await (const change of changesToUndo(log, history, asked.whose)) {
      const { event, goals, linked } = change;
      if (!(await writeBack(asked, { undoes: event.id, goals, linked }))) continue;
      return { plan: summaryNow(context, log.plan), undone: told(change), ...changedBy(goals, input) };
    }
    const last = await changesToUndo(log, history, null).next();
    throw nothing('undo', asked, last.done === true ? null : last.value.event);
  },
  document: documentOf,
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
    const asked = await askedOf(context, input, 'redone');
    const { log, history } = asked;
    for (const { event, change: id } of undoingsToRedo(history, asked.whose)) {
      const goals = event.changes.map(({ goal, before, after }) => ({ goal, before: after, after: before }));
      const linked =
        event.linked === undefined ? undefined : { before: event.linked.after, after: event.linked.before };
      if (!(await writeBack(asked, { undoes: event.id, goals, linked }))) continue;
      const change = await readChange(log, history, id);
      if (change === null) throw new TypeError('what was undone had changed goals');
      return { plan: summaryNow(context, log.plan), redone: told(change), ...changedBy(goals, input) };
    }
    throw nothing('redo', asked, undoingsToRedo(history, null)[0]?.event ?? null);
  },
  document: documentOf,
});

/** What was asked for, and of which plan. */
interface Asked extends Asking {
  readonly log: PlanLog;
  readonly history: HistoryOfChanges;
  readonly verb: 'undone' | 'redone';
  /** Whose commands are meant; null for anybody's. */
  readonly whose: string | null;
  readonly skip: boolean;
  readonly dryRun: boolean;
}

async function askedOf(
  context: Context,
  input: z.output<z.ZodObject<ReturnType<typeof fields>>> & { readonly plan?: string | undefined },
  verb: Asked['verb'],
): Promise<Asked> {
  const log = await planToChange(context, input.plan);
  const by = actorName(context, input);
  return {
    log,
    history: await historyOfChanges(log),
    verb,
    by,
    at: timeNow(context.environment),
    whose: input.any === true ? null : by,
    force: input.force === true,
    skip: input.skip === true,
    dryRun: input.dryRun === true,
  };
}

/**
 * Has goals go from `after` to `before`, or only looks whether they could.
 * @returns false where that cannot be, and such a command is to be passed over
 * @throws PlanError REFUSED
 */
async function writeBack(
  asked: Asked,
  { undoes, goals, linked }: Pick<WholeChange, 'goals' | 'linked'> & { readonly undoes: string },
): Promise<boolean> {
  const { log, by, at, skip } = asked;
  const lost = asked.force ? null : claimLostByUndoing(log.plan, goals, asked);
  if (lost !== null && !skip) throw lost;
  const current = goals.map((change) => withCurrentClaim(change, log.plan, asked));
  const changes = await withoutEndedWork(current, log);
  const payload = {
    type: 'change_undone' as const,
    undoes,
    changes,
    ...(linked === undefined ? {} : { linked }),
  };
  const simulated = simulateRefusal(log.plan, payload, { by, at });
  if (simulated !== null && !skip) throw await notTakenBack(asked, simulated);
  if (lost !== null || simulated !== null) return false;
  if (asked.dryRun) return true;
  const { refused } = await writeEvent(log, payload, by);
  if (refused !== null) throw await notTakenBack(asked, refused);
  return true;
}

/** The error where goals are others now, with what made the first of them so. */
async function notTakenBack({ log, verb }: Asked, refusal: Refusal): Promise<PlanError> {
  const { plan } = log;
  const named = (id: string) => {
    const goal = plan.goals.get(id);
    return goal === undefined ? id : goalInWords(plan, goal);
  };
  const since = refusal.code === 'changed_since' ? await lastChangeOf(log, refusal.goal) : null;
  const because = since === null ? '' : `: ${since.event.by} ${since.message}`;
  return new PlanError('REFUSED', `the change cannot be ${verb}: ${wordRefusal(refusal, named)}${because}`, {
    details: { plan: plan.header.id, refusal, ...(since === null ? {} : { since: since.event.id }) },
    hint: {
      commandLine: `--skip goes on to the change before it; \`plan undo --any\` undoes the last change, whoever made it.`,
    },
  });
}

/** What became of goals, and for people how many of them are gone. */
function changedBy(goals: readonly ChangeOfGoal[], { dryRun }: { readonly dryRun?: boolean | undefined }) {
  return {
    goals: goals.map(({ goal }) => goal),
    ...(dryRun === true ? { dry_run: true as const } : {}),
    gone: goals.filter(({ before }) => before === null).length,
  };
}

/** The document of what was undone or redone, without what is for people alone. */
function documentOf<Result extends object>({ gone: _gone, ...document }: Result & { readonly gone: number }) {
  return document;
}

function told({ event, message, events }: WholeChange): z.output<typeof toldSchema> {
  return { event: event.id, type: event.type, at: event.at, by: event.by, message, events };
}

function nothing(
  what: 'undo' | 'redo',
  { whose, skip, log }: Asked,
  others: { readonly by: string } | null,
): PlanError {
  const { id } = log.plan.header;
  const ofYours = others === null || whose === null ? '' : ' of yours';
  const left = skip ? ` that can be ${what === 'undo' ? 'undone' : 'redone'}` : '';
  const isOthers = others !== null && whose !== null && others.by !== whose;
  return new PlanError(
    'WRONG_STATE',
    `there is no change${ofYours}${left}${left === '' ? ` to ${what}` : ''} in plan ${id}`,
    {
      hint: {
        commandLine: isOthers
          ? `The last one is by ${others.by}: --any includes changes by others, --by says who you are.`
          : `\`plan log ${id}\` shows every change${what === 'undo' && others === null && !skip ? `; \`plan delete ${id}\` removes the plan itself` : ''}.`,
      },
    },
  );
}
