import { oneLine } from '../../../operations/front-end.js';
import type { CoverageReport } from '../../../operations/front-end.js';
import { PlanError } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { counted, grouped } from '../render/numbers.js';
import type { Colors } from '../terminal.js';
import { truncate } from '../../../kernel/text/truncate.js';

const SHOWN = 100;

/** Shows which lines of a document no goal covers and which goals no line asked for; exit 1 when a line is not covered. */
export const run: RunCommand = async ({ options, workspace, terminal }) => {
  const source = text(options.source);
  if (source === undefined)
    throw new PlanError('USAGE', 'which document? --source FILE.md names it', {
      hint: 'plan coverage --source PRD.md',
    });
  const report = await workspace.coverage({ source, plan: text(options.plan) });
  const status = report.uncovered.length > 0 ? 1 : 0;
  return { data: report, text: renderCoverage(report, terminal.colors), status };
};

function renderCoverage(
  { file, lines, covered, uncovered, unasked }: CoverageReport,
  colors: Colors,
): string {
  const place = oneLine(file);
  const open = uncovered.flatMap(({ line, text, number, description, score }) => [
    `${colors.red(`${place}:${line}`)} ${shortened(text)}`,
    colors.dim(`    nearest: ${goalText(number, description)} (${score.toFixed(2)})`),
  ]);
  const extra = unasked.flatMap(({ number, description, below, line, text, score }) => [
    `${colors.yellow(number)} ${shortened(description)}${below === 0 ? '' : colors.dim(` and ${counted(below, 'goal')} below`)}`,
    colors.dim(
      `    nearest: ${line === null ? 'no line' : `${place}:${line} ${shortened(text ?? '')}`} (${score.toFixed(2)})`,
    ),
  ]);
  const all = [
    ...(open.length === 0 ? [] : [colors.bold('No goal covers'), ...open, '']),
    ...(extra.length === 0 ? [] : [colors.bold('No line asked for'), ...extra, '']),
    `${grouped(covered)} of ${counted(lines, 'line')} covered.`,
  ];
  return `${all.join('\n')}\n`;
}

function goalText(number: string | null, description: string | null): string {
  if (description === null) return 'no goal';
  return `${number === '' ? 'root' : (number ?? '')} ${shortened(description)}`;
}

function shortened(text: string): string {
  return truncate(oneLine(text), SHOWN);
}
