import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { checkDependencies } from '../../plan/dependencies/check-dependencies.js';
import type { Plan } from '../../plan/plan.js';
import { summarySchema } from '../../plan/schema.js';
import { numbering } from '../../plan/tree.js';
import { judgePlan } from '../../planning/check/check-plan.js';
import { JUDGEMENT_CODES } from '../../planning/check/finding.js';
import { DEPENDENCY_CODES, findingInWords } from '../planning/check-dependencies.js';
import { defineOperation } from '../operation.js';
import { planArgument, text } from '../shared/fields.js';
import { findPlan } from '../shared/find-plan.js';
import { linkedOfPlan } from './report-links.js';
import { summaryNow } from '../shared/summary-now.js';

const CODES = [...JUDGEMENT_CODES, ...DEPENDENCY_CODES] as const;

const findingSchema = z
  .object({
    code: z.enum(CODES),
    goal: z.string().describe('The goal that it is about.'),
    number: z.string().describe('Its number; empty for the root.'),
    goals: z.array(z.string()).readonly().describe('The other goals that are meant.'),
    message: z.string().describe('The finding in words.'),
    hint: z.string().describe('What may be done about it.'),
  })
  .readonly();

const checkReportSchema = z
  .object({ plan: summarySchema, findings: z.array(findingSchema).readonly(), total: z.number() })
  .readonly();

type Finding = Omit<z.output<typeof findingSchema>, 'number'>;

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
    const numberIn = numbering(plan);
    const findings = [
      ...judgePlan(plan, await log.events()),
      ...missing(plan),
      ...ofDependencies(plan),
    ].flatMap((finding) => {
      const goal = plan.goals.get(finding.goal);
      return goal === undefined ? [] : [{ ...finding, number: numberIn(goal) }];
    });
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

const MEANT_BY_LINKS: ReadonlySet<string> = new Set(['REDUNDANT', 'ON_LATER']);

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

function missing(plan: Plan): readonly Finding[] {
  return (linkedOfPlan(plan)?.missing ?? []).flatMap(({ code, what, used_by, command }) => {
    const [first, ...others] = used_by;
    if (first === undefined) return [];
    const users = used_by.map(({ number }) => number).join(', ');
    return {
      code,
      goal: first.goal,
      goals: others.map(({ goal }) => goal),
      message: `no goal makes ${what}, which ${users} ${others.length === 0 ? 'uses' : 'use'}`,
      hint: `${command} adds one; the goals that use it are to depend on it`,
    };
  });
}

/**
 * Returns what looks wrong in the dependencies. The link pass names each result that a leaf uses, also one that comes first anyway or is
 * made by a later number: in a plan that it has been through both say something, and are left to `plan dependencies check`.
 */
function ofDependencies(plan: Plan): readonly Finding[] {
  const isLinked = linkedOfPlan(plan) !== undefined;
  const found = checkDependencies(plan).filter(({ code }) => !isLinked || !MEANT_BY_LINKS.has(code));
  return found.map((finding) => ({
    code: finding.code,
    goal: finding.goal,
    goals: [
      ...new Set([...(finding.depends_on === null ? [] : [finding.depends_on]), ...finding.path]),
    ].filter((id) => id !== finding.goal),
    message: findingInWords(plan, finding),
    hint:
      finding.code === 'REDUNDANT'
        ? 'plan dependencies check --apply takes it away'
        : 'plan depend GOAL --not-on GOAL takes a wait away',
  }));
}
