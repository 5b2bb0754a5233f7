/** Every rule, in the order of `plan lint --list-rules`. The names are Plan-Lint's where it has one. */
export const RULE_IDS = [
  'SCHEMA_INVALID',
  'TOOL_DENY',
  'BOUND_VIOLATION',
  'RAW_SECRET',
  'LOOP_DETECTED',
  'MAX_STEPS_EXCEEDED',
  'MISSING_HANDLER',
  'SQL_WRITE',
  'DUPLICATE_ID',
  'UNKNOWN_REFERENCE',
  'FORWARD_REFERENCE',
  'IMPLICIT_DEPENDENCY',
  'UNUSED_OUTPUT',
  'POLICY_INVALID',
  'SUPPRESSION_INVALID',
] as const;

export type RuleId = (typeof RULE_IDS)[number];

/** What cannot be suppressed: an error in a policy or in a suppression would hide itself. */
export const NEVER_SUPPRESSED: ReadonlySet<RuleId> = new Set(['POLICY_INVALID', 'SUPPRESSION_INVALID']);

/** Names that published Plan-Lint policies use in `risk_weights` for what is a rule here. */
const ALIASES: Readonly<Record<string, RuleId>> = {
  LOOP: 'LOOP_DETECTED',
  TOOL_WRITE: 'SQL_WRITE',
  SQL_INJECTION: 'SQL_WRITE',
  SENSITIVE_DATA: 'RAW_SECRET',
  SENSITIVE_DATA_EXPOSURE: 'RAW_SECRET',
  EXCESSIVE_AMOUNT: 'BOUND_VIOLATION',
  INSUFFICIENT_AMOUNT: 'BOUND_VIOLATION',
  UNAUTHORIZED_TOOL: 'TOOL_DENY',
};

/** The rule of a name in either case, or null. */
export function ruleIdOf(name: string): RuleId | null {
  const wanted = name.toUpperCase();
  return (
    RULE_IDS.find((id) => id === wanted) ??
    (Object.hasOwn(ALIASES, wanted) ? (ALIASES[wanted] ?? null) : null)
  );
}
