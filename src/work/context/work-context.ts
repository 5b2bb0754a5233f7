import { countTokens } from '../../llm/spend/tokens.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { cutToTokens, estimateTokens } from '../../llm/text/cut-to-tokens.js';
import { fitPart, sharesOfParts, wholePart } from './fit-part.js';
import type { FittedPart } from './fit-part.js';
import { runsOf } from './number-runs.js';
import { branchesPart, workParts } from './work-parts.js';
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
    /** The numbers of the goals that are missing, where these are known. */
    readonly numbers?: readonly string[];
  }[];
}

/** The goal, why it is to be done, and what it builds on: never left out, only shortened. */
const ESSENTIAL: ReadonlySet<PartName> = new Set(['goal', 'why', 'decisions', 'missing', 'done']);
/** What other parts have of the room, as far as they need it, where not all that the goal builds on fits. */
const OTHERS_SHARE = 0.2;
/** What the digests of divided goals have at most, where there is no room for all below them. */
const BRANCHES_SHARE = 0.25;
/** With fewer results to build on, other parts give way to them. */
const MANY = 5;
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
  const short: ShortParts = (missing) => branchesPart(plan, goal, missing);
  let room = limit - reserve;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const fitted = await fitAll(parts, room, short);
    const markdown = assemble(fitted, limit);
    const tokens = await countTokens(markdown);
    if (tokens <= limit) return contextOf(markdown, tokens, fitted);
    room -= tokens - limit + JOINT;
  }
  const fitted = await fitAll(parts, Math.floor(room / 2), short);
  const markdown = await cutToTokens(assemble(fitted, limit), limit);
  return contextOf(markdown, await countTokens(markdown), fitted);
}

async function fitAll(
  parts: readonly WorkPart[],
  room: number,
  short: ShortParts,
): Promise<readonly FittedPart[]> {
  const essential = parts.filter(({ name }) => ESSENTIAL.has(name));
  const others = parts.filter(({ name }) => !ESSENTIAL.has(name));
  const wanted = others.reduce((sum, part) => sum + roughTokens(part), 0);
  const forOthers = Math.min(wanted, Math.floor(room * OTHERS_SHARE));
  // What no part can be put into is better used.
  const reserve = forOthers < LEAST_PART ? 0 : forOthers;
  const joints = JOINT * essential.length;
  const fit = async (kept: number) => [...(await fitEssential(essential, room - joints - kept))];
  let fitted = await fit(0);
  let kept = fitted.some(({ cut, name, total }) => cut && name === 'done' && total >= MANY) ? reserve : 0;
  if (kept > 0) fitted = await fit(kept);
  const inShort = short(missingIn(fitted));
  const share = Math.floor(room * BRANCHES_SHARE);
  if (inShort.total > 0 && share >= LEAST_PART) {
    kept += 2 * JOINT + Math.max(LEAST_PART, Math.min(roughTokens(inShort), share));
    fitted = await fit(kept);
  }
  const missing = missingIn(fitted);
  let left = room - spent(fitted);
  for (const part of [...(missing.length === 0 ? [] : [short(missing)]), ...others]) {
    if (part.total === 0) continue;
    const given = left - JOINT;
    const taken = given < LEAST_PART ? nothingOf(part) : await fitPart(part, given);
    fitted.push(taken);
    left -= taken.tokens === 0 ? 0 : taken.tokens + JOINT;
  }
  return fitted;
}

function missingIn(parts: readonly FittedPart[]): readonly string[] {
  return parts.flatMap(({ missing = [] }) => missing);
}

/** Makes the part that stands for goals that there is no room for. */
type ShortParts = (missing: readonly string[]) => WorkPart;

function roughTokens({ content }: WorkPart): number {
  const texts = content.kind === 'items' ? content.items : content.blocks.map(({ text }) => text);
  return texts.reduce((sum, text) => sum + estimateTokens(text), LEAST_ITEM);
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

function assemble(parts: readonly FittedPart[], limit: number): string {
  const room = Math.floor(limit * NAMES_SHARE);
  const there = parts.filter(({ text }) => text !== '');
  const shortened = there.filter(({ cut }) => cut).map((part) => nameWithMissing(part, room));
  const missing = parts.filter(({ text }) => text === '').map((part) => nameWithMissing(part, room));
  const texts = [...there.map(({ text }) => text), footer(shortened, missing)];
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

/** Runs of numbers of goals that a footer names, and what of the whole it has for those of each part. */
const MOST_NAMED = 40;
const NAMES_SHARE = 0.1;

/** A part by its name, with the goals of which nothing is there. @param room tokens for their numbers */
function nameWithMissing({ name, missing = [] }: FittedPart, room: number): string {
  const runs = runsOf(missing);
  const named: string[] = [];
  let left = room;
  for (const { text } of runs.slice(0, MOST_NAMED)) {
    // A digit, a dot and a comma are a token each.
    left -= text.length + 1;
    if (left < 0) break;
    named.push(text);
  }
  if (named.length === 0) return name;
  const unnamed = runs.slice(named.length).reduce((sum, { count }) => sum + count, 0);
  return `${name} (without ${named.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''})`;
}

function footer(shortened: readonly string[], missing: readonly string[]): string {
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
      .map(({ name, kept, total, missing }) => ({
        name,
        missing: total - kept,
        of: total,
        ...(missing === undefined ? {} : { numbers: missing }),
      })),
  };
}
