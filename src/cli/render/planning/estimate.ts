import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { costRangeText, costText, rangeText } from '../parts/numbers.js';

type EstimateReport = ResultOf<'estimate'>;

/** Shows what planning would take, and what that assumes. */
export const estimate: RendererOf<OperationNamed<'estimate'>> = {
  render: (report, { terminal }) => renderEstimate(report, terminal.colors),
};

const WITHOUT_MODEL: Readonly<Record<string, string>> = {
  rules: 'the built-in rules',
  agent: 'whoever answers `plan ask`',
};

function renderEstimate({ plan, model, expander, estimate, spent }: EstimateReport, colors: Colors): string {
  const { calls, input_tokens, output_tokens, cost_usd, assumptions, waiting_goals: waiting } = estimate;
  const who = model === null ? (WITHOUT_MODEL[expander] ?? 'a recording') : oneLine(model);
  const rows: readonly (readonly [string, string])[] = [
    ...(plan === null ? [] : [['Plan', `${plan.id} ${oneLine(plan.description)}`] as const]),
    ['Planned by', who],
    ['Calls', rangeText(calls)],
    ['Input', `${rangeText(input_tokens)} tokens`],
    ['Output', `${rangeText(output_tokens)} tokens`],
    ['Cost', costRangeText(cost_usd)],
    ...(spent.calls === 0 ? [] : [['Spent', costText(spent)] as const]),
  ];
  return [
    ...rows.map(([name, value]) => `${colors.dim(name.padEnd(11))} ${value}\n`),
    `${colors.dim(`Assumptions${waiting === 0 ? '' : `, for ${quantityOf(waiting, 'goal')} to divide`}`)}\n`,
    ...assumptions.map((assumption) => `  - ${oneLine(assumption)}\n`),
  ].join('');
}
