import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';
import { costText } from '../parts/numbers.js';

/** Shows each dependency that the model sees, with its reason. */
export const inferDependencies: RendererOf<OperationNamed<'dependencies infer'>> = {
  remark: (report, { terminal }) => terminal.tell(summaryOf(report)),
  render: ({ dependencies }, { terminal }) =>
    dependencies.map((each) => renderDependency(each, terminal.colors)).join(''),
};

/** Shows what comparing all leaves came to. */
export const linkDependencies: RendererOf<OperationNamed<'dependencies link'>> = {
  remark: (report, { terminal }) => terminal.error(linkSummary(report)),
  render: (report, { terminal }) => renderLinked({ goal: '', ...report }, terminal.colors),
};

type Linked = ResultOf<'dependencies link'>;

/** Returns a line for each need and wait that an answer changed, and for each result that no goal makes. */
export function renderLinked(
  { added, dropped = [], missing = [], replaced = [] }: NonNullable<ResultOf<'answer'>['links']>[number],
  colors: Colors,
): string {
  const lines = [
    ...added.map(({ goal_number, on_number }) => `${colors.green('+')} ${goal_number} needs ${on_number}`),
    ...replaced.map(
      ({ goal_number, on_number }) => `${colors.red('-')} ${goal_number} waits for all of ${on_number}`,
    ),
    ...dropped.map(
      ({ goal_number, on_number }) =>
        `${colors.yellow('!')} left out: ${goal_number} needs ${on_number}, which needs it`,
    ),
    ...missing.map(({ what }) => `${colors.yellow('?')} no goal makes: ${oneLine(what)}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function linkSummary({ applied, can_start, chain, notices, usage, ...report }: Linked): string {
  const { added, replaced } = report;
  const changes = added.length + replaced.length;
  const done = changes === 0 || applied ? '' : ' --apply makes it part of the plan.';
  const parts = [
    `${quantityOf(added.length, 'need')} found`,
    `${quantityOf(replaced.length, 'wide wait')} replaced`,
    `longest chain ${chain.join(' → ')}`,
    `can start ${can_start.join(' → ')}`,
    ...(costText(usage) === '' ? [] : [costText(usage)]),
  ];
  const notes = notices.map((notice) => `The answer: ${oneLine(notice)}.\n`);
  return `${notes.join('')}${parts.join(' · ')}.${done}\n`;
}

/** Shows what is to be said about the dependencies there are. */
export const checkDependencies: RendererOf<OperationNamed<'dependencies check'>> = {
  render: (report, { terminal }) => renderFindings(report, terminal.colors),
};

function renderFindings({ findings }: ResultOf<'dependencies check'>, colors: Colors): string {
  const left = findings.filter(({ removed }) => !removed).length;
  const lines = findings.map(({ code, message, removed }) => {
    const mark = removed ? colors.green('✓') : colors.yellow('!');
    return `${mark} ${colors.bold(code)}  ${oneLine(message)}${removed ? colors.dim(' (removed)') : ''}\n`;
  });
  const verdict =
    left === 0
      ? colors.green('Nothing is left to say about the dependencies.')
      : colors.yellow(`${quantityOf(left, 'finding')}.`);
  return `${lines.join('')}${verdict}\n`;
}

type InferredDependency = ResultOf<'dependencies infer'>['dependencies'][number];

function renderDependency(one: InferredDependency, colors: Colors): string {
  const lines = [
    `${colors.bold(one.goal_number)} ${oneLine(one.goal_description)}`,
    `  needs ${colors.bold(one.on_number)} ${oneLine(one.on_description)}`,
    `  ${colors.dim(oneLine(one.reason))}`,
    ...(one.refused === null ? [] : [`  ${colors.yellow(`not taken: ${oneLine(one.refused)}`)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function summaryOf({ dependencies, applied, pairs, usage }: ResultOf<'dependencies infer'>): string {
  const accepted = dependencies.filter(({ refused }) => refused === null).length;
  const found = accepted === 0 ? 'No dependency was found' : `${dependenciesText(accepted)} found`;
  const done =
    accepted === 0
      ? ''
      : applied
        ? ' and made part of the plan'
        : '; --apply makes what is found part of the plan';
  const cost = costText(usage);
  const asked = `asked about ${quantityOf(pairs.asked, 'pair')}, left out ${groupedNumber(pairs.left_out)}`;
  return `${found}${done}. ${[asked, ...(cost === '' ? [] : [cost])].join(' · ')}`;
}

function dependenciesText(count: number): string {
  return count === 1 ? '1 dependency' : `${groupedNumber(count)} dependencies`;
}
