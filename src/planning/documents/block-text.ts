import type { List, Nodes, RootContent } from 'mdast';

import { withoutHtmlComments } from '../../kernel/text/html-comments.js';
import { markedGoal, markedPlan } from '../../plan/checklist-marks.js';

/** Tags of HTML that only say how words look, or where one can jump to. */
const FORMAT =
  /<\/?(?:a|abbr|b|big|br|center|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>/gi;

/** Returns a text without the tags of HTML that only format it; a break is a blank. */
export function withoutFormatting(text: string): string {
  return text.replace(FORMAT, (tag) => (/^<br\b/i.test(tag) ? ' ' : ''));
}

/** What an item is called. */
export interface BlockName {
  readonly node: RootContent;
  readonly description: string;
  /** Whether the description says everything that the block does. */
  readonly complete: boolean;
}

/** The block that gives an item its description: its first paragraph or heading, else whatever has text. */
export function nameBlock(content: readonly RootContent[]): BlockName | undefined {
  const candidates = content.filter(
    (node) => node.type !== 'list' && !isEmptyBox(node) && hasText(plainText(node)),
  );
  const node =
    candidates.find(({ type }) => type === 'paragraph' || type === 'heading') ??
    candidates.find(({ type }) => type !== 'definition' && type !== 'footnoteDefinition');
  if (node === undefined) return undefined;
  if (node.type === 'paragraph' || node.type === 'heading') {
    return { node, description: plainText(node), complete: !saysMore(node) };
  }
  return { node, description: firstLine(node), complete: false };
}

/** Whether a text says something: marks of Markdown alone ("**") do not. */
export function hasText(text: string): boolean {
  return /[^\s*_~`]/.test(text);
}

/** Whether the text of a block is a tick box alone, which is no task to the parser, but a paragraph. */
export function isEmptyBox(node: Nodes): boolean {
  return node.type === 'paragraph' && /^\[[ x]?\]$/i.test(plainText(node));
}

/** Whether a block begins with text, or with a box written as code where these are read. */
export function mayBeginWithBox(node: RootContent, inCode: boolean): boolean {
  const first = 'children' in node ? node.children[0] : undefined;
  return first?.type === 'text' || (inCode && boxOf(node) !== undefined);
}

/** A box written as code at the start of a block. */
function boxOf(node: RootContent | undefined): string | undefined {
  const first = node !== undefined && 'children' in node ? node.children[0] : undefined;
  return first?.type === 'inlineCode' && /^\[.?\]$/.test(first.value) ? first.value : undefined;
}

/** Whether boxes written as code stand before the items of a list: where each is another, it says what they mean. */
export function hasCodeBoxes({ children }: List): boolean {
  const boxes = children.flatMap(({ children: [first] }) => boxOf(first) ?? []);
  return boxes.length > new Set(boxes).size;
}

/** Whether a paragraph or heading holds something that its plain text does not, such as the address of a link, or a comment. */
export function saysMore(node: Nodes): boolean {
  if (node.type === 'html') {
    const hasMore = withoutHtmlComments(node.value) !== node.value || /^<(?!br\b)[^<>=]+=/i.test(node.value);
    return hasMore && !isMark(node);
  }
  if (node.type === 'footnoteReference' || node.type === 'image' || node.type === 'imageReference')
    return true;
  if (node.type === 'link') return node.url.replace(SCHEME, '') !== plainText(node).replace(SCHEME, '');
  return 'children' in node && node.children.some(saysMore);
}

/** Whether a block is a mark that `plan sync` keeps in its checklists, and no part of what a document says. */
export function isMark(node: Nodes): boolean {
  if (node.type !== 'html') return false;
  const text = node.value.trim();
  return markedGoal(text) !== null || markedPlan(text) !== null;
}

const SCHEME = /^(?:https?:\/\/|mailto:)/i;

function firstLine(node: RootContent): string {
  const lines = rawText(node).split(/[\r\n]+/);
  return collapse(lines.find((line) => line.trim() !== '') ?? '');
}

/** The text of a block on one line: links keep their text, images their alternative text. Comments are no text. */
export function plainText(node: Nodes): string {
  return collapse(rawText(node));
}

function rawText(node: Nodes): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return node.alt || node.url;
  if (node.type === 'imageReference') return node.alt || node.identifier;
  if (node.type === 'html') return withoutFormatting(withoutHtmlComments(node.value));
  if ('value' in node) return node.value;
  if (!('children' in node)) return '';
  const between = node.type === 'paragraph' || node.type === 'heading' || isInline(node) ? '' : '\n';
  return node.children.map(rawText).join(between);
}

/** Whether what a block says is struck through, but for a remark behind it. */
export function beginsStruck(node: Nodes): boolean {
  const [first, ...others] = node.type === 'paragraph' ? node.children : [];
  const rest = others.map(rawText).join('');
  return first?.type === 'delete' && STRUCK_REMARK.test(rest);
}

/** What may follow a text that is struck through; other words take its place: "~~Use Redis~~ Use Postgres". */
const STRUCK_REMARK =
  /^\s*(?:$|[^\p{L}\p{N}\s]|(?:dropped|cancell?ed|removed|obsolete|abandoned|superseded|done|fixed|duplicate|wontfix|(?:not|no longer) (?:needed|planned))\b)/iu;

function isInline(node: Nodes): boolean {
  return ['emphasis', 'strong', 'delete', 'link', 'linkReference'].includes(node.type);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
