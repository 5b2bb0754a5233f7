import stringWidth from 'string-width';

import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { PlanningEvent } from '../../../operations/planning/planning-progress.js';
import { drawTree } from '../../../operations/reading/plan-tree.js';
import type { Colors } from '../../terminal.js';
import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';
import { costText, durationText } from './numbers.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** How wide the bar is, the widest first: where there is no room for it, there is for what is left of the budgets. */
const BARS = [20, 8, 0, null];
/** Lines of the frame that are no tree and no notice. */
const OTHER_LINES = 4;
const NOTICES_SHOWN = 2;

type Plan = Extract<PlanningEvent, { type: 'changed' }>['plan'];

/** The room there is on the screen. */
interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** What is known of a planning run, drawn as a few lines. */
export interface Progress {
  take(event: PlanningEvent): void;
  /** What a person should know, the last of it. */
  say(notices: readonly string[]): void;
  /** The lines to show now, none wider than the screen: what changes is above the tree, which grows below, so that nothing jumps. */
  frame(room: Room): string;
}

/** Collects what a person wants to watch: the tree as it grows, what is being asked, how much is done, cost, budgets and time. */
export function createProgress(colors: Colors): Progress {
  const started = performance.now();
  const underWay = new Map<string, string>();
  let plan: Plan | null = null;
  let notices: readonly string[] = [];
  let turns = 0;
  let drawn: { readonly of: Plan; readonly room: string; readonly lines: readonly string[] } | null = null;

  return {
    take(event) {
      if (event.type === 'changed') plan = event.plan;
      if (event.type === 'expansion_started') underWay.set(event.goal.id, oneLine(event.goal.description));
      if (event.type === 'expansion_ended') underWay.delete(event.goal.id);
    },
    say(said) {
      notices = said.slice(-NOTICES_SHOWN).map(oneLine);
    },
    frame(room) {
      turns += 1;
      const spinner = colors.cyan(FRAMES[turns % FRAMES.length] ?? '');
      const elapsed = durationText((performance.now() - started) / 1000);
      const known = plan;
      if (known === null) return `${spinner} ${clip(`Planning · ${elapsed}`, room.columns - 2)}`;
      return [
        `${spinner} ${fitting(headlines(known, elapsed), room.columns - 2)}`,
        `  ${fitting(
          BARS.map((width) => barText(known, width)),
          room.columns - 2,
        )}`,
        colors.dim(clip(`  ${askedText([...underWay.values()], room.columns)}`, room.columns)),
        ...notices.map((notice) => colors.yellow(clip(`  ${notice}`, room.columns))),
        '',
        ...treeIn(known, room),
      ].join('\n');
    },
  };

  function treeIn(of: Plan, { columns, rows }: Room): readonly string[] {
    const room = `${columns} ${rows}`;
    if (drawn?.of !== of || drawn.room !== room)
      drawn = { of, room, lines: treeLines(of, { columns, rows }) };
    return drawn.lines;
  }
}

/** The tree as deep as there is room for, a line a goal. */
function treeLines(plan: Plan, { columns, rows }: Room): readonly string[] {
  const most = Math.max(1, rows - OTHER_LINES - NOTICES_SHOWN);
  const at = new Date().toISOString();
  for (let depth = deepest(plan); depth > 0; depth -= 1) {
    if (countTo(plan, depth) > most) continue;
    const lines = drawTree(plan, { at, depth }).trimEnd().split('\n');
    return lines.map((line) => clip(line, columns));
  }
  return [];
}

function deepest(plan: Plan): number {
  let depth = 0;
  for (const goal of plan.goals.values()) depth = Math.max(depth, goal.depth);
  return depth;
}

function countTo(plan: Plan, depth: number): number {
  let count = 0;
  for (const goal of plan.goals.values()) if (goal.depth <= depth) count += 1;
  return count;
}

function askedText(goals: readonly string[], columns: number): string {
  if (goals.length === 0) return 'Nothing is being asked';
  const more = goals.length > 1 ? ` and ${quantityOf(goals.length - 1, 'more goal')}` : '';
  return `› ${truncate(goals[0] ?? '', Math.max(10, columns - more.length - 4))}${more}`;
}

/** How many calls of those expected are made, and what is left of the budgets; without a bar where null is its width. */
function barText({ header: { usage, settings } }: Plan, width: number | null): string {
  const estimate = settings?.estimate;
  const budget = settings?.budget ?? {};
  const calls = usage?.calls ?? 0;
  const tokens = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
  const left = [
    budget.calls === undefined ? '' : `${quantityOf(Math.max(0, budget.calls - calls), 'call')} left`,
    budget.tokens === undefined ? '' : `${quantityOf(Math.max(0, budget.tokens - tokens), 'token')} left`,
    budget.usd === undefined ? '' : `$${Math.max(0, budget.usd - (usage?.cost_usd ?? 0)).toFixed(2)} left`,
    budget.seconds === undefined
      ? ''
      : `${durationText(Math.max(0, budget.seconds - (usage?.seconds ?? 0)))} left`,
  ].filter((part) => part !== '');
  if (width === null && left.length > 0) return left.join(' · ');
  return [callsText(calls, estimate?.calls, width ?? 0), ...left].join(' · ');
}

function callsText(
  calls: number,
  expected: { readonly low: number; readonly high: number } | undefined,
  width: number,
): string {
  if (expected === undefined || expected.high === 0) return quantityOf(calls, 'call');
  const filled = Math.floor(Math.min(1, calls / expected.high) * width);
  const bar = width === 0 ? '' : `${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
  return `${bar}${groupedNumber(calls)} of about ${groupedNumber(expected.low)}–${groupedNumber(expected.high)} calls`;
}

/** What is said first, the longest first: of the time something is always seen. */
function headlines({ counts, header }: Plan, elapsed: string): readonly string[] {
  const goals = `${quantityOf(counts.total, 'goal')} · ${groupedNumber(counts.atomic)} atomic · ${groupedNumber(counts.pending)} to go`;
  const cost = header.usage === undefined ? '' : costText(header.usage);
  return [
    inOne(`Planning · ${goals}`, cost, elapsed),
    inOne(`Planning · ${goals}`, elapsed),
    inOne(goals, elapsed),
    inOne(quantityOf(counts.total, 'goal'), elapsed),
  ];
}

/** The first of some texts that there is room for; the last is cut. */
function fitting(texts: readonly string[], columns: number): string {
  return texts.find((text) => stringWidth(text) <= columns) ?? clip(texts.at(-1) ?? '', columns);
}

function clip(text: string, columns: number): string {
  return truncate(text, Math.max(10, columns));
}

function inOne(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
