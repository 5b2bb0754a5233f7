import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { renderDiff } from '../parts/goal-changes.js';

/** Shows what differs between two plans: goals that are new (`+`), gone (`-`) or changed (`~`). */
export const diff: RendererOf<OperationNamed<'diff'>> = {
  remark({ added, removed, changed }, { terminal }) {
    if (added.length + removed.length + changed.length === 0) terminal.tell('No goal differs.');
  },
  render: (differences, { terminal }) =>
    renderDiff(differences, terminal.colors, (id) => differences.numbers.get(id) ?? id),
};
