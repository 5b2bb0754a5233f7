import { legibleJson } from '../../../kernel/text/legible.js';
import * as z from 'zod';

import { githubCommands, sarifReport } from '../operations/sarif-report.js';
import type { LintedPlans } from '../operations/lint-plans.js';
import type { OperationNamed } from '../registry.js';
import { choice } from '../../../operations/shared/fields.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { renderCompat, renderLint } from './lint-report.js';
import { renderRule, renderRules } from './lint-rules.js';

type Lint = RendererOf<OperationNamed<'lint'>>;

/** Reports what was found, in words or in a format for another tool; or describes the rules. */
export const lint: Lint = {
  // A report for another tool, standard input that was mended, and the plans by which a rule is explained.
  verbatim: (result, { options: { format = 'text' } }) =>
    format !== 'text' || 'rule' in result || ('fixed_input' in result && result.fixed_input !== null),
  options: z.strictObject({
    format: choice(['text', 'json', 'sarif', 'github'], 'how to report (default: text)', { value: 'format' }),
  }),
  render(result, view) {
    if ('rules' in result) return renderRules(result.rules, view.terminal.colors);
    if ('rule' in result) return renderRule(result, view.terminal);
    return shown(result, view);
  },
  document: (result, { options }) =>
    options.format === 'sarif' && 'files' in result ? sarifReport(result) : undefined,
};

function shown(report: LintedPlans, { input, options, terminal }: Parameters<Lint['render']>[1]): string {
  if (options.format === 'sarif') return `${legibleJson(JSON.stringify(sarifReport(report), null, 2))}\n`;
  if (options.format === 'json') return `${legibleJson(JSON.stringify(report, null, 2))}\n`;
  if (options.format === 'github') return githubCommands(report);
  const render = input.compat === true ? renderCompat : renderLint;
  if (report.fixed_input === null) return render(report, terminal);
  // What is piped in comes out mended, so what is said of it goes elsewhere.
  terminal.error(render(report, { colors: terminal.errorColors, columns: terminal.stderr.columns }));
  return report.fixed_input;
}
