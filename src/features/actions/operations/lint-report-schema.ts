import * as z from 'zod';

import { RULE_IDS } from '../lint/rule-ids.js';
import { SEVERITIES } from '../policy/policy.js';
import { dialectSchema } from './plan-fields.js';

const findingSchema = z.object({
  rule: z.enum(RULE_IDS),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  pointer: z.string().describe('Where in the document.'),
  line: z.number().describe('From 1.'),
  column: z.number().describe('From 1, in UTF-16 units.'),
  end_line: z.number(),
  end_column: z.number().describe('Exclusive.'),
  step: z.string().nullable().describe('Id of the step that it lies in; null for the plan as a whole.'),
  fixable: z.boolean().describe('Whether `--fix` fixes it.'),
  fingerprint: z.string().describe('The mark by which a baseline knows it again, whatever its line.'),
});

const suppressedSchema = findingSchema.extend({
  reason: z.string(),
  weighs: z
    .boolean()
    .describe(
      'Whether its rule still weighs in the risk; not where the policy’s `allow_suppressions` names it.',
    ),
});

const riskSchema = z.object({
  score: z.number().describe('From 0 to 1.'),
  threshold: z.number().describe('The score at which the check fails.'),
  reached: z.boolean(),
  parts: z
    .array(z.object({ rule: z.enum(RULE_IDS), weight: z.number() }))
    .readonly()
    .describe('What each rule that fired adds; together they may be more than the score, which ends at 1.'),
});

const compatSchema = z.object({
  status: z.enum(['pass', 'error']),
  risk_score: z.number(),
  errors: z.array(z.object({ step: z.number().nullable(), code: z.string(), msg: z.string() })).readonly(),
  warnings: z.array(z.never()).readonly(),
});

const fileReportSchema = z.object({
  file: z.string().describe('As it was named; `<stdin>` for standard input.'),
  dialect: dialectSchema.nullable(),
  clean: z.boolean(),
  findings: z.array(findingSchema).readonly(),
  suppressed: z.array(suppressedSchema).readonly().describe('What the plan itself asks to pass over.'),
  known: z.array(findingSchema).readonly().describe('What the baseline knows already.'),
  risk: riskSchema,
  fixed: z.number().describe('How many findings `--fix` has fixed.'),
  compat: compatSchema
    .optional()
    .describe('With `--compat`, what the original tool would say; it alone decides then.'),
});

const unreadableSchema = z.object({
  file: z.string(),
  code: z.string(),
  message: z.string(),
  line: z.number().nullable().describe('Null where the trouble has no place in the text.'),
  column: z.number().nullable(),
});

/** What a check of files came to. */
const checkedSchema = z.object({
  clean: z.boolean().describe('Whether every file could be read and is clean.'),
  files: z.array(fileReportSchema).readonly(),
  unreadable: z.array(unreadableSchema).readonly(),
  stale: z.number().describe('Entries of the baseline that nothing matches any more.'),
  fixed_input: z
    .string()
    .nullable()
    .describe('The fixed text of standard input; null unless it was read alone with `--fix`.'),
});

/** What there is to know of a rule. */
const ruleReportSchema = z.object({
  rule: z.enum(RULE_IDS),
  severity: z.enum(SEVERITIES),
  summary: z.string(),
  explanation: z.string().describe('Markdown.'),
  bad: z.string().describe('A plan that breaks the rule.'),
  good: z.string().describe('A plan that does not.'),
  policy: z
    .string()
    .nullable()
    .describe('The policy that the examples are judged by, as YAML; null where they need none.'),
  good_policy: z
    .string()
    .nullable()
    .describe('For the good plan, where it is the policy that is bad; else null.'),
});

/** What `plan lint --json` prints: a report, with `explain` a rule, with `list-rules` all of them. */
export const lintSchema = z.union([
  checkedSchema,
  ruleReportSchema,
  z.object({ rules: z.array(ruleReportSchema).readonly() }),
]);

/** What there is to know of a rule. */
export type RuleReport = z.output<typeof ruleReportSchema>;
