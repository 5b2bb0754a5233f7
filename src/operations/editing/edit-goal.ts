import { PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import { changeGoals } from './change-goals.js';
import type { ChangeOptions, ChangeReport } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { givenReason, givenTexts, optionalText } from './goal-texts.js';
import { goalToWorkOn } from '../work/work-event.js';

/** Fields of a goal that can be taken away. */
export type ClearableField = 'detail' | 'acceptance' | 'tags';

export interface EditOptions extends ChangeOptions {
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
  /** In place of the criteria there were. */
  readonly acceptance?: readonly string[] | undefined;
  /** In place of the tags there were. */
  readonly tags?: readonly string[] | undefined;
  /** Fields to take away. */
  readonly clear?: readonly ClearableField[] | undefined;
}

/**
 * Changes the words of a goal that is not finished.
 * @throws PlanError USAGE when nothing is to change, INVALID_INPUT, GOAL_NOT_FOUND, REFUSED
 */
export async function editGoal(context: Context, name: string, options: EditOptions): Promise<ChangeReport> {
  const fields = fieldsOf(options);
  if (Object.keys(fields).length === 0) {
    throw new PlanError('USAGE', 'nothing is to change', {
      hint: 'Give --description, --detail, --acceptance, --tag or --clear.',
    });
  }
  const { log, goal } = await goalToWorkOn(context, name, options);
  const payload = {
    type: 'goal_edited' as const,
    goal: goal.id,
    fields,
    ...givenReason(options.because),
  };
  return changeGoals(context, log, payload, options);
}

function fieldsOf(options: EditOptions): PayloadOf<'goal_edited'>['fields'] {
  const given = {
    description: optionalText('description', options.description),
    detail: optionalText('detail', options.detail),
    acceptance: givenTexts('acceptance', options.acceptance),
    tags: givenTexts('tag', options.tags),
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const clear = options.clear ?? [];
  const both = clear.find((field) => field in set);
  if (both !== undefined) throw new PlanError('USAGE', `${both} cannot be both given and cleared`);
  return { ...set, ...Object.fromEntries(clear.map((field) => [field, null])) };
}
