import type { ApiError } from '../api.js';
import { postToApi } from '../api.js';

/** The tokens of claims that were made in this tab, by goals; whoever has one may complete the goal. */
const tokenKey = (goal: string) => `frctl-claim-${goal}`;

/** The operations that ask for the token of a claim where there is one. */
const PROVEN: ReadonlySet<string> = new Set(['complete', 'fail', 'release']);

/**
 * Runs an operation on a goal, with the token of its claim where this tab has it. The server checks it as it does for
 * the commands.
 * @throws ApiError
 */
export async function actOnGoal(plan: string, goal: string, name: string, input: object = {}): Promise<void> {
  const key = tokenKey(goal);
  const token = PROVEN.has(name) ? sessionStorage.getItem(key) : null;
  const result = await postToApi<{ readonly claimed?: { readonly token?: string } }>(name, {
    goal,
    plan,
    ...(token === null ? {} : { token }),
    ...input,
  });
  const claimed = result.claimed?.token;
  if (name === 'claim' && claimed !== undefined) sessionStorage.setItem(key, claimed);
  // A claim that is still there needs its token.
  if (PROVEN.has(name)) sessionStorage.removeItem(key);
}

/** Why something was refused, in one line. */
export const errorInWords = ({ message, hint }: ApiError): string =>
  hint === undefined ? message : `${message}. ${hint}`;
