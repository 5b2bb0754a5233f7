import * as z from 'zod';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { countTokens } from '../../../llm/spend/tokens.js';
import type { ResultOf } from '../../../operations/registry.js';
import { planOutline } from '../../../operations/reading/plan-outline.js';
import { planOfGoalCall, planField, tokensField, upTo } from '../fields.js';
import { defineTool } from '../tool.js';

/** What looks wrong, a line each, as far as it fits. */
async function findingLines(findings: ResultOf<'check'>['findings'], maxTokens: number): Promise<string> {
  const total = findings.length;
  if (total === 0) return 'Nothing looks wrong.';
  const lines: string[] = [];
  let room = maxTokens - LAST_LINE;
  for (const { code, number, message } of findings) {
    const line = `${code} ${number === '' ? 'root' : number}: ${oneLine(message)}`;
    room -= (await countTokens(line)) + 1;
    if (room < 0) return [...lines, `… and ${total - lines.length} more`].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

/** Tokens of the line that says how many more there are. */
const LAST_LINE = 20;

/** The tree as an outline, what looks wrong, or what is needed to do a goal; text alone. */
export const planShow = defineTool({
  name: 'plan_show',
  description:
    'The tree below `goal` as an outline; or, with `context`, all that is needed to do that goal; or, with `check`, what looks wrong in the plan. Never longer than max_tokens; `cursor` of the last answer goes on.',
  input: z.object({
    plan: planField(),
    goal: z.string().optional().describe('Id or number such as 5.2; default: root'),
    context: z.boolean().optional(),
    check: z.boolean().optional(),
    depth: upTo(20),
    max_tokens: tokensField(),
    cursor: z.string().optional(),
  }),
  annotations: { readOnlyHint: true },
  async run({ library, context: world }, { plan: named, goal, context, check, depth, max_tokens, cursor }) {
    const plan = await planOfGoalCall(library, { plan: named, goal });
    if (context === true) {
      const about = { plan, maxTokens: max_tokens };
      return { text: (await library.context(goal ?? 'root', about)).markdown };
    }
    if (check === true) {
      const { findings } = await library.check({ plan });
      const about = goal === undefined ? undefined : (await library.show(goal, { plan })).goal.id;
      const meant = findings.filter(
        (each) => about === undefined || each.goal === about || each.goals.includes(about),
      );
      return { text: await findingLines(meant, max_tokens) };
    }
    return { text: await planOutline(world, { plan, goal, depth, maxTokens: max_tokens, cursor }) };
  },
});
