import * as z from 'zod';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { planOfGoalCall, planField, tokensField } from '../fields.js';
import { isRefusal } from '../refusal.js';
import { defineTool } from '../tool.js';

/** Tokens of the lines before the context. */
const HEAD_TOKENS = 100;

/** Claims a goal and gives what is needed to do it; text alone. */
export const goalTake = defineTool({
  name: 'goal_take',
  description:
    'Claim the best goal that can start (or `goal`) and get what is needed to do it. The claim ends after `minutes`.',
  input: z.object({
    plan: planField(),
    goal: z.string().optional(),
    by: z.string().optional().describe('Your name'),
    minutes: z.number().int().min(1).max(1440).default(30),
    max_tokens: tokensField(),
  }),
  annotations: { destructiveHint: false },
  async run({ library, signal }, { plan: named, goal, by, minutes, max_tokens }) {
    const plan = await planOfGoalCall(library, { plan: named, goal });
    const how = { plan, by, for: `${minutes}m` };
    try {
      const taken =
        goal === undefined ? await library.next({ ...how, claim: true }) : await library.claim(goal, how);
      if (taken.claimed === null) {
        const { reason } = 'reason' in taken ? taken : { reason: null };
        return { text: nothing(reason?.code ?? 'waiting', reason?.message ?? '', reason?.until ?? null) };
      }
      const { goal: id, token, expires_at } = taken.claimed;
      try {
        const { markdown } = await library.context(id, {
          maxTokens: Math.max(100, max_tokens - HEAD_TOKENS),
        });
        signal.throwIfAborted();
        return { text: `goal: ${id}\ntoken: ${token}\nuntil: ${expires_at}\n\n${markdown}` };
      } catch (thrown) {
        // Nobody has got the token, so nobody could end the claim.
        await library.release(id, { plan, token, by });
        throw thrown;
      }
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      const { claimed_by, expires_at } = thrown.details;
      const code = claimed_by === undefined ? 'refused' : 'claimed';
      return { text: nothing(code, thrown.message, typeof expires_at === 'string' ? expires_at : null) };
    }
  },
});

function nothing(code: string, reason: string, until: string | null): string {
  return `nothing: ${code}, ${oneLine(reason)}, ${until ?? '-'}`;
}
