import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

const SHOWN = 100;

/** Shows what looks wrong in a plan, each finding with what may be done about it. */
export const check: RendererOf<OperationNamed<'check'>> = {
  render: (report, { terminal }) =>
    `${renderAsked(report.asked, terminal.colors)}${renderFindings(report, terminal.colors)}`,
};

function renderFindings({ findings, total }: ResultOf<'check'>, colors: Colors): string {
  if (total === 0) return `${colors.green('Nothing looks wrong.')}\n`;
  const lines = findings
    .slice(0, SHOWN)
    .map(
      ({ code, message, hint }) =>
        `${colors.yellow('!')} ${colors.bold(code)}  ${oneLine(message)}\n    ${colors.dim(oneLine(hint))}\n`,
    );
  const more = total - lines.length;
  const rest = more > 0 ? `… and ${quantityOf(more, 'more finding')}; --json has them all\n` : '';
  return `${lines.join('')}${rest}${colors.yellow(`${quantityOf(total, 'finding')}.`)} They are for you to judge.\n`;
}

/** What a model says of each goal that it was asked about, and what its words would be. */
function renderAsked(asked: ResultOf<'check'>['asked'], colors: Colors): string {
  if (asked === undefined) return '';
  const { answers, applied, left_out, unanswered } = asked;
  const lines = answers.map(({ before, edit, is_problem, number, reason, refused }) => {
    const mark = is_problem ? colors.yellow('~') : colors.green('✓');
    const name = `${number === '' ? 'root' : number}  ${oneLine(before.description)}`;
    const changes = [
      ...(edit.description === undefined ? [] : [`reads: ${edit.description}`]),
      ...(edit.acceptance ?? []).map((check) => `done when: ${check}`),
      ...(refused === null ? [] : [`not changed: ${refused}`]),
    ];
    const shown = changes.map((change) => `      ${oneLine(change)}\n`).join('');
    return `${mark} ${name}\n    ${colors.dim(oneLine(reason))}\n${shown}`;
  });
  const edits = answers.filter(
    ({ edit, refused }) => Object.keys(edit).length > 0 && refused === null,
  ).length;
  const isRefused = answers.some(({ refused }) => refused !== null);
  const end = applied
    ? 'Changed; `plan undo` reverts it.'
    : edits === 0
      ? `No goal ${isRefused ? 'could be changed' : 'would change'}.`
      : `${quantityOf(edits, 'goal')} would change; --apply changes what is shown.`;
  const notes = [
    ...unanswered.map((why) => `Not answered: ${oneLine(why)}\n`),
    ...(left_out === 0 ? [] : [`${quantityOf(left_out, 'more goal')} to ask about later.\n`]),
  ];
  return `${lines.join('')}${notes.join('')}${end}\n\n`;
}
