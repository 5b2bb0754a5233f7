import { oneLine } from '../../../operations/front-end.js';
import type { EstimateReport } from '../../../operations/front-end.js';
import { PlanError } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { planningFlags, text } from '../planning-options.js';
import { costRangeText, costText, counted, grouped, rangeText } from '../render/numbers.js';
import type { Colors } from '../terminal.js';

/** Shows what planning a goal, or resuming a plan, would take; asks nothing. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const from = text(options.from);
  const plan = text(options.plan);
  if (plan !== undefined && (args[0] !== undefined || from !== undefined))
    throw new PlanError('USAGE', 'either a plan or what a new one would be made of, not both');
  const report = await workspace.estimate({
    ...planningFlags(options),
    goal: args[0],
    from,
    context: Array.isArray(options.context) ? options.context.map(String) : undefined,
    plan,
  });
  return { data: report, text: renderEstimate(report, terminal.colors) };
};

function renderEstimate({ plan, model, expander, estimate, spent }: EstimateReport, colors: Colors): string {
  const { calls, input_tokens, output_tokens, cost_usd, assumptions } = estimate;
  const who = model === null ? (expander === 'rules' ? 'the built-in rules' : 'a recording') : oneLine(model);
  const rows: readonly (readonly [string, string])[] = [
    ...(plan === null ? [] : [['Plan', `${plan.id} ${oneLine(plan.description)}`] as const]),
    ['Planned by', who],
    ['Calls', likely(calls)],
    ['Input', `${likely(input_tokens)} tokens`],
    ['Output', `${likely(output_tokens)} tokens`],
    ['Cost', costRangeText(cost_usd)],
    ...(spent.calls === 0 ? [] : [['Spent', costText(spent)] as const]),
  ];
  return [
    ...rows.map(([name, value]) => `${colors.dim(name.padEnd(11))} ${value}\n`),
    `${colors.dim(`Assumes (${counted(estimate.waiting_goals, 'waiting goal')})`)}\n`,
    ...assumptions.map((assumption) => `  - ${oneLine(assumption)}\n`),
  ].join('');
}

function likely(range: EstimateReport['estimate']['calls']): string {
  return range.low === range.high
    ? grouped(range.low)
    : `${rangeText(range)}, likely ${grouped(range.likely)}`;
}
