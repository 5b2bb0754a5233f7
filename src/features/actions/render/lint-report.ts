import { foldLine } from '../../../kernel/text/fold-lines.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import type { LintedPlans } from '../operations/lint-plans.js';
import type { Colors } from '../../../cli/terminal.js';
import { leadingName } from '../../../cli/render/parts/leading-name.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

type File = LintedPlans['files'][number];
type Finding = File['findings'][number];

/** How a report is shown: without a width, as in a pipe, no line is broken. */
interface Look {
  readonly colors: Colors;
  readonly columns: number | undefined;
}

/** A report for people: a line for each finding, the risk of each file that has one, and what it all comes to. */
export function renderLint(report: LintedPlans, look: Look): string {
  const { files, unreadable, clean, stale } = report;
  const { colors } = look;
  const lines: (readonly LinePart[])[] = [
    ...unreadable.map(({ file, line, column, message }) => {
      const location = line === null ? leadingName(file) : `${leadingName(file)}:${line}:${column ?? 1}`;
      return [
        { text: location, paint: colors.bold },
        ' ',
        { text: 'error', paint: colors.red },
        ` unreadable: ${message}`,
      ];
    }),
    ...files.flatMap((file) => [
      ...file.findings.map((finding) => findingLine(file.file, finding, colors)),
      ...riskLine(file, colors),
    ]),
  ];
  if (stale > 0)
    lines.push([
      {
        text: `${quantityOf(stale, 'finding')} of the baseline ${stale === 1 ? 'is gone; --update-baseline drops it' : 'are gone; --update-baseline drops them'}.`,
        paint: colors.dim,
      },
    ]);
  const sum = [
    ...(files.length === 0 && unreadable.length > 0 ? [] : [summaryOf(files)]),
    ...(unreadable.length === 0 ? [] : [`${quantityOf(unreadable.length, 'file')} could not be read`]),
  ].join(', ');
  lines.push(
    clean
      ? [{ text: `clean: ${sum}`, paint: colors.green }]
      : [{ text: 'not clean:', paint: colors.red }, ` ${sum}`],
  );
  return textOf(lines, look);
}

/** A report as the original Plan-Lint prints it, for each file. */
export function renderCompat({ files, unreadable }: LintedPlans, look: Look): string {
  const { colors } = look;
  const lines: (readonly LinePart[])[] = unreadable.map(({ file, message }) => [
    `${leadingName(file)}: `,
    { text: 'error', paint: colors.red },
    ` ${message}`,
  ]);
  for (const { file, compat } of files) {
    if (compat === undefined) continue;
    const status = compat.status === 'pass' ? colors.green : colors.red;
    lines.push([
      { text: leadingName(file), paint: colors.bold },
      ': ',
      { text: compat.status === 'pass' ? 'pass' : 'error', paint: status },
      `, risk score ${compat.risk_score.toFixed(2)}`,
    ]);
    for (const { step, code, msg } of compat.errors)
      lines.push([`  ${step === null ? '-' : `step ${step}`} ${code} ${msg}`]);
  }
  return textOf(lines, look);
}

function textOf(lines: readonly (readonly LinePart[])[], { columns = Infinity }: Look): string {
  return `${lines.flatMap((line) => foldLine(line, columns)).join('\n')}\n`;
}

function findingLine(
  file: string,
  { line, column, severity, rule, message, step, fixable }: Finding,
  colors: Colors,
): readonly LinePart[] {
  const paint = { error: colors.red, warning: colors.yellow, note: colors.dim }[severity];
  return [
    { text: `${leadingName(file)}:${line}:${column}`, paint: colors.bold },
    ' ',
    { text: severity, paint },
    ` ${rule} ${message}`,
    { text: `${step === null ? '' : ` (${legible(step)})`}${fixable ? ' [--fix]' : ''}`, paint: colors.dim },
  ];
}

function riskLine({ file, risk }: File, colors: Colors): readonly (readonly LinePart[])[] {
  const parts = risk.parts.filter(({ weight }) => weight > 0);
  if (parts.length === 0) return [];
  const sum = parts.map(({ rule, weight }) => `${rule} ${weight}`).join(' + ');
  const text = `${leadingName(file)}: risk ${risk.score} of ${risk.threshold} = ${sum}`;
  return [[risk.reached ? { text: `${text}: too high`, paint: colors.red } : { text, paint: colors.dim }]];
}

function summaryOf(files: readonly File[]): string {
  const all = files.flatMap(({ findings }) => findings);
  const count = (severity: string) => all.filter((finding) => finding.severity === severity).length;
  const parts = [
    quantityOf(files.length, 'file'),
    ...(['error', 'warning', 'note'] as const).flatMap((severity) =>
      count(severity) === 0 ? [] : [quantityOf(count(severity), severity)],
    ),
    ...amount(sum(files.map(({ fixed }) => fixed)), 'fixed'),
    ...amount(sum(files.map(({ suppressed }) => suppressed.length)), 'suppressed'),
    ...amount(sum(files.map(({ known }) => known.length)), 'in the baseline'),
    ...amount(all.filter(({ fixable }) => fixable).length, 'can be fixed with --fix'),
  ];
  return parts.join(', ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function amount(number: number, what: string): readonly string[] {
  return number === 0 ? [] : [`${number} ${what}`];
}
