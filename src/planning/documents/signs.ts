import { plainText } from './block-text.js';
import type { LocatedBlock } from './markdown-blocks.js';

/** How a document says by signs what of it is done. */
export interface Signs {
  /** Whether its lists say by signs in front what is done and what is not. */
  readonly inFront: boolean;
  /** Whether items end with such signs. */
  readonly behind: boolean;
  /** The levels of headings of which some are signed as done, and others are not; null where no heading is read so. */
  readonly levels: ReadonlySet<number> | null;
}

/** What may stand in a box: nothing, a tick, or how far what it stands before is. */
export const IN_BOX = ' *| ?[xXхХ✓✔√] ?|[~>/-]';
/** Boxes that are none to the parser, which stay in the text: "[] Bake", "[~] Bake". */
const LOOSE_BOX = new RegExp(`^\\[(?:${IN_BOX})\\]\\s+(?=\\S)`, 'u');
const TICK = /[xх✓✔√]/iu;

/** Tells whether what stands in a box, or in its brackets, is a tick. */
export function isTick(box: string): boolean {
  return TICK.test(box);
}

/** A box that the parser left in the text of an item. */
interface LooseBox {
  /** What the item says behind it. */
  readonly text: string;
  readonly isDone: boolean;
  /** What stands in it, where that is neither a tick nor nothing: "-", "~". */
  readonly mark: string;
}

/** Returns the box that the parser left in the text of an item; null without one. */
export function readLooseBox(text: string): LooseBox | null {
  const box = LOOSE_BOX.exec(text)?.[0];
  if (box === undefined) return null;
  const isDone = isTick(box);
  return { text: text.slice(box.length), isDone, mark: isDone ? '' : (box[1] ?? '').replace(/[\s\]]/, '') };
}

export const NO_SIGNS: Signs = { inFront: false, behind: false, levels: null };

/** What is left of a text without its sign, and what that said. */
interface Signed {
  readonly text: string;
  readonly isDone: boolean;
  readonly isSigned: boolean;
}

const DONE_SIGN = /^(?:✅|☑)\uFE0F?\s*(?=\S)/u;
const OPEN_SIGN = /^(?:⬜|🔲|☐|⏳|⏸|🚧)\uFE0F?\s*(?=\S)/u;
/** Signs behind what an item says, with a remark of theirs: "… ⚠️ (partial)". */
const DONE_END = /\s(?:✅|☑)\uFE0F?(\s\([^()]{1,80}\))?$/u;
const OPEN_END = /\s(?:⚠|❌|⬜|🔲|☐|⏳|⏸|🚧)\uFE0F?(\s\([^()]{1,80}\))?$/u;
const SIGNED_HEADING = /^(?:✅|☑)\uFE0F?\s*(?=\S)|(?<!\s)\s*(?:✅|☑)\uFE0F?$/u;
const DONE_HEADING =
  /(?<!\s)\s+[—–-]\s+(?:[✅☑]\uFE0F?\s*)?(?:already )?(?:done|completed?|finished|shipped|implemented|released|fixed|resolved|fixes applied)(?:\s\([^()]{1,80}\))?$|(?<!\s)\s*[([](?:already )?(?:done|completed?|finished|shipped|implemented|released|fixed|resolved)(?:[ ,;:]+(?:in |on |since )?[a-z]{0,3}\d[\w./–-]{0,30})?[)\]]$/iu;
/** The same with a remark, which stays: "Rings (DONE — UDP)". */
const DONE_WITH_REMARK =
  /\s\((?:already )?(?:done|completed?|finished|shipped|implemented|released|fixed|resolved)\s?[—–:;,]\s?(?![^()]*(?:\b(?:not|but|except|pending|partly|partial\w*)\b|%))[^()]{1,40}\)$/iu;
const SIGNED_BEHIND = /(?:✅|☑)\uFE0F?$/u;
/** Headings of what is done already, which are no part of a goal's words: "Completed in phase 2". */
const DONE_SECTION =
  /^(?:already |recently )?(?:completed|done|finished|shipped|implemented|fixed|resolved)(?:$|\s+(?:[✅☑]|(?:in|with|by|during|features?|tasks?|items?|work|requirements?|issues?|bugs?)\b))|^verified\b.*[✅☑]\uFE0F?$/iu;
/** The same behind a name: "Issues resolved", "Research tasks completed:". */
const DONE_LAST =
  /^(?!(?:get|have|make|keep|see|need|want|when|until|all)\b)(?:\p{L}+ ){0,3}(?!(?:this|does|was|has|is)\b)\p{L}+s (?:completed|done|implemented|fixed|resolved|shipped|delivered|made)[:：]?$/iu;
/** The same in other languages. */
const DONE_ABROAD =
  /^(?:\P{L}{0,8})(?:已完成|已实现|已實現|完了済み|実装済み|完了|완료|erledigt|abgeschlossen|umgesetzt|terminée?s?|completados?|completadas?|terminados?|concluídos?|concluídas?|выполнено|завершено|сделано|готово)(?:$|\s?[:：(（【])/iu;

/** Returns how a document says by signs what is done. */
export function signsIn(text: string, blocks: readonly LocatedBlock[]): Signs {
  return { inFront: hasSigns(text), behind: hasSignedEnds(text), levels: signedLevels(blocks) };
}

/** Returns the text of an item without its sign, in front or behind it; a remark of the sign stays. */
export function readSign(text: string, { inFront, behind }: Signs): Signed {
  const isBehind = behind && !DONE_SIGN.test(text) && !OPEN_SIGN.test(text);
  const [done, open] = isBehind ? [DONE_END, OPEN_END] : [DONE_SIGN, OPEN_SIGN];
  const isRead = inFront || behind;
  const isDone = isRead && done.test(text);
  const isSigned = isDone || (isRead && open.test(text));
  if (!isSigned) return { text, isDone, isSigned };
  const left = text.replace(isDone ? done : open, (_, remark) => (typeof remark === 'string' ? remark : ''));
  return { text: left, isDone, isSigned };
}

const DONE_REMARK =
  /\((?:already )?(?:done|fixed|completed?|shipped|implemented|merged|resolved|released)(?: (?:in|on|by|with|since) [^()]{1,60})?\)\.?$/i;

/** Whether an item says at its end that it is done: "… (done in 1.2)". */
export function saysDone(text: string): boolean {
  return DONE_REMARK.test(text) && !isDue(text);
}

/** A day that is told as to come, or doubted, behind a word of what is done: "(done by Friday)", "Completed by 2027". */
const DUE =
  /\b(?:done|fixed|completed?|finished|shipped|implemented|merged|resolved|released|closed|delivered|achieved)[\s(—–:;,-]{1,3}(?:(?:by|before|until|till)\s(?:(?:the|this|mid|early|late)[\s-]){0,2}(?:(?:next|coming|end|start|beginning|close|summer|autumn|fall|winter|spring|month|week|quarter|year|sprint|release|launch|deadline|tomorrow|tonight|today|noon|then|eo[dwmqy]|q[1-4]|h[12]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}|v?\d[\w./-]{0,20})\b)|(?:in|on|with)\s(?:the\s)?(?:next|coming|upcoming|following)\b|[^()]{0,40}\?\)?\.?$)/i;

/** Whether a text says until when something shall be done, or doubts that it is, with the words of what is. */
export function isDue(text: string): boolean {
  return DUE.test(text);
}

/** Returns the text of a heading without its sign, and whether it says that what stands below it is done. */
export function readHeadingSign(
  text: string,
  depth: number,
  { levels }: Signs,
): Pick<Signed, 'text' | 'isDone'> {
  if (levels === null) return { text, isDone: false };
  const signs = levels.has(depth) ? [SIGNED_HEADING, DONE_HEADING] : [DONE_HEADING];
  return {
    text: signs.reduce((left, sign) => left.replace(sign, ''), text) || text,
    isDone:
      !isDue(text) &&
      [...signs, DONE_WITH_REMARK, DONE_SECTION, DONE_LAST, DONE_ABROAD].some((each) => each.test(text)),
  };
}

/** The levels of headings that say by a sign which of them are done: by several in front, which else may adorn, or by one behind. */
function signedLevels(blocks: readonly LocatedBlock[]): ReadonlySet<number> {
  const levels = new Map<number, { signed: number; behind: number; all: number }>();
  for (const { node } of blocks) {
    if (node.type !== 'heading') continue;
    const level = levels.get(node.depth) ?? { signed: 0, behind: 0, all: 0 };
    level.all += 1;
    if (SIGNED_HEADING.test(plainText(node))) level.signed += 1;
    if (SIGNED_BEHIND.test(plainText(node))) level.behind += 1;
    levels.set(node.depth, level);
  }
  return new Set(
    [...levels]
      .filter(([, { signed, behind, all }]) => (signed > 1 || behind > 0) && signed < all)
      .map(([depth]) => depth),
  );
}

/** Whether items begin with signs of both kinds: one alone may be the bullet of a list. */
function hasSigns(text: string): boolean {
  const said = text
    .split(/[\r\n]+/)
    .map((line) => line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s/, '').trimStart());
  return said.some((line) => DONE_SIGN.test(line)) && said.some((line) => OPEN_SIGN.test(line));
}

/** Whether several lines end with a sign that says they are done: one alone may be part of what it says. */
function hasSignedEnds(text: string): boolean {
  return text.split(/[\r\n]+/).filter((line) => DONE_END.test(line)).length > 1;
}
