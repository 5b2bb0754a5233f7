import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf, View } from '../../renderer.js';
import { renderReplanned } from '../planning/replanned.js';
import { renderCompletion } from '../parts/completed-goals.js';

type CompletionReport = ResultOf<'complete'>;

/** Shows what is done now, which goals above it that completed, and which can start. */
export const complete: RendererOf<OperationNamed<'complete'>> = {
  remark({ notices }, { terminal }) {
    for (const notice of notices) terminal.tell(notice);
  },
  render: (report, view) => `${renderCompletion(report, view.terminal.colors)}${proposed(report, view)}`,
  rest: proposed,
};

function proposed({ revision, goal }: CompletionReport, { terminal }: Pick<View, 'terminal'>): string {
  if (revision === null || revision === undefined) return '';
  return renderReplanned(revision, terminal, `\`plan replan ${goal.number} --revise --apply\``);
}
