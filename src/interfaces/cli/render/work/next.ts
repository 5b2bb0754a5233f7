import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { counted } from '../parts/numbers.js';
import { withLocalTimes } from '../parts/times.js';
import { goalLine } from '../parts/goal-lines.js';
import { renderClaim } from '../parts/claimed-goal.js';
import type { ClaimOptions } from '../parts/claimed-goal.js';

/** Shows the goals that can start, the best to begin with first. */
export const next: RendererOf<OperationNamed<'next'>> = {
  render(report, { terminal, input }) {
    if (report.reason !== null)
      terminal.error(
        `${oneLine(withLocalTimes(report.reason.message))}\n${HOW_TO_GO_ON[report.reason.code]}`,
      );
    return renderNext(report, terminal.colors, input);
  },
};

/** What leads on when no goal can start, by what has to happen first. */
const HOW_TO_GO_ON: Readonly<Record<NonNullable<ResultOf<'next'>['reason']>['code'], string>> = {
  all_done: '',
  claimed: '`plan status` shows who holds which goal.\n',
  failed: '`plan status` names what failed, and how to go on.\n',
  to_plan: '`plan resume` goes on planning.\n',
  waiting: '`plan status --verbose` shows what waits for what.\n',
};

function renderNext(
  { goals, total, claimed }: ResultOf<'next'>,
  colors: Colors,
  asked: ClaimOptions,
): string {
  const [first] = goals;
  if (first === undefined) return '';
  if (claimed !== null) return renderClaim('Claimed', { goal: first, claimed }, colors, asked);
  const lines = goals.map((goal) => `${goalLine(goal)}${colors.dim(weight(goal))}\n`);
  const more = total - goals.length;
  return `${lines.join('')}${more > 0 ? colors.dim(`… and ${counted(more, 'more goal')}\n`) : ''}`;
}

function weight({ chain, unblocks }: ResultOf<'next'>['goals'][number]): string {
  return unblocks === 0
    ? ''
    : `  (${unblocks} ${unblocks === 1 ? 'waits' : 'wait'} for it, ${chain} in a row)`;
}
