import type { RuleReport } from '../../../../operations/action-plans/lint-report-schema.js';
import type { Colors } from '../../terminal.js';

/** Every rule on a line. */
export function renderRules(rules: readonly RuleReport[], colors: Colors): string {
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const lines = rules.map(
    ({ rule, severity, summary }) => `${colors.bold(rule.padEnd(width))}  ${severity.padEnd(7)}  ${summary}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Renders a lint rule: what it finds and why, with a plan that breaks it and one that does not. */
export function renderRule(
  { rule, severity, summary, explanation, bad, good, policy, good_policy }: RuleReport,
  colors: Colors,
): string {
  const parts = [
    `${colors.bold(rule)} (${severity}): ${summary}`,
    explanation,
    ...(policy === null ? [] : [colors.dim('Policy:'), indented(policy.trimEnd())]),
    colors.red('Bad:'),
    indented(bad),
    colors.green('Good:'),
    ...(good_policy === null ? [] : [indented(good_policy.trimEnd())]),
    indented(good),
  ];
  return `${parts.join('\n\n')}\n`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
