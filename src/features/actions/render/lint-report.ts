import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import type { LintedPlans } from '../operations/lint-plans.js';
import type { Colors } from '../../../cli/terminal.js';
import { counted } from '../../../cli/render/parts/numbers.js';

type File = LintedPlans['files'][number];
type Finding = File['findings'][number];

/** A report for people: a line for each finding, the risk of each file that has one, and what it all comes to. */
export function renderLint(report: LintedPlans, colors: Colors): string {
  const { files, unreadable, clean, stale } = report;
  const lines = [
    ...unreadable.map(({ file, line, column, message }) => {
      const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
      return `${colors.bold(oneLine(location))} ${colors.red('error')} unreadable: ${oneLine(message)}`;
    }),
    ...files.flatMap((file) => [
      ...file.findings.map((finding) => findingLine(file.file, finding, colors)),
      ...riskLine(file, colors),
    ]),
  ];
  if (stale > 0)
    lines.push(
      colors.dim(
        `${counted(stale, 'finding')} of the baseline ${stale === 1 ? 'is gone; --update-baseline drops it' : 'are gone; --update-baseline drops them'}.`,
      ),
    );
  const sum = [
    ...(files.length === 0 && unreadable.length > 0 ? [] : [summaryOf(files)]),
    ...(unreadable.length === 0 ? [] : [`${counted(unreadable.length, 'file')} could not be read`]),
  ].join(', ');
  const verdict = clean ? colors.green(`clean: ${sum}`) : `${colors.red('not clean:')} ${sum}`;
  return `${[...lines, verdict].join('\n')}\n`;
}

/** A report as the original Plan-Lint prints it, for each file. */
export function renderCompat({ files, unreadable }: LintedPlans, colors: Colors): string {
  const lines = unreadable.map(
    ({ file, message }) => `${oneLine(file)}: ${colors.red('error')} ${oneLine(message)}`,
  );
  for (const { file, compat } of files) {
    if (compat === undefined) continue;
    const status = compat.status === 'pass' ? colors.green('pass') : colors.red('error');
    lines.push(`${colors.bold(oneLine(file))}: ${status}, risk score ${compat.risk_score.toFixed(2)}`);
    for (const { step, code, msg } of compat.errors)
      lines.push(`  ${step === null ? '-' : `step ${step}`} ${code} ${printable(msg)}`);
  }
  return `${lines.join('\n')}\n`;
}

function findingLine(
  file: string,
  { line, column, severity, rule, message, step, fixable }: Finding,
  colors: Colors,
): string {
  const paint = { error: colors.red, warning: colors.yellow, note: colors.dim }[severity];
  const location = colors.bold(oneLine(`${file}:${line}:${column}`));
  const where = step === null ? '' : colors.dim(` (${oneLine(step)})`);
  return `${location} ${paint(severity)} ${rule} ${oneLine(message)}${where}${fixable ? colors.dim(' [--fix]') : ''}`;
}

function riskLine({ file, risk }: File, colors: Colors): readonly string[] {
  const parts = risk.parts.filter(({ weight }) => weight > 0);
  if (parts.length === 0) return [];
  const sum = parts.map(({ rule, weight }) => `${rule} ${weight}`).join(' + ');
  const text = `${oneLine(file)}: risk ${risk.score} of ${risk.threshold} = ${sum}`;
  return [risk.reached ? colors.red(`${text}: too high`) : colors.dim(text)];
}

function summaryOf(files: readonly File[]): string {
  const all = files.flatMap(({ findings }) => findings);
  const count = (severity: string) => all.filter((finding) => finding.severity === severity).length;
  const parts = [
    counted(files.length, 'file'),
    ...(['error', 'warning', 'note'] as const).flatMap((severity) =>
      count(severity) === 0 ? [] : [counted(count(severity), severity)],
    ),
    ...amount(sum(files.map(({ fixed }) => fixed)), 'fixed'),
    ...amount(sum(files.map(({ suppressed }) => suppressed.length)), 'suppressed'),
    ...amount(sum(files.map(({ known }) => known.length)), 'in the baseline'),
    ...amount(all.filter(({ fixable }) => fixable).length, 'can be mended with --fix'),
  ];
  return parts.join(', ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function amount(number: number, what: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${what}`];
}
