import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { CoreLibrary } from '../../../operations/library.js';
import { planOfGoalCall, planField, upTo } from '../fields.js';
import { inTools } from '../in-tools.js';
import { isRefusal } from '../refusal.js';
import { defineTool } from '../tool.js';

const input = z.object({
  plan: planField(),
  goal: z.string(),
  token: z.string(),
  outcome: z.enum(['complete', 'failed', 'release', 'extend']),
  summary: z.string().optional().describe('Result, or reason of failure'),
  decisions: z.array(z.string()).optional(),
  artifacts: z.array(z.string()).optional().describe('Files, APIs'),
  minutes: upTo(1440),
});

type Input = z.output<typeof input>;

const MOST_READY = 5;

/** Ends or extends a claim. */
export const goalDone = defineTool({
  name: 'goal_done',
  description:
    'End or extend a claim. complete: say what came of it, others will read that. failed: say why. Answers with what can start now.',
  input,
  output: z.object({
    goal: z.string(),
    status: z.string(),
    until: z.string().optional(),
    refused: z.string().optional(),
    ready: z.array(z.object({ goal: z.string(), number: z.string(), description: z.string() })),
    done: z.number(),
    of: z.number(),
  }),
  annotations: { destructiveHint: false },
  async run({ library }, given) {
    if (given.outcome === 'failed' && (given.summary ?? '').trim() === '')
      throw new PlanError('USAGE', 'summary is missing: why the goal failed', {
        hint: ['Say in summary why it failed; others will read that.'],
      });
    const plan = await planOfGoalCall(library, given);
    const ended = await end(library, { ...given, plan });
    const status = await library.status({ plan: ended.plan, next: MOST_READY });
    const { id, status: state } = (await library.show(given.goal, { plan })).goal;
    return {
      document: {
        goal: id,
        status: state,
        ...(ended.until === undefined ? {} : { until: ended.until }),
        ...(ended.refused === undefined ? {} : { refused: ended.refused }),
        ready: (status.next ?? []).map(({ id: goal, number, description }) => ({
          goal,
          number,
          description: truncate(description, 200),
        })),
        done: status.plan.complete_goals,
        of: status.plan.atomic_goals,
      },
      isError: ended.refused !== undefined,
    };
  },
});

interface Ended {
  readonly plan: string;
  readonly until?: string;
  readonly refused?: string;
}

/** Does what the outcome says. What is refused is told, for the work it was about may be kept all the same. */
async function end(library: CoreLibrary, given: Input): Promise<Ended> {
  const { goal, token, plan, outcome, summary, decisions, artifacts, minutes } = given;
  const about = { plan, token };
  const planId = (await library.show(goal, { plan })).plan.id;
  try {
    // Hosts send empty texts for what they leave out.
    const said = summary?.trim() === '' ? {} : { summary };
    if (outcome === 'complete') await library.complete(goal, { ...about, ...said, decisions, artifacts });
    else if (outcome === 'failed') await library.fail(goal, { ...about, reason: summary ?? '' });
    else if (outcome === 'release') await library.release(goal, about);
    else {
      const { claimed } = await library.renew({ goal, ...about, for: `${minutes ?? 30}m` });
      return { plan: planId, until: claimed.expires_at };
    }
    return { plan: planId };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return {
      plan: planId,
      refused: `${thrown.message}${thrown.hintParts === undefined ? '' : `. ${inTools(thrown.hintParts)}`}`,
    };
  }
}
