import { legible } from '../../../kernel/text/legible.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Terminal } from '../../terminal.js';
import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';
import { warnOfProblems } from '../parts/problems.js';
import { relativeTime } from '../parts/times.js';
import { planStatusText, planWord } from '../parts/status-words.js';
import { resumeHint } from '../parts/resume-hint.js';

/** Below so many columns a plan takes two lines. */
const NARROW = 100;

/** Lists plans; a file that cannot be read is named on standard error and hides no other. */
export const list: RendererOf<OperationNamed<'list'>> = {
  remark({ problems }, { terminal }) {
    warnOfProblems(
      problems.map(({ file, message }) => `${legible(file)}: ${message}`),
      terminal,
    );
  },
  render({ plans, ...instead }, { terminal, input }) {
    if (plans.length === 0) terminal.tell(whyNone(instead, input));
    const width = plans.reduce((most, plan) => Math.max(most, planWord(plan).length), 15);
    return plans.map((plan) => `${planLine(plan, width, terminal)}\n`).join('');
  },
  after({ plans }, { terminal }) {
    const paused = plans.find(({ status }) => status === 'paused');
    if (paused !== undefined) terminal.tell(`${paused.id} is ${planWord(paused)}: ${resumeHint(paused)}`);
  },
};

type Found = ResultOf<'list'>;

/** Why there is nothing to list, and what leads on. */
function whyNone(
  { problems, passedOver = 0, archived = 0 }: Omit<Found, 'plans'>,
  input: { readonly archived?: boolean | undefined },
): string {
  if (passedOver > 0)
    return `No plan is what was looked for; \`plan list\` without options shows ${quantityOf(passedOver, 'plan')}.`;
  if (problems.length > 0) return 'No plan can be read; `plan doctor` says what is wrong.';
  if (input.archived === true) return 'The archive is empty.';
  return archived > 0
    ? `No plans but ${groupedNumber(archived)} in the archive, which \`plan list --archived\` shows.`
    : 'No plans yet. `plan init "<goal>"` makes one.';
}

function planLine(
  plan: ResultOf<'list'>['plans'][number],
  width: number,
  { colors, columns = Number.POSITIVE_INFINITY }: Pick<Terminal, 'colors' | 'columns'>,
): string {
  const padding = ' '.repeat(width - planWord(plan).length);
  const goals = quantityOf(plan.total_goals, 'goal').padEnd(10);
  const changed = relativeTime(plan.updated_at);
  if (columns < NARROW) {
    const facts = [planStatusText(plan, colors), goals.trimEnd(), colors.dim(changed)].join(' · ');
    return `${colors.bold(legible(plan.id))}  ${facts}\n  ${oneLine(plan.description)}`;
  }
  const cells = [planStatusText(plan, colors) + padding, goals, colors.dim(changed.padEnd(10))];
  return [colors.bold(legible(plan.id)), ...cells, oneLine(plan.description)].join('  ');
}
