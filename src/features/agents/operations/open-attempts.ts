import { legible } from '../../../kernel/text/legible.js';
import type { Context } from '../../../operations/shared/context.js';
import type { StatusReport } from '../../../operations/reading/status-schema.js';
import { isOwned, readAttempts } from '../attempt/state.js';
import { stateFolder } from '../../../operations/shared/environment.js';

/** Returns the attempts of a plan on this machine that wait for a person, or whose command was killed, as `status` shows them. */
export async function openAttemptsOf(
  { environment }: Pick<Context, 'environment'>,
  plan: string,
): Promise<NonNullable<StatusReport['runs']>> {
  const found: NonNullable<StatusReport['runs']>[number][] = [];
  for (const attempt of await readAttempts(stateFolder(environment), plan)) {
    const { token, goal, number, agent, reason } = attempt;
    const isWaiting = attempt.state === 'waiting';
    if (!isWaiting && (await isOwned(attempt))) continue;
    const name = number === '' ? 'root' : number;
    found.push({
      run: token,
      status: isWaiting ? 'waiting' : 'interrupted',
      source: null,
      goal,
      why: isWaiting
        ? `what ${agent} made of goal ${name} waits for a person: ${legible(reason ?? '')}`
        : `the work on goal ${name} was interrupted; \`plan work\` goes on with it`,
      command: isWaiting ? `plan attempts show ${name}` : `plan work ${plan}`,
    });
  }
  return found;
}
