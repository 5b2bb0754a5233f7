import { legibleLine } from '../../../kernel/text/legible.js';
import type { FileReport, LintReport } from './report.js';

/** A report as workflow commands of GitHub Actions, one a line: annotations at the places of the findings. */
export function githubCommands({ files, unreadable }: LintReport): string {
  const lines = [
    ...files.flatMap(commandsOf),
    ...unreadable.map(({ file, code, message, line, column }) =>
      command('error', { file, line: line ?? 1, col: column ?? 1, title: code }, message),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const KIND = { error: 'error', warning: 'warning', note: 'notice' } as const;

function commandsOf({ file, findings, risk }: FileReport): readonly string[] {
  const annotations = findings.map(({ rule, severity, message, line, column, end_line, end_column }) => {
    // GitHub takes an end column only on one line.
    const end = end_line === line ? { endLine: end_line, endColumn: end_column } : { endLine: end_line };
    return command(KIND[severity], { file, line, col: column, ...end, title: rule }, message);
  });
  if (!risk.reached) return annotations;
  const message = `the risk ${risk.score} reaches the threshold ${risk.threshold}`;
  return [...annotations, command('error', { file, title: 'RISK' }, message)];
}

function command(
  kind: string,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${kind} ${named.join(',')}::${escapeData(message)}`;
}

/**
 * What is not plainly printable is escaped as elsewhere; a line break stays one in GitHub's own spelling.
 * @see https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
 */
function escapeData(text: string): string {
  return legibleLine(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
