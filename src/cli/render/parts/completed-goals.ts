import type { CompletionReport } from '../../../operations/work/completion-report.js';
import type { Colors } from '../../terminal.js';
import { goalLine, goalList } from './goal-lines.js';

/**
 * Shows the goals that were completed, those above them that this completed, which can start, and whether anything
 * is left.
 */
export function renderCompletion(
  { goal, others = [], completed_parents, became_ready, plan }: CompletionReport,
  colors: Colors,
): string {
  const left = plan.atomic_goals - plan.complete_goals;
  return [
    ...[goal, ...others].map((done) => `${colors.green('Completed')} ${goalLine(done)}\n`),
    goalList('Which also completes', completed_parents, colors),
    goalList('Can start now', became_ready, colors),
    left === 0 && plan.pending_goals === 0 && plan.failed_goals === 0 ? 'Everything is done.\n' : '',
  ].join('');
}
