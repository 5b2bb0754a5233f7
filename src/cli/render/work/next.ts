import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf, View } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { priorityInWords } from '../../../operations/shared/numbered-goals.js';
import { planningHint } from '../parts/resume-hint.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { withLocalTimes } from '../parts/times.js';
import { goalLine } from '../parts/goal-lines.js';
import { renderClaim } from '../parts/claimed-goal.js';
import type { ClaimOptions } from '../parts/claimed-goal.js';

/** Shows the goals that can start, the best to begin with first. */
export const next: RendererOf<OperationNamed<'next'>> = {
  async render(report, { terminal, input, workspace }) {
    const { reason } = report;
    if (reason !== null) {
      const how =
        reason.code === 'to_plan' ? await toPlanOn(workspace, input.plan) : HOW_TO_GO_ON[reason.code];
      terminal.tell(withLocalTimes(reason.message));
      if (how !== '') terminal.tell(how);
    }
    return renderNext(report, terminal.colors, input);
  },
};

async function toPlanOn(workspace: View['workspace'], plan: string | undefined): Promise<string> {
  const { plan: summary, planning } = await workspace.status({ plan });
  return `${planningHint(summary, planning)}\n`;
}

/** What leads on when no goal can start, by what has to happen first. */
const HOW_TO_GO_ON: Readonly<
  Record<Exclude<NonNullable<ResultOf<'next'>['reason']>['code'], 'to_plan'>, string>
> = {
  archived: '`plan restore PLAN` brings it back.\n',
  all_done: '',
  claimed: '`plan status` shows who holds which goal.\n',
  failed: '`plan status` names what failed, and how to go on.\n',
  on_hold: '`plan status` shows what is on hold, and why; `plan unhold GOAL` ends a hold.\n',
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
  const lines = goals.map(
    (goal) => `${goalLine(goal)}${colors.dim(urgency(goal) + weight(goal) + apart(goal))}\n`,
  );
  const more = total - goals.length;
  return `${lines.join('')}${more > 0 ? colors.dim(`… and ${quantityOf(more, 'more goal')}\n`) : ''}`;
}

function urgency({ priority }: ResultOf<'next'>['goals'][number]): string {
  return priority === undefined ? '' : `  (${priorityInWords(priority)})`;
}

function apart({ kept_apart_by: by = [] }: ResultOf<'next'>['goals'][number]): string {
  return by.length === 0 ? '' : `  (overlaps ${quantityOf(by.length, 'claimed goal')})`;
}

function weight({ chain, unblocks }: ResultOf<'next'>['goals'][number]): string {
  if (unblocks === 0) return '';
  // The chain begins with the goal itself.
  const longest = chain > 2 ? `; longest chain: ${chain - 1}` : '';
  return `  (${quantityOf(unblocks, 'goal')} ${unblocks === 1 ? 'waits' : 'wait'} for it${longest})`;
}
