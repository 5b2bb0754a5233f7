import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { planArgument, text, toggle } from '../shared/fields.js';
import { modelFields } from '../planning/planning-fields.js';
import { findPlan } from '../shared/find-plan.js';
import { planToChange } from '../shared/find-to-change.js';
import { askedFindingsSchema, askFindings } from './ask-findings.js';
import { CODES, findingSchema, findingsOfPlan } from './plan-findings.js';
import { summaryNow } from '../shared/summary-now.js';

const checkReportSchema = z
  .object({
    plan: summarySchema,
    findings: z.array(findingSchema).readonly(),
    total: z.number(),
    asked: askedFindingsSchema.optional().describe('With ask: what was answered.'),
  })
  .readonly();

/** What looks wrong in a plan, and whether it is what was to be none of. */
type CheckReport = z.output<typeof checkReportSchema> & { readonly isFailed: boolean };

/**
 * Finds what looks wrong in a plan, by rules alone; nothing is changed. With `ask` a model is asked about the goals in whose words
 * something looks wrong; only with `apply` they are changed as it answers.
 * @throws PlanError PLAN_NOT_FOUND, USAGE for a code that there is not, or `apply` alone; INVALID_CONFIG
 */
export const checkPlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    ask: toggle('ask the model about the goals in whose words something looks wrong, one question a goal'),
    apply: toggle('with ask: change the goals as was answered'),
    ...modelFields(),
    failOn: text('exit with 1 where there is such a finding; `any` is each of them', 'code,…'),
  }),
  output: checkReportSchema,
  examples: [
    'plan check',
    'plan check --ask',
    'plan check --fail-on DUPLICATE_LEAF,MISSING_RESULT',
    'plan check --json',
  ],
  mutates: true,
  async run(context, { plan: name, failOn, ask, apply, ...flags }): Promise<CheckReport> {
    const wanted = codesIn(failOn);
    if (apply === true && ask !== true)
      throw new PlanError('USAGE', 'nothing is to be applied', {
        hint: [{ commandLine: 'Give --ask too.', tools: 'Give ask too.' }],
      });
    const log = ask === true ? await planToChange(context, name) : await findPlan(context, name);
    const asked =
      ask === true ? { asked: await askFindings(context, log, { ...flags, apply: apply === true }) } : {};
    const { plan } = log;
    const findings = findingsOfPlan(plan, await log.events());
    return {
      plan: summaryNow(context, plan),
      findings,
      total: findings.length,
      ...asked,
      isFailed: findings.some(({ code }) => wanted.has(code)),
    };
  },
  document: ({ isFailed: _told, ...report }: CheckReport) => report,
  exitStatus: ({ isFailed }) => (isFailed ? 1 : 0),
});

/** @throws PlanError USAGE for a code that there is not */
function codesIn(failOn: string | undefined): ReadonlySet<string> {
  const named = (failOn ?? '').split(',').map((code) => code.trim().toUpperCase());
  const codes: readonly string[] = CODES;
  const unknown = named.find((code) => code !== 'ANY' && !codes.includes(code));
  if (failOn !== undefined && unknown !== undefined)
    throw new PlanError('USAGE', `there is no finding ${JSON.stringify(truncate(unknown, 50))}`, {
      hint: [`There are ${CODES.join(', ')}, and any.`],
      details: { setting: 'failOn' },
    });
  return new Set(named.includes('ANY') ? codes : named);
}
