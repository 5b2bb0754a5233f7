import * as z from 'zod';

import { SANDBOXES } from '../tools/bindings.js';
import { NEVER_SUPPRESSED, RULE_IDS } from '../lint/rule-ids.js';

/** How bad a finding is. Only an error makes a check fail by itself. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

const glob = z
  .string()
  .min(1)
  .max(200)
  .describe('A tool’s name; `*` stands for any characters, `?` for one.');
const limit = z.number().nullable();
const name = z.string().min(1).max(500);

const toolPatternsSchema = z.strictObject({
  sql: z.array(glob).optional().describe('Tools whose queries are read as SQL. Left out: sql.* and db.*.'),
  sql_read_only: z.array(glob).optional().describe('Of these, tools that only read. Left out: *.query_ro.'),
  sql_write: z
    .array(glob)
    .optional()
    .describe('Of these, tools that write whatever their query says. Left out: *.write.'),
  irreversible: z.array(glob).optional().describe('Tools whose effect cannot be taken back. Left out: none.'),
});

/**
 * A policy as its file has it: what action plans may do. Every key may be left out; a key that there is none of
 * is an error. The language is Plan-Lint's (allow_tools, bounds, deny_tokens_regex, max_steps, risk_weights,
 * fail_risk_threshold), with further keys.
 */
export const policySchema = z
  .strictObject({
    $schema: z.string().optional(),
    extends: z
      .union([name, z.array(name).max(20)])
      .optional()
      .describe('Policy files that this one adds to, relative to it.'),
    allow_tools: z.array(glob).optional().describe('Only these tools; an empty list allows every tool.'),
    deny_tools: z.array(glob).optional().describe('Never these tools, whatever is allowed.'),
    bounds: z
      .record(name, z.tuple([limit, limit], 'must be a list of two numbers, [minimum, maximum]'))
      .optional()
      .describe(
        'By `tool.argument`, the least and the greatest value; null leaves one side open. The tool may be a glob.',
      ),
    deny_tokens_regex: z
      .array(z.string().max(2000))
      .optional()
      .describe('Patterns in the syntax of RE2 that the JSON text of a plan must not hold.'),
    max_steps: z.int().positive().optional().describe('Most steps of a plan. Left out: 100.'),
    risk_weights: z
      .record(name, z.number().min(0).max(1))
      .optional()
      .describe('By rule, what it adds to the risk. Left out: 0.2, and 0 for notes.'),
    fail_risk_threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('The risk at which a check fails. Left out: 0.8.'),
    tool_patterns: toolPatternsSchema.optional().describe('Which tools the rules about kinds of tools mean.'),
    severities: z
      .partialRecord(z.enum(RULE_IDS), z.enum([...SEVERITIES, 'off']))
      .optional()
      .describe('By rule, the severity of what it finds; `off` turns a rule off.'),
    sandbox: z
      .enum(SANDBOXES)
      .optional()
      .describe(
        'The least sandbox of every command of a plan that is run. Left out: what the tools file says.',
      ),
    require_sandbox: z
      .boolean()
      .optional()
      .describe('Whether nothing is run where bubblewrap is missing and a sandbox is asked for.'),
    allow_suppressions: z
      .array(z.enum(RULE_IDS.filter((rule) => !NEVER_SUPPRESSED.has(rule))))
      .optional()
      .describe(
        'Rules whose errors a plan may suppress itself, with a reason. Left out: none. In drafts and approvals it never may.',
      ),
  })
  .meta({ title: 'frctl policy', description: 'What action plans may do, for `plan lint`.' });

export type Policy = z.infer<typeof policySchema>;

/** The kinds of tools that rules ask about. */
export type ToolKind = keyof z.infer<typeof toolPatternsSchema>;

/** What counts where a policy says nothing. */
export const POLICY_DEFAULTS = {
  max_steps: 100,
  fail_risk_threshold: 0.8,
  /** Of a rule that found an error or a warning. */
  risk_weight: 0.2,
  tool_patterns: {
    sql: ['sql.*', 'db.*'],
    sql_read_only: ['*.query_ro'],
    sql_write: ['*.write'],
    irreversible: [],
  },
} as const satisfies { readonly tool_patterns: Record<ToolKind, readonly string[]>; [key: string]: unknown };
