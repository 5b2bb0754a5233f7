import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf, View } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { renderReplanned } from '../planning/replanned.js';
import { goalLine, goalList } from '../parts/goal-lines.js';

type CompletionReport = ResultOf<'complete'>;

/** Shows what is done now, which goals above it that completed, and which can start. */
export const complete: RendererOf<OperationNamed<'complete'>> = {
  remark({ notices }, { terminal }) {
    for (const notice of notices) terminal.error(`${oneLine(notice)}\n`);
  },
  render: (report, view) => `${completedText(report, view.terminal.colors)}${proposed(report, view)}`,
  rest: proposed,
};

function proposed({ revision, goal }: CompletionReport, { terminal }: Pick<View, 'terminal'>): string {
  if (revision === null || revision === undefined) return '';
  return renderReplanned(revision, terminal, `\`plan replan ${goal.number} --revise --apply\``);
}

function completedText(
  { goal, others = [], completed_parents, became_ready, plan }: CompletionReport,
  colors: Colors,
): string {
  const left = plan.atomic_goals - plan.complete_goals;
  return [
    ...[goal, ...others].map((done) => `${colors.green('Completed')} ${goalLine(done)}\n`),
    goalList('Which also completes', completed_parents, colors),
    goalList('Can start now', became_ready, colors),
    left === 0 && plan.pending_goals === 0 ? 'Everything is done.\n' : '',
  ].join('');
}
