import { sizeInWords } from '../plan/goal-in-words.js';
import { decisionLine } from '../plan/decisions.js';
import { goalSuffix } from '../plan/ids.js';
import { goalGraph } from '../plan/goal-graph.js';
import type { Plan } from '../plan/plan.js';
import { oneLine } from '../kernel/text/safe-text.js';
import { depthFirst } from '../plan/tree.js';
import { goalCriteria } from './goal-criteria.js';
import { belowText, wholePicture } from './picture.js';
import type { Picture } from './picture.js';
import { STATE_COLORS, statesInExport } from './state-colors.js';

/** ASCII punctuation but `,` `-` `.` `/`. */
const SYNTAX = /[!-+:-@[-`{-~]/g;

const CLASSES = Object.entries(STATE_COLORS).map(
  ([state, { fill, line }]) => `classDef ${state} fill:${fill},stroke:${line},color:#1d2126`,
);

/**
 * A Mermaid flowchart: one node a goal with a class for its state, solid arrows from parents to children,
 * dotted ones from dependencies to the goals that wait for them. Labels are quoted, with every character
 * that means something to Mermaid, Markdown or HTML as an entity; so are the comments that say what shows that
 * a goal is done and what was decided for it.
 */
export function toMermaid(plan: Plan, picture: Picture = wholePicture(plan)): string {
  const { labels, below, note } = picture;
  const lines = ['flowchart TD', ...(note === '' ? [] : [`%% ${note}`])];
  const stateOf = statesInExport(plan);
  for (const { goal } of depthFirst(picture.plan)) {
    const size = sizeInWords(goal);
    const name = size === null ? '' : ` ${escapeMermaid(`(${size})`)}`;
    const label = `${labels.get(goal.id)}${name} · ${escapeMermaid(`${goal.description}${belowText(below.get(goal.id))}`)}`;
    lines.push(`${nodeId(goal.id)}["${label}"]:::${stateOf(goal)}`);
    for (const criterion of goalCriteria(goal))
      lines.push(`%% ${nodeId(goal.id)} is done when: ${escapeMermaid(criterion)}`);
    for (const decision of goal.decisions ?? [])
      lines.push(`%% decided for ${nodeId(goal.id)}: ${escapeMermaid(decisionLine(plan, decision))}`);
  }
  goalGraph(picture.plan).forEachEdge((_edge, { kind }, from, to) => {
    lines.push(`${nodeId(from)} ${kind === 'child' ? '-->' : '-.->'} ${nodeId(to)}`);
  });
  return `${[...lines, ...CLASSES].join('\n  ')}\n`;
}

// A hyphen could be read as part of an arrow; the doubled underscore keeps different ids different.
function nodeId(goalId: string): string {
  return `g_${goalSuffix(goalId).replaceAll('_', '__').replaceAll('-', '_0')}`;
}

function escapeMermaid(text: string): string {
  return oneLine(text).replaceAll(SYNTAX, (character) => `#${character.codePointAt(0)};`);
}
