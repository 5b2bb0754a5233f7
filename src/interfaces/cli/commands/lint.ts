import type { LintedPlans } from '../../../operations/front-end.js';
import type { CommandOutcome, Invocation, RunCommand } from '../command.js';
import { renderCompat, renderLint } from '../render/lint.js';
import { renderRule, renderRules } from '../render/lint-rules.js';
import { MOST_PLAN_BYTES, readStandardInput } from '../standard-input.js';

/** Checks action plans; status 1 for findings of severity error or a risk that is too high, 2 where a file cannot be read. */
export const run: RunCommand = async (invocation) => {
  const { args, options, workspace, terminal } = invocation;
  if (typeof options.explain === 'string') {
    const rules = await workspace.lintRules(options.explain);
    return { data: rules[0], text: rules.map((rule) => renderRule(rule, terminal.colors)).join('') };
  }
  if (options.listRules === true) {
    const rules = await workspace.lintRules();
    return { data: { rules }, text: renderRules(rules, terminal.colors) };
  }
  const report = await workspace.lint({
    files: args.filter((word) => word !== undefined),
    policy: textOf(options.policy),
    dialect: textOf(options.dialect),
    fix: options.fix === true,
    compat: options.compat === true,
    baseline: textOf(options.baseline),
    updateBaseline: options.updateBaseline === true,
    standardInput: () => readStandardInput(MOST_PLAN_BYTES),
  });
  return { ...(await shown(report, invocation)), status: statusOf(report) };
};

function statusOf({ clean, unreadable }: LintedPlans): number {
  if (unreadable.length > 0) return 2;
  return clean ? 0 : 1;
}

async function shown(
  report: LintedPlans,
  { options, terminal, json }: Invocation,
): Promise<Omit<CommandOutcome, 'status'>> {
  const { githubCommands, sarifReport } = await import('../../../operations/action-plans/lint-formats.js');
  if (options.format === 'sarif') {
    const sarif = sarifReport(report);
    return { data: sarif, text: `${JSON.stringify(sarif, null, 2)}\n` };
  }
  if (options.format === 'json') return { data: report, text: `${JSON.stringify(report, null, 2)}\n` };
  if (options.format === 'github') return { data: report, text: githubCommands(report) };
  const render = options.compat === true ? renderCompat : renderLint;
  if (report.fixed_input === null || json) return { data: report, text: render(report, terminal.colors) };
  // What is piped in comes out mended, so what is said of it goes elsewhere.
  terminal.error(render(report, terminal.errorColors));
  return { data: report, text: report.fixed_input };
}

function textOf(option: unknown): string | undefined {
  return typeof option === 'string' ? option : undefined;
}
