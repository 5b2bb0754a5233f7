import { PlanError } from '../../../kernel/errors.js';
import type { Context } from '../../../operations/shared/context.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import type { Purge, PurgedPlan } from '../../../operations/shared/hooks.js';
import { gitIn } from '../attempt/git.js';
import { forget, keep } from '../attempt/record.js';
import { isOwned, readAttempts } from '../attempt/state.js';
import { goalShown, numberNow } from './goal-number.js';

/**
 * Finds what attempts at goals of a plan have left on this machine, which goes with it; commits stay in the repository.
 * @throws PlanError WRONG_STATE while an agent is at work, or what one made waits for a person
 */
export async function attemptsOfPurged(
  { environment }: Pick<Context, 'environment'>,
  { id, plan }: PurgedPlan,
): Promise<Purge> {
  const root = stateFolder(environment);
  const attempts = await readAttempts(root, id);
  for (const attempt of attempts) {
    const { goal, state } = attempt;
    const isWaiting = state === 'waiting';
    // Of a plan that cannot be read nobody could decide anything: its commits are kept.
    if (isWaiting ? plan === null : !(await isOwned(attempt))) continue;
    const name = goalShown({ goal, number: plan === null ? null : numberNow(plan, goal) });
    throw new PlanError(
      'WRONG_STATE',
      isWaiting
        ? `what an agent made of goal ${name} of this plan waits for a person`
        : `an agent works on goal ${name} of this plan`,
      {
        hint: {
          commandLine: isWaiting
            ? `\`plan attempts show ${goal}\` shows it; \`plan attempts accept ${goal} --commit …\` lands it, \`plan attempts reject ${goal}\` gives it up.`
            : `\`plan attempts pause ${id}\` has \`plan work\` end after it.`,
        },
        details: { plan: id, goal },
      },
    );
  }
  return {
    runs: [],
    async drop() {
      for (const attempt of attempts) {
        const git = gitIn(attempt.top, environment.variables);
        await keep({ git }, attempt).catch(() => undefined);
        await forget({ root, git }, attempt);
      }
    },
  };
}
