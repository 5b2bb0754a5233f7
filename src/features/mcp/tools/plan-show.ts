import * as z from 'zod';

import { planOutline } from '../../../operations/reading/plan-outline.js';
import { planOfGoalCall, planField, tokensField, upTo } from '../fields.js';
import { defineTool } from '../tool.js';

/** The tree as an outline, or what is needed to do a goal; text alone. */
export const planShow = defineTool({
  name: 'plan_show',
  description:
    'The tree below `goal` as an outline; or, with `context`, all that is needed to do that goal. Never longer than max_tokens; `cursor` of the last answer goes on.',
  input: z.object({
    plan: planField(),
    goal: z.string().optional().describe('Id or number such as 5.2; default: root'),
    context: z.boolean().optional(),
    depth: upTo(20),
    max_tokens: tokensField(),
    cursor: z.string().optional(),
  }),
  annotations: { readOnlyHint: true },
  async run({ library, context: world }, { plan: named, goal, context, depth, max_tokens, cursor }) {
    const plan = await planOfGoalCall(library, { plan: named, goal });
    if (context === true) {
      const about = { plan, maxTokens: max_tokens };
      return { text: (await library.context(goal ?? 'root', about)).markdown };
    }
    return { text: await planOutline(world, { plan, goal, depth, maxTokens: max_tokens, cursor }) };
  },
});
