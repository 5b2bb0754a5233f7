import { messageOf, PlanError } from '../../kernel/errors.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { planToChange } from '../shared/find-to-change.js';
import { actorName } from '../shared/actor.js';
import { writeEvent } from '../shared/write-event.js';
import { withCurrentClaim } from './claims-undone.js';
import { historyOfChanges, readChange } from './whole-changes.js';

/**
 * Takes back one change of a plan, by its id and no other: whoever else changed the plan since, also in the same name,
 * keeps what he did.
 * @param change as `changeId` of the context that made it tells
 * @returns null when nothing is left of it, else why it stands, in words
 */
async function undoOwnChange(context: Context, plan: string, change: string): Promise<string | null> {
  const log = await planToChange(context, plan);
  const whole = await readChange(log, await historyOfChanges(log), change);
  if (whole === null) return null;
  const by = actorName(context, {});
  const asking = { by, at: timeNow(context.environment) };
  const changes = whole.goals.map((one) => withCurrentClaim(one, log.plan, asking));
  const { linked } = whole;
  const { refused } = await writeEvent(
    log,
    {
      type: 'change_undone',
      undoes: whole.event.id,
      changes,
      ...(linked === undefined ? {} : { linked }),
    },
    by,
  );
  return refused === null
    ? null
    : wordRefusal(refused, (id) => {
        const goal = log.plan.goals.get(id);
        return goal === undefined ? id : goalInWords(log.plan, goal);
      });
}

/**
 * Takes back what a context has changed before something was refused.
 * @returns what is to be thrown: the refusal, with why some of that could not be taken back where so
 */
export async function takenBack(context: Context, plan: string, thrown: unknown): Promise<unknown> {
  const change = context.changeId();
  if (change === undefined) return thrown;
  const stands = await undoOwnChange({ ...context, ...context.newChange() }, plan, change);
  if (stands === null) return thrown;
  const { code, details } = thrown instanceof PlanError ? thrown : { code: 'INTERNAL' as const, details: {} };
  return new PlanError(code, `${messageOf(thrown)}; what was changed before was not taken back: ${stands}`, {
    hint: { commandLine: '`plan log` shows what was changed since.' },
    details: { ...details, stands },
    cause: thrown,
  });
}
