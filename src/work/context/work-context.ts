import { countTokens } from '../../llm/spend/tokens.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { cutToTokens } from '../../llm/text/cut-to-tokens.js';
import { fitPart, sharesOfParts, wholePart } from './fit-part.js';
import type { FittedPart } from './fit-part.js';
import { workParts } from './work-parts.js';
import type { PartName, WorkPart } from './work-parts.js';

/** What somebody must know to do a goal, within a number of tokens. */
export interface WorkContext {
  /** All of it, in Markdown. */
  readonly markdown: string;
  /** Of the Markdown. */
  readonly tokens: number;
  /** Most important first. */
  readonly parts: readonly FittedPart[];
  /** Parts that are not there, or not wholly. */
  readonly left_out: readonly {
    readonly name: PartName;
    /** Items or blocks that are missing; 0 when what there is was shortened. */
    readonly missing: number;
    readonly of: number;
  }[];
}

/** The goal, why it is to be done, and what it builds on: never left out, only shortened. */
const ESSENTIAL: ReadonlySet<PartName> = new Set(['goal', 'why', 'done']);
/** What the goal itself, and each of the other two, has of too small a room before the rest is divided. */
const GOAL_FLOOR = 0.4;
const OTHER_FLOOR = 0.15;
/** Below this a part is left out rather than shortened. */
const LEAST_PART = 30;
/** An item of a list has more tokens than this. */
const LEAST_ITEM = 6;
/** What is between two parts. */
const JOINT = 2;
const MOST_TRIES = 5;

/**
 * Everything that somebody needs to do a goal and nothing else. The parts are taken in their order of importance;
 * what comes last gives way first. When not even the goal, the goals above it and the digests of what it depends on
 * fit, these are shortened. Foreign text is quoted, so that nothing in it can pose as a part.
 * @param limit tokens (o200k_base) of the whole Markdown, which it never exceeds; at least 100
 */
export async function workContext(plan: Plan, goal: Goal, limit: number): Promise<WorkContext> {
  const parts = workParts(plan, goal, Math.floor(limit / LEAST_ITEM));
  const names = parts.map(({ name }) => name);
  // In the worst case every part is named, once.
  const reserve = JOINT + (await countTokens(footer(names.slice(0, 1), names.slice(1))));
  let room = limit - reserve;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const fitted = await fitAll(parts, room);
    const markdown = assemble(fitted);
    const tokens = await countTokens(markdown);
    if (tokens <= limit) return contextOf(markdown, tokens, fitted);
    room -= tokens - limit + JOINT;
  }
  const fitted = await fitAll(parts, Math.floor(room / 2));
  const markdown = await cutToTokens(assemble(fitted), limit);
  return contextOf(markdown, await countTokens(markdown), fitted);
}

async function fitAll(parts: readonly WorkPart[], room: number): Promise<readonly FittedPart[]> {
  const essential = parts.filter(({ name }) => ESSENTIAL.has(name));
  const fitted = [...(await fitEssential(essential, room - JOINT * essential.length))];
  let left = room - spent(fitted);
  for (const part of parts.filter(({ name }) => !ESSENTIAL.has(name))) {
    const given = left - JOINT;
    const taken = given < LEAST_PART ? nothingOf(part) : await fitPart(part, given);
    fitted.push(taken);
    left -= taken.tokens === 0 ? 0 : taken.tokens + JOINT;
  }
  return fitted;
}

async function fitEssential(parts: readonly WorkPart[], room: number): Promise<readonly FittedPart[]> {
  const whole: FittedPart[] = [];
  for (const part of parts) whole.push(await wholePart(part, room));
  if (spent(whole) - JOINT * whole.length <= room) return whole;
  const given = sharesOfParts(
    whole.map(({ tokens }) => tokens),
    room,
    parts.map(({ name }) => room * (name === 'goal' ? GOAL_FLOOR : OTHER_FLOOR)),
  );
  const fitted: FittedPart[] = [];
  for (const [index, part] of parts.entries()) fitted.push(await fitPart(part, given[index] ?? 0));
  return fitted;
}

function nothingOf({ name, total }: WorkPart): FittedPart {
  return { name, text: '', tokens: 0, kept: 0, total, cut: true };
}

function spent(parts: readonly FittedPart[]): number {
  return parts.reduce((total, { tokens }) => total + tokens + JOINT, 0);
}

function assemble(parts: readonly FittedPart[]): string {
  const there = parts.filter(({ text }) => text !== '');
  const shortened = there.filter(({ cut }) => cut).map(({ name }) => name);
  const missing = parts.filter(({ text }) => text === '').map(({ name }) => name);
  const texts = [...there.map(({ text }) => text), footer(shortened, missing)];
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

function footer(shortened: readonly PartName[], missing: readonly PartName[]): string {
  return [
    ...(shortened.length === 0 ? [] : [`Shortened to fit: ${shortened.join(', ')}.`]),
    ...(missing.length === 0 ? [] : [`Left out: ${missing.join(', ')}.`]),
  ].join(' ');
}

function contextOf(markdown: string, tokens: number, fitted: readonly FittedPart[]): WorkContext {
  return {
    markdown,
    tokens,
    parts: fitted.filter(({ text }) => text !== ''),
    left_out: fitted
      .filter(({ cut }) => cut)
      .map(({ name, kept, total }) => ({ name, missing: total - kept, of: total })),
  };
}
