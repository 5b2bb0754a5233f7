import { legible } from '../../../kernel/text/legible.js';
import type { Context } from '../../../operations/shared/context.js';
import type { Plan } from '../../../plan/plan.js';
import type { StatusReport } from '../../../operations/reading/status-schema.js';
import { isOwned, readAttempts } from '../attempt/state.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import { goalShown, numberNow } from './goal-number.js';

/** Returns the attempts of a plan on this machine that wait for a person, or whose command was killed, as `status` shows them. */
export async function openAttemptsOf(
  { environment }: Pick<Context, 'environment'>,
  plan: Plan,
): Promise<NonNullable<StatusReport['runs']>> {
  const found: NonNullable<StatusReport['runs']>[number][] = [];
  for (const attempt of await readAttempts(stateFolder(environment), plan.header.id)) {
    const { token, goal, agent, reason } = attempt;
    const isWaiting = attempt.state === 'waiting';
    if (!isWaiting && (await isOwned(attempt))) continue;
    const number = numberNow(plan, goal);
    const name = `${goalShown({ goal, number })}${number === null ? ', which is gone from the plan,' : ''}`;
    found.push({
      run: token,
      status: isWaiting ? 'waiting' : 'interrupted',
      source: null,
      goal,
      why: isWaiting
        ? `what ${agent} made of goal ${name} waits for a person: ${legible(reason ?? '')}`
        : `the work on goal ${name} was interrupted; \`plan work\` goes on with it`,
      command: isWaiting ? `plan attempts show ${goal}` : `plan work ${plan.header.id}`,
    });
  }
  return found;
}
