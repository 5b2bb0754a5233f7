import { sizeInWords } from '../plan/goal-in-words.js';
import { goalGraph } from '../plan/goal-graph.js';
import type { Plan } from '../plan/plan.js';
import { oneLine } from '../kernel/text/safe-text.js';
import { depthFirst } from '../plan/tree.js';
import { goalCriteria } from './goal-criteria.js';
import { belowText, wholePicture } from './picture.js';
import type { Picture } from './picture.js';
import { STATE_COLORS, statesInExport } from './state-colors.js';

/** Labels are broken into lines of so many characters. */
const LABEL_LENGTH = 36;

/**
 * A Graphviz digraph, drawn from left to right: one node a goal, named by its id, solid edges from parents to children, dashed ones
 * from dependencies to the goals that wait for them (these do not bend the layout). What shows that a goal is
 * done is its tooltip. Every name, label and tooltip is a quoted string in which escapes, entities and HTML mean nothing.
 */
export function toDot(plan: Plan, picture: Picture = wholePicture(plan)): string {
  const { labels, below, note } = picture;
  const lines = [
    `digraph ${quote(plan.header.id)} {`,
    note === '' ? '  graph [rankdir=LR];' : `  graph [rankdir=LR, labelloc=t, label=${quote(note)}];`,
    '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
  ];
  const stateOf = statesInExport(plan);
  for (const { goal } of depthFirst(picture.plan)) {
    const size = sizeInWords(goal);
    const name = size === null ? labels.get(goal.id) : `${labels.get(goal.id)} (${size})`;
    const label = quoteLines(`${name} · ${oneLine(goal.description)}${belowText(below.get(goal.id))}`);
    const state = stateOf(goal);
    const { fill, line } = STATE_COLORS[state];
    const criteria = goalCriteria(goal);
    const tooltip = criteria.length === 0 ? '' : `, tooltip=${quote(`Done when: ${criteria.join('; ')}`)}`;
    lines.push(
      `  ${quote(goal.id)} [label=${label}, class="${state}", fillcolor="${fill}", color="${line}"${tooltip}];`,
    );
  }
  goalGraph(picture.plan).forEachEdge((_edge, { kind }, from, to) => {
    const style = kind === 'child' ? '' : ' [style=dashed, constraint=false]';
    lines.push(`  ${quote(from)} -> ${quote(to)}${style};`);
  });
  return `${lines.join('\n')}\n}\n`;
}

/** A label, broken between words into lines; `\n` is Graphviz's own escape for a line break. */
function quoteLines(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LABEL_LENGTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return `"${lines.map((line) => quote(line).slice(1, -1)).join(String.raw`\n`)}"`;
}

// Graphviz also reads HTML entities in plain labels, hence the ampersand.
function quote(text: string): string {
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`);
  return `"${escaped.replaceAll('&', '&amp;')}"`;
}
