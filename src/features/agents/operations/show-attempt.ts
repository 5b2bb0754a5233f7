import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { defineOperation } from '../../../operations/operation.js';
import { goalArgument, planOption } from '../../../operations/shared/fields.js';
import { findPlan, planMeantByGoals } from '../../../operations/shared/find-plan.js';
import { gitIn } from '../attempt/git.js';
import { readAgentLog } from '../attempt/run-agent.js';
import { attemptFolder } from '../attempt/state.js';
import { stateFolder } from '../../../operations/shared/environment.js';
import { attemptRow, attemptSchema } from './list-attempts.js';
import { attemptNamed } from './named-attempt.js';

const MOST_DIFF = 200_000;

const shownSchema = attemptSchema.unwrap().extend({
  step: z.string(),
  failures: z.array(z.string()).readonly().describe('Why earlier tries failed.'),
  summary: z.string().nullable().describe('What the agent says.'),
  log: z.string().describe('The end of what the agent printed last.'),
  diff: z.string().nullable().describe('What would land, as a patch; null while nothing was gathered.'),
  is_whole: z.boolean().describe('Whether the patch is shown to its end.'),
});

/** Shows an attempt: what it made, what the agent printed, and what went wrong. @throws PlanError REFUSED where there is none */
export const showAttempt = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({ goal: goalArgument(), plan: planOption() }),
  output: shownSchema.readonly(),
  examples: ['plan attempts show 3'],
  mutates: false,
  async run(context, input) {
    const { plan } = await findPlan(context, planMeantByGoals(input.plan, [input.goal]));
    const root = stateFolder(context.environment);
    const { attempt } = await attemptNamed(root, plan, input.goal);
    if (attempt === null)
      throw new PlanError('REFUSED', 'no attempt at this goal is under way or waits on this machine', {
        hint: {
          commandLine: `\`plan attempts\` lists those there are; \`plan log --goal ${input.goal}\` tells how earlier ones ended.`,
        },
      });
    const { from, commit, step, failures, summary } = attempt;
    const git = gitIn(attempt.top, context.environment.variables);
    const patch = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', from ?? '', commit ?? '', '--'];
    const diff = commit === null ? null : await git.tried(patch);
    return {
      ...(await attemptRow(root, plan, attempt)),
      step,
      failures,
      summary,
      log: await readAgentLog(attemptFolder(root, attempt)),
      diff: diff === null ? null : truncate(diff, MOST_DIFF),
      is_whole: diff === null || diff.length <= MOST_DIFF,
    };
  },
});
