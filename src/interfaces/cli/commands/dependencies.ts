import { oneLine } from '../../../operations/front-end.js';
import type { InferenceReport, InferredDependency } from '../../../operations/front-end.js';
import { exitStatus } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { runStoppably } from '../interruption.js';
import { planningFlags, text } from '../planning-options.js';
import { costText, counted, grouped } from '../render/numbers.js';
import type { Colors } from '../terminal.js';
import { checkDependencies } from './dependencies-check.js';

/** Checks the dependencies there are, or asks the model for those that are missing. */
export const run: RunCommand = (invocation) =>
  invocation.args[0] === 'check' ? checkDependencies(invocation) : inferDependencies(invocation);

/** Asks the model which goals need each other, and shows each dependency with its reason. */
const inferDependencies: RunCommand = async ({ options, workspace, terminal }) => {
  const report = await runStoppably(terminal, (signals) =>
    workspace.inferDependencies({
      ...planningFlags(options),
      plan: text(options.plan),
      maxTokens: typeof options.maxTokens === 'number' ? options.maxTokens : undefined,
      apply: options.apply === true,
      ...signals,
    }),
  );
  for (const notice of report.notices) terminal.error(`${oneLine(notice)}\n`);
  terminal.error(`${summaryOf(report)}\n`);
  const shown = report.dependencies.map((each) => renderDependency(each, terminal.colors));
  const status = report.interrupted ? { status: exitStatus('INTERRUPTED') } : {};
  return { data: report, text: shown.join(''), ...status };
};

function renderDependency(one: InferredDependency, colors: Colors): string {
  const lines = [
    `${colors.bold(one.goal_number)} ${oneLine(one.goal_description)}`,
    `  needs ${colors.bold(one.on_number)} ${oneLine(one.on_description)}`,
    `  ${colors.dim(oneLine(one.reason))}`,
    ...(one.refused === null ? [] : [`  ${colors.yellow(`not taken: ${oneLine(one.refused)}`)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function summaryOf({ dependencies, applied, pairs, usage }: InferenceReport): string {
  const accepted = dependencies.filter(({ refused }) => refused === null).length;
  const found = accepted === 0 ? 'No dependency was found' : `${dependenciesText(accepted)} found`;
  const done =
    accepted === 0
      ? ''
      : applied
        ? ' and made part of the plan'
        : '; --apply makes what is found part of the plan';
  const cost = costText(usage);
  const asked = `asked about ${counted(pairs.asked, 'pair')}, left out ${grouped(pairs.left_out)}`;
  return `${found}${done}. ${[asked, ...(cost === '' ? [] : [cost])].join(' · ')}`;
}

function dependenciesText(count: number): string {
  return count === 1 ? '1 dependency' : `${grouped(count)} dependencies`;
}
