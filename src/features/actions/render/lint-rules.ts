import { breakLine } from '../../../kernel/text/break-line.js';
import type { RuleReport } from '../operations/lint-report-schema.js';
import type { Colors, Terminal } from '../../../cli/terminal.js';
import { wrapped } from '../../../cli/render/parts/wrapped.js';

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
  { colors, columns }: Pick<Terminal, 'colors' | 'columns'>,
): string {
  const parts = [
    wrapped(`${colors.bold(rule)} (${severity}): ${summary}`, columns),
    paragraphs(explanation, columns),
    ...(policy === null ? [] : [colors.dim('Policy:'), indented(policy.trimEnd())]),
    colors.red('Bad:'),
    indented(bad),
    colors.green('Good:'),
    ...(good_policy === null ? [] : [indented(good_policy.trimEnd())]),
    indented(good),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Prose for a screen of so many columns; it stays as it is where nobody says how many. */
function paragraphs(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => breakLine(line, columns))
    .join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
