import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { planArgument, text } from '../shared/fields.js';
import { findPlan } from '../shared/find-plan.js';
import { CODES, findingSchema, findingsOfPlan } from './plan-findings.js';
import { summaryNow } from '../shared/summary-now.js';

const checkReportSchema = z
  .object({ plan: summarySchema, findings: z.array(findingSchema).readonly(), total: z.number() })
  .readonly();

/** What looks wrong in a plan, and whether it is what was to be none of. */
type CheckReport = z.output<typeof checkReportSchema> & { readonly isFailed: boolean };

/**
 * Finds what looks wrong in a plan, by rules alone; nothing is changed.
 * @throws PlanError PLAN_NOT_FOUND, USAGE for a code that there is not
 */
export const checkPlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    failOn: text('exit with 1 where there is such a finding; `any` is each of them', 'code,…'),
  }),
  output: checkReportSchema,
  examples: ['plan check', 'plan check --fail-on DUPLICATE_LEAF,MISSING_RESULT', 'plan check --json'],
  mutates: false,
  async run(context, { plan: name, failOn }): Promise<CheckReport> {
    const wanted = codesIn(failOn);
    const log = await findPlan(context, name);
    const { plan } = log;
    const findings = findingsOfPlan(plan, await log.events());
    return {
      plan: summaryNow(context, plan),
      findings,
      total: findings.length,
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
