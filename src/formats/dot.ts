import type { Plan } from '../plan/plan.js';
import { oneLine } from '../plan/safe-text.js';
import { depthFirst } from '../plan/tree.js';
import { goalLabels } from './goal-labels.js';
import { planEdges } from './plan-edges.js';
import { STATUS_COLORS } from './status-colors.js';

/**
 * A Graphviz digraph: one node a goal, named by its id, solid edges from parents to children, dashed ones
 * from dependencies to the goals that wait for them (these do not bend the layout). Every name and
 * label is a quoted string in which escapes, entities and HTML mean nothing.
 */
export function toDot(plan: Plan): string {
  const labels = goalLabels(plan);
  const lines = [
    `digraph ${quote(plan.header.id)} {`,
    '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
  ];
  for (const { goal } of depthFirst(plan)) {
    const label = quote(`${labels.get(goal.id)} · ${oneLine(goal.description)}`);
    const { fill, line } = STATUS_COLORS[goal.status];
    lines.push(
      `  ${quote(goal.id)} [label=${label}, class="${goal.status}", fillcolor="${fill}", color="${line}"];`,
    );
  }
  for (const { kind, from, to } of planEdges(plan)) {
    const style = kind === 'child' ? '' : ' [style=dashed, constraint=false]';
    lines.push(`  ${quote(from)} -> ${quote(to)}${style};`);
  }
  return `${lines.join('\n')}\n}\n`;
}

// Graphviz also reads HTML entities in plain labels, hence the ampersand.
function quote(text: string): string {
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`);
  return `"${escaped.replaceAll('&', '&amp;')}"`;
}
