import { oneLine } from '../kernel/text/safe-text.js';
import { breakLine } from '../kernel/text/break-line.js';
import { sizeInWords } from '../plan/goal-in-words.js';
import { priorityInWords } from '../plan/readiness/priorities.js';
import type { Plan } from '../plan/plan.js';
import { goalOf } from '../plan/plan.js';
import { liveClaim } from '../plan/readiness/claims.js';
import { goalStates } from '../plan/readiness/goal-state.js';
import { inheritedDependencies } from '../plan/readiness/inherited-dependencies.js';
import { STATE_SYMBOLS } from '../plan/readiness/state-symbols.js';
import type { GoalState } from '../plan/readiness/goal-state.js';
import type { Goal } from '../plan/schema.js';
import { depthFirst, subtree } from '../plan/tree.js';
import { goalLabels } from './goal-labels.js';
import type { GoalLabels } from './goal-labels.js';
import { goalsDrawn } from './picture.js';
import type { PicturePart } from './picture.js';

/** How a terminal may dress parts of the tree; each returns its text with nothing but styling added. */
export interface TreeStyle {
  readonly mark: (text: string, state: GoalState) => string;
}

/** How the tree is drawn for people. */
export interface TreeView {
  readonly style?: TreeStyle;
  /** The width of the screen; without it no line is broken. */
  readonly columns?: number | undefined;
}

/** What of a plan is drawn, and when. */
export interface TreePart extends PicturePart {
  /** The moment, an ISO 8601 time: claims end. */
  readonly at: string;
}

const PLAIN: TreeStyle = { mark: (text) => text };
/** Words have at least so much room; deeper goals move to the left instead. */
const NARROWEST = 24;

/**
 * The tree for people: mark, number, description, size, what it waits for, who holds it and why it failed. Lines are
 * broken between words and go on under their guides. Below the level that still leaves
 * room for words, goals are indented no further; their numbers say where they are.
 */
export function drawTree(plan: Plan, part: TreePart, { style = PLAIN, columns }: TreeView = {}): string {
  const width = columns ?? Number.POSITIVE_INFINITY;
  const stateOf = goalStates(plan, part.at);
  const drawn = goalsDrawn(plan, part);
  const labels = goalLabels(plan);
  const indents = new Map<string, string>();
  const deepest = Math.max(0, Math.min(64, Math.floor((width - NARROWEST) / 3)));
  let text = '';
  for (const { goal } of depthFirst(plan)) {
    if (!drawn.has(goal.id)) continue;
    const guide = guideOf(plan, goal, { drawn, deepest, indent: indents.get(goal.parent_id ?? '') ?? '' });
    indents.set(goal.id, guide.below);
    const hidden = goal.depth === part.depth ? subtree(plan, goal).length - 1 : 0;
    const hasChildren = goal.depth < deepest && goal.child_ids.some((id) => drawn.has(id));
    text += linesOf(goal, guide, {
      labels,
      hidden,
      hasChildren,
      width,
      style,
      state: stateOf(goal),
      at: part.at,
      plan,
    });
  }
  return text;
}

interface Guide {
  /** What is before the goal's first line. */
  readonly first: string;
  /** What is before the lines that it goes on with. */
  readonly rest: string;
  /** What is before the lines of its children. */
  readonly below: string;
}

function guideOf(
  plan: Plan,
  goal: Goal,
  given: { readonly drawn: ReadonlySet<string>; readonly deepest: number; readonly indent: string },
): Guide {
  const { drawn, deepest, indent } = given;
  if (goal.parent_id === null) return { first: '', rest: '', below: '' };
  const siblings = goalOf(plan, goal.parent_id).child_ids;
  const last = siblings.findLast((id) => drawn.has(id)) === goal.id;
  if (goal.depth > deepest) return { first: `${indent}… `, rest: `${indent}  `, below: indent };
  const below = `${indent}${last ? '   ' : '│  '}`;
  return { first: `${indent}${last ? '└─ ' : '├─ '}`, rest: below, below };
}

interface Drawing {
  readonly labels: GoalLabels;
  /** Goals below it that are not drawn. */
  readonly hidden: number;
  readonly hasChildren: boolean;
  readonly width: number;
  readonly style: TreeStyle;
  readonly state: GoalState;
  readonly at: string;
  readonly plan: Plan;
}

function linesOf(goal: Goal, { first, rest }: Guide, drawing: Drawing): string {
  const { labels, style, state, width, hasChildren } = drawing;
  const number = goal.parent_id === null ? [] : [labels.get(goal.id) ?? ''];
  const notes = notesOf(goal, drawing);
  const tail = notes.length === 0 ? [] : [`(${notes.join('; ')})`];
  const text = [...number, oneLine(goal.description), ...tail].join(' ');
  const room = width - Math.max(first.length, rest.length) - 2;
  const [head = '', ...more] = Number.isFinite(room) ? breakLine(text, room) : [text];
  // Where it has children their guide begins below the mark.
  const indent = `${rest}${hasChildren ? '│ ' : '  '}`;
  return [
    `${first}${style.mark(STATE_SYMBOLS[state], state)} ${head}`,
    ...more.map((line) => `${indent}${line}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function notesOf(goal: Goal, drawing: Drawing): readonly string[] {
  const { labels, hidden, state, at } = drawing;
  const size = sizeInWords(goal);
  const own = goal.dependencies.map((id) => labels.get(id) ?? 'a goal that is gone');
  const after = own.length === 0 && state === 'waiting' ? inheritedWaits(goal, drawing) : own;
  const claim = liveClaim(goal, at);
  const reason = state === 'failed' ? oneLine(goal.failure?.reason ?? '') : '';
  return [
    ...(size === null ? [] : [size]),
    ...(after.length === 0 ? [] : [`after ${after.join(', ')}`]),
    ...(claim === null ? [] : [`claimed by ${oneLine(claim.by)}`]),
    ...(goal.priority === undefined ? [] : [priorityInWords(goal.priority)]),
    ...(state === 'on_hold' && goal.on_hold !== undefined
      ? [`on hold: ${oneLine(goal.on_hold.reason)}`]
      : []),
    ...(reason === '' ? [] : [`failed: ${reason}`]),
    ...(hidden === 0 ? [] : [`${hidden} ${hidden === 1 ? 'goal' : 'goals'} below`]),
  ];
}

/** What a goal waits for that waits for nothing by itself: what goals above it wait for. */
function inheritedWaits(goal: Goal, { plan, labels }: Drawing): readonly string[] {
  return inheritedDependencies(plan, goal).flatMap(({ goal: id, by }) =>
    plan.goals.get(id)?.status === 'complete'
      ? []
      : [`${labels.get(id) ?? 'a goal that is gone'} via ${labels.get(by) ?? 'the root'}`],
  );
}
