import { countTokens } from '../../llm/spend/tokens.js';
import { cutToTokens, estimateTokens, fitsTokens } from '../../llm/text/cut-to-tokens.js';
import { quotedBlock } from './quoted-markdown.js';
import type { WorkPart } from './work-parts.js';

/** A part as there was room for it. */
export interface FittedPart {
  readonly name: WorkPart['name'];
  /** The part with its heading, in Markdown; empty when there was no room at all. */
  readonly text: string;
  readonly tokens: number;
  /** Items or blocks that are there, whole or shortened. */
  readonly kept: number;
  readonly total: number;
  /** Whether anything is missing. */
  readonly cut: boolean;
  /** The numbers of the goals that are missing, where items are kept whole. */
  readonly missing?: readonly string[];
}

/** An item that is shorter than this says nothing. */
const LEAST_ITEM = 12;
/** What a block needs besides its text: label, fences, line ends. */
const BLOCK_FRAME = 12;
/** What is below a heading. */
const JOINT = 1;
/** What the description of the goal has of too small a room before the rest is divided. */
const LEAD_FLOOR = 0.6;
const MOST_TRIES = 6;

/** The part in full; `tokens` is more than `room`, and the text empty, when there is not room enough. */
export async function wholePart(part: WorkPart, room: number): Promise<FittedPart> {
  const { content, heading, name, total } = part;
  const raw = content.kind === 'items' ? content.items : content.blocks.map(({ text }) => text);
  const kept = raw.length;
  const size = raw.reduce((sum, text) => sum + estimateTokens(text), 0);
  const tooMuch = { name, text: '', tokens: Math.max(room + 1, size), kept, total, cut: true };
  // What is far too long is neither put together nor counted.
  if (size > Math.max(1, room) * 4) return tooMuch;
  const text = textOf(heading, content.kind === 'items' ? raw : content.blocks.map(blockText), content.kind);
  if (!(await fitsTokens(text, room))) return tooMuch;
  return { name, text, tokens: await countTokens(text), kept, total, cut: kept < total };
}

/** The part, shortened to so many tokens. */
export async function fitPart(part: WorkPart, room: number): Promise<FittedPart> {
  const whole = await wholePart(part, room);
  if (whole.tokens <= room) return whole;
  const frame = JOINT + (await countTokens(part.heading));
  let aim = room - frame;
  for (let tries = 0; tries < MOST_TRIES && aim > 0; tries += 1) {
    const pieces = await (part.content.kind === 'items'
      ? fittingItems(part, part.content.items, aim)
      : fittingBlocks(part.content.blocks, aim));
    const text = pieces.length === 0 ? '' : textOf(part.heading, pieces, part.content.kind);
    const tokens = text === '' ? 0 : await countTokens(text);
    if (tokens <= room)
      return { ...whole, text, tokens, kept: pieces.length, cut: true, ...missingOf(part, pieces) };
    aim = Math.min(aim - 1, Math.floor((aim * room * 0.95) / tokens));
  }
  return { ...whole, text: '', tokens: 0, kept: 0, cut: true, ...missingOf(part, []) };
}

/** The numbers of the goals of which nothing is there. */
function missingOf({ numbers }: WorkPart, pieces: readonly string[]): Pick<FittedPart, 'missing'> {
  return numbers === undefined ? {} : { missing: numbers.slice(pieces.length) };
}

/**
 * How much room each part gets when there is too little for all: as much as it needs up to its floor, and of what
 * is left in proportion to what it still wants. So what is short stays whole.
 * @param floors together no more than the room
 */
export function sharesOfParts(
  sizes: readonly number[],
  room: number,
  floors: readonly number[],
): readonly number[] {
  const granted = sizes.map((size, index) => Math.min(size, floors[index] ?? 0));
  const wanted = sizes.map((size, index) => size - (granted[index] ?? 0));
  const left = Math.max(0, room - sum(granted));
  const ratio = Math.min(1, left / Math.max(1, sum(wanted)));
  return granted.map((grant, index) => Math.floor(grant + (wanted[index] ?? 0) * ratio));
}

/** As many items as can say something, each with its share. */
async function fittingItems(
  { name, numbers }: WorkPart,
  items: readonly string[],
  room: number,
): Promise<readonly string[]> {
  if (numbers !== undefined) return wholeItems(items, room);
  const chosen = items.slice(0, Math.max(1, Math.floor(room / LEAST_ITEM)));
  const even = room / (2 * chosen.length);
  // Of what is said about the goal itself, what is to be done comes first.
  const floors = chosen.map((_, index) => (name !== 'goal' ? even : index === 0 ? room * LEAD_FLOOR : 0));
  const given = sharesOfParts(
    chosen.map((item) => estimateTokens(item) + 1),
    room,
    floors,
  );
  const fitted: string[] = [];
  for (const [index, item] of chosen.entries()) {
    const share = given[index] ?? 0;
    const text = await cutToTokens(item, share);
    if (text !== '') fitted.push(text);
  }
  return fitted;
}

/** The items that fit whole, in their order, and the beginning of the next. */
async function wholeItems(items: readonly string[], room: number): Promise<readonly string[]> {
  const fitted: string[] = [];
  let left = room;
  for (const item of items) {
    const size = 1 + (await countTokens(item));
    const text = size <= left ? item : await cutToTokens(item, left - 1);
    if (text !== '' && (size <= left || left > LEAST_ITEM || fitted.length === 0)) fitted.push(text);
    if (size > left) break;
    left -= size;
  }
  return fitted;
}

/** One block after the other, whole as long as there is room, and the beginning of the next. */
async function fittingBlocks(
  blocks: readonly { readonly label: string; readonly text: string }[],
  room: number,
): Promise<readonly string[]> {
  const fitted: string[] = [];
  let left = room;
  for (const block of blocks) {
    const space = left - BLOCK_FRAME - estimateTokens(block.label);
    if (space <= 0) break;
    const text = await cutToTokens(block.text, space);
    if (text === '' && block.text !== '') break;
    const piece = blockText({ ...block, text });
    fitted.push(piece);
    left -= await countTokens(piece);
    if (text.length < block.text.length) break;
  }
  return fitted;
}

function blockText({ label, text }: { readonly label: string; readonly text: string }): string {
  const origin = label === '' ? '' : `- From ${label}`;
  if (text === '') return origin;
  return origin === '' ? quotedBlock(text) : `${origin}\n\n${quotedBlock(text)}`;
}

function textOf(heading: string, pieces: readonly string[], kind: 'items' | 'blocks'): string {
  return `${heading}\n\n${pieces.join(kind === 'items' ? '\n' : '\n\n')}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
