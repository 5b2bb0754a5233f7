import { goalGraph } from '../plan/goal-graph.js';
import { summarize } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import { oneLine } from '../kernel/text/safe-text.js';
import { truncate } from '../kernel/text/truncate.js';
import { breakLine } from '../kernel/text/break-line.js';
import { GOAL_STATES } from '../plan/choices.js';
import { sizeInWords } from '../plan/goal-in-words.js';
import { stateInWords } from '../plan/readiness/goal-state.js';
import type { GoalState } from '../plan/readiness/goal-state.js';
import { STATE_SYMBOLS } from '../plan/readiness/state-symbols.js';
import type { Goal } from '../plan/schema.js';
import { escapeMarkup } from './escape-markup.js';
import { goalCriteria } from './goal-criteria.js';
import { wholePicture } from './picture.js';
import type { Picture } from './picture.js';
import { STATE_COLORS, statesInExport } from './state-colors.js';
import { outlineOf } from './outline-layout.js';
import { wavesOf } from './wave-layout.js';

const BOX_WIDTH = 232;
/** A picture of more columns than this is too wide to read: then goals stand one below the other. */
const MOST_COLUMNS = 6;
/** How far a goal stands right of the one above it where goals stand one below the other, and how deep that is shown. */
const INDENT = 28;
const MOST_INDENTS = 20;
/** The widest way of an arrow round the right side. */
const WIDEST_WAY = 180;
const COLUMN_WIDTH = 300;
const LINE_HEIGHT = 16;
const PADDING = 8;
const GAP = 14;
const MARGIN = 24;
const HEAD = 28;
/** Of the letters used, in pixels; a Chinese character is as wide as two. */
const LETTER_WIDTH = 6.35;
const MOST_LINES = 4;
/** How wide a state is in the legend, and what lines mean. */
const LEGEND = { state: 84, lines: 170 };

/** A goal as it is drawn. */
interface Box {
  readonly goal: Goal;
  readonly state: GoalState;
  readonly lines: readonly string[];
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

/**
 * The tree with its dependencies as a picture: a box a goal, in columns from left to right by what can begin at once, or
 * one below the other where these columns would be too many;
 * solid lines lead from parents to children, dashed arrows from dependencies to the goals that wait for them. A whole
 * description is the tooltip of its box. It holds no script, and nothing is fetched.
 */
export function toSvg(plan: Plan, picture: Picture = wholePicture(plan)): string {
  const stateOf = statesInExport(plan);
  const states = new Map(
    Array.from(picture.plan.goals.values(), (goal) => [goal.id, stateOf(goal)] as const),
  );
  const linesIn = (widthOf: (goal: Goal) => number) =>
    new Map(
      Array.from(picture.plan.goals.values(), (goal) => {
        const letters = Math.floor((widthOf(goal) - 2 * PADDING) / LETTER_WIDTH);
        return [goal.id, linesOf(goal, { picture, state: stateOf(goal), letters })] as const;
      }),
    );
  let lines = linesIn(() => BOX_WIDTH);
  const heightOf = (id: string) => boxHeight(lines.get(id)?.length ?? 1) + GAP;
  const waves = wavesOf(picture.plan, heightOf);
  const isOutline = waves.columns > MOST_COLUMNS;
  const levels = deepest(picture.plan) + 1;
  const indentOf = (column: number) => MARGIN + Math.min(column, MOST_INDENTS) * INDENT;
  // One below the other they end on one line, from which the arrows lead.
  if (isOutline) lines = linesIn(({ depth }) => outlineEdge(levels) - indentOf(depth));
  const layout = isOutline ? outlineOf(picture.plan, heightOf) : waves;
  const boxes = new Map<string, Box>();
  for (const { id, column, y } of layout.goals) {
    const goal = picture.plan.goals.get(id);
    const height = heightOf(id) - GAP;
    const x = isOutline ? indentOf(column) : MARGIN + column * COLUMN_WIDTH;
    const width = isOutline ? outlineEdge(levels) - x : BOX_WIDTH;
    const top = MARGIN + HEAD + y - height / 2;
    const state = states.get(id);
    if (goal !== undefined && state !== undefined)
      boxes.set(id, { goal, state, lines: lines.get(id) ?? [], x, width, top, height });
  }
  const right = isOutline
    ? outlineEdge(levels) + WIDEST_WAY
    : MARGIN + (layout.columns - 1) * COLUMN_WIDTH + BOX_WIDTH;
  const used = new Set(states.values());
  const width = Math.max(2 * MARGIN + used.size * LEGEND.state + LEGEND.lines, right + MARGIN);
  const height = Math.ceil(2 * MARGIN + 2 * HEAD + layout.height);
  const title = escapeMarkup(oneLine(summarize(plan).description));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#565e68"/></marker></defs>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<g fill="none" stroke="#565e68">
${edgesOf(picture.plan, boxes, isOutline ? outlinePath : pathBetween)}</g>
<g>
${[...boxes.values()].map((box) => boxText(box)).join('')}</g>
${legend(picture.note, used, height)}</svg>
`;
}

function deepest({ goals }: Plan): number {
  let depth = 0;
  for (const goal of goals.values()) depth = Math.max(depth, goal.depth);
  return depth;
}

/** Where the boxes end that stand one below the other. */
function outlineEdge(levels: number): number {
  return MARGIN + BOX_WIDTH + Math.min(levels, MOST_INDENTS) * INDENT;
}

function linesOf(
  goal: Goal,
  {
    picture: { labels, below },
    state,
    letters,
  }: { readonly picture: Picture; readonly state: GoalState; readonly letters: number },
): readonly string[] {
  const number = goal.parent_id === null ? '' : `${labels.get(goal.id) ?? ''} `;
  const size = sizeInWords(goal);
  const hidden = below.get(goal.id) ?? 0;
  const notes = [
    ...(size === null ? [] : [size]),
    ...(hidden === 0 ? [] : [`${hidden} ${hidden === 1 ? 'goal' : 'goals'} below`]),
  ];
  const words = breakLine(`${STATE_SYMBOLS[state]} ${number}${oneLine(goal.description)}`, letters);
  const kept = words.slice(0, MOST_LINES);
  const last = kept.at(-1) ?? '';
  const cut = words.length > MOST_LINES ? [...kept.slice(0, -1), truncate(`${last} …`, letters)] : kept;
  return notes.length === 0 ? cut : [...cut, truncate(`(${notes.join('; ')})`, letters)];
}

function boxHeight(lines: number): number {
  return lines * LINE_HEIGHT + 2 * PADDING;
}

function boxText({ goal, state, lines, x, width, top, height }: Box): string {
  const { fill, line } = STATE_COLORS[state];
  const criteria = goalCriteria(goal).map((criterion) => `\nDone when: ${oneLine(criterion)}`);
  const tooltip = escapeMarkup(`${oneLine(goal.description)} [${stateInWords(state)}]${criteria.join('')}`);
  const text = lines.map(
    (words, index) =>
      `<text x="${x + PADDING}" y="${round(top + PADDING + (index + 0.8) * LINE_HEIGHT)}">${escapeMarkup(words)}</text>`,
  );
  return `<g id="${goal.id}" class="${state}" fill="#1d2126"><title>${tooltip}</title><rect x="${x}" y="${round(top)}" width="${width}" height="${height}" rx="6" fill="${fill}" stroke="${line}"/>${text.join('')}</g>\n`;
}

/** Lines between boxes: from the right side of one to the left side of the other, behind what is between them. */
function edgesOf(
  plan: Plan,
  boxes: ReadonlyMap<string, Box>,
  path: (a: Box, b: Box, kind: 'child' | 'dependency') => string,
): string {
  let edges = '';
  goalGraph(plan).forEachEdge((_edge, { kind }, from, to) => {
    const [a, b] = [boxes.get(from), boxes.get(to)];
    if (a === undefined || b === undefined) return;
    const style =
      kind === 'child'
        ? 'class="child" stroke="#b6bec8"'
        : 'class="dependency" stroke-dasharray="5 4" marker-end="url(#arrow)"';
    edges += `<path data-from="${from}" data-to="${to}" ${style} d="${path(a, b, kind)}"/>\n`;
  });
  return edges;
}

/** From a parent down its left side to a child; from a dependency round the right side, the farther the wider. */
function outlinePath(a: Box, b: Box, kind: 'child' | 'dependency'): string {
  const [ay, by] = [round(a.top + a.height / 2), round(b.top + b.height / 2)];
  if (kind === 'child') {
    const x = a.x + INDENT / 2;
    return `M${x} ${round(a.top + a.height)}V${by}H${b.x}`;
  }
  const [from, to] = [a.x + a.width, b.x + b.width];
  const way = round(Math.min(WIDEST_WAY, 16 + Math.sqrt(Math.abs(by - ay)) * 4) * (4 / 3));
  return `M${from} ${ay}C${from + way} ${ay} ${to + way} ${by} ${to} ${by}`;
}

function pathBetween(a: Box, b: Box): string {
  const [ay, by] = [round(a.top + a.height / 2), round(b.top + b.height / 2)];
  // Of one column, which a circle of dependencies can have, it leads round the right side.
  if (a.x === b.x) {
    const x = a.x + BOX_WIDTH;
    return `M${x} ${ay}C${x + 40} ${ay} ${x + 40} ${by} ${x} ${by}`;
  }
  const [from, to] = a.x < b.x ? [a.x + BOX_WIDTH, b.x] : [a.x, b.x + BOX_WIDTH];
  const bend = (a.x < b.x ? 1 : -1) * Math.min(60, Math.abs(to - from) / 2);
  return `M${from} ${ay}C${from + bend} ${ay} ${to - bend} ${by} ${to} ${by}`;
}

/** What the colours and lines mean, and what is left out. */
function legend(note: string, used: ReadonlySet<GoalState>, height: number): string {
  const shown = GOAL_STATES.filter((state) => used.has(state));
  const marks = shown.map((state, index) => {
    const { fill, line } = STATE_COLORS[state];
    const x = MARGIN + index * LEGEND.state;
    const word = `${STATE_SYMBOLS[state]} ${stateInWords(state)}`;
    return `<rect x="${x}" y="${height - 34}" width="12" height="12" rx="3" fill="${fill}" stroke="${line}"/><text x="${x + 18}" y="${height - 24}">${word}</text>`;
  });
  const x = MARGIN + shown.length * LEGEND.state;
  const lines = `<path d="M${x} ${height - 28}h28" stroke="#565e68" stroke-dasharray="5 4" marker-end="url(#arrow)"/><text x="${x + 36}" y="${height - 24}">must be done before</text>`;
  const left =
    note === '' ? '' : `<text x="${MARGIN}" y="${MARGIN}" font-style="italic">${escapeMarkup(note)}</text>\n`;
  return `${left}<g fill="#1d2126">${marks.join('')}${lines}</g>\n`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
