import { PlanError } from '../../../kernel/errors.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import { numberOf } from '../../../plan/tree.js';
import type { Context } from '../../../operations/shared/context.js';
import { readGoalByName } from '../../../operations/shared/find-plan.js';

/** The error for a plan that is not there, which says how a goal is prepared where one was named in its place. */
export async function notAGoal(
  context: Context,
  { plan: name, ofPlan }: { readonly plan: string; readonly ofPlan?: string | undefined },
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof PlanError) || thrown.code !== 'FILE_NOT_FOUND') return thrown;
  const { code, message, details } = thrown;
  const found = context.hasStore() ? await readGoalByName(context, name, ofPlan).catch(() => null) : null;
  if (found === null)
    return new PlanError(code, message, {
      hint: {
        commandLine:
          'Name a file, the id of an action plan (ap-…) that `plan show GOAL` lists, or - for standard input.',
      },
      details,
      cause: thrown,
    });
  const { plan, goal } = found;
  const number = numberOf(plan, goal) || 'root';
  const [stored] = (goal.action_plans ?? []).toReversed();
  return new PlanError(code, `an action plan is prepared, and ${goalInWords(plan, goal)} is a goal`, {
    hint: {
      commandLine:
        stored === undefined
          ? `\`plan draft ${number} --tools FILE\` drafts its action plan; \`plan prepare FILE --goal ${number}\` prepares one that you wrote.`
          : `\`plan prepare ${stored}\` prepares its latest action plan, \`plan show ${number}\` lists them all.`,
    },
    details: { ...details, goal: goal.id },
    cause: thrown,
  });
}
