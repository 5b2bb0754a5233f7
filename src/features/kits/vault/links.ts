import { posix } from 'node:path';

import { foldCase } from './paths.js';

/** A link of a note to another file. Offsets in UTF-16 units. */
export interface NoteLink {
  /** `[[…]]` or `![[…]]`, or the target of a link of Markdown. */
  readonly kind: 'wiki' | 'markdown';
  /** Where its target stands, without heading, alias and brackets. */
  readonly start: number;
  readonly end: number;
  /** The target, decoded. */
  readonly target: string;
  /** Whether the target of Markdown stands in `<…>`. */
  readonly isBracketed: boolean;
}

/** Finds the links of a note, in its properties too, but not in code. The time is linear in the text. */
export function linksIn(text: string): readonly NoteLink[] {
  const links: NoteLink[] = [];
  const properties = propertiesEnd(text);
  for (const line of linesOf(text, 0, properties)) wikiLinksOf(text, line.start, line.end, links);
  let fence: string | null = null;
  for (const { start, end } of linesOf(text, properties, text.length)) {
    const [, mark = ''] =
      /^ {0,3}(?:>[ \t]?)*[ \t]*(?:[-*+][ \t]+)?(`{3,}|~{3,})/.exec(text.slice(start, end)) ?? [];
    if (fence !== null) {
      const isClosed =
        mark.startsWith(fence) &&
        text
          .slice(start, end)
          .trim()
          .replace(/^[>\s]*/, '') === mark;
      if (isClosed) fence = null;
    } else if (mark !== '') fence = mark;
    else linksOfLine(text, start, end, links);
  }
  return links;
}

/** Returns where the properties of a note end, which stand between `---` at its beginning; 0 where there are none. */
export function propertiesEnd(text: string): number {
  const [opening] = /^---[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return 0;
  const closing = /^---[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = opening.length;
  const found = closing.exec(text);
  return found === null ? 0 : found.index + found[0].length;
}

function* linesOf(text: string, from: number, to: number): Generator<{ start: number; end: number }> {
  for (let start = from; start < to;) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 || feed >= to ? to : feed;
    yield { start, end };
    start = end + 1;
  }
}

function linksOfLine(text: string, start: number, end: number, links: NoteLink[]): void {
  const plain = withoutCode(text.slice(start, end));
  wikiLinksOf(plain, 0, plain.length, links, start);
  markdownLinksOf(plain, start, links);
}

/** A line with blanks in place of code between backticks. */
function withoutCode(line: string): string {
  if (!line.includes('`')) return line;
  const runs = Array.from(line.matchAll(/`+/g), ({ index, 0: run }) => ({ index, length: run.length }));
  const nextOf = new Map<number, number[]>();
  for (const [number, { length }] of runs.entries())
    nextOf.set(length, [...(nextOf.get(length) ?? [])].concat(number));
  let plain = '';
  let done = 0;
  for (let number = 0; number < runs.length; number += 1) {
    const run = runs[number];
    if (run === undefined) break;
    const same = nextOf.get(run.length) ?? [];
    while (same.length > 0 && (same[0] ?? 0) <= number) same.shift();
    const closing = same[0] === undefined ? undefined : runs[same[0]];
    if (closing === undefined) continue;
    const to = closing.index + closing.length;
    plain += line.slice(done, run.index) + ' '.repeat(to - run.index);
    done = to;
    number = same[0] ?? number;
  }
  return plain + line.slice(done);
}

function wikiLinksOf(text: string, start: number, end: number, links: NoteLink[], offset = 0): void {
  for (let at = text.indexOf('[[', start); at !== -1 && at < end; at = text.indexOf('[[', at + 2)) {
    const close = text.indexOf(']]', at + 2);
    if (close === -1 || close >= end) return;
    const inner = text.slice(at + 2, close);
    const begin = inner.lastIndexOf('[[') + 2;
    const own = begin === 1 ? inner : inner.slice(begin);
    const [target = ''] = /^[^#|\\]*/.exec(own) ?? [];
    const first = at + 2 + (begin === 1 ? 0 : begin) + (target.length - target.trimStart().length);
    const trimmed = target.trim();
    if (trimmed !== '')
      links.push({
        kind: 'wiki',
        start: offset + first,
        end: offset + first + trimmed.length,
        target: trimmed,
        isBracketed: false,
      });
    at = close;
  }
}

function markdownLinksOf(line: string, offset: number, links: NoteLink[]): void {
  for (let at = line.indexOf(']('); at !== -1; at = line.indexOf('](', at + 1)) {
    const isBracketed = line[at + 2] === '<';
    const from = at + (isBracketed ? 3 : 2);
    const to = isBracketed ? line.indexOf('>', from) : destinationEnd(line, from);
    if (to === -1) return;
    const [path = ''] = /^[^#]*/.exec(line.slice(from, to)) ?? [];
    const target = decoded(path);
    if (target !== null && target !== '' && !/^[a-z][a-z\d+.-]*:/i.test(path))
      links.push({
        kind: 'markdown',
        start: offset + from,
        end: offset + from + path.length,
        target,
        isBracketed,
      });
    at = Math.max(at, to - 1);
  }
}

/** Where a target without brackets ends: at a blank, or the parenthesis that closes the link; -1 where none does. */
function destinationEnd(line: string, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (letter === '(') depth += 1;
    if (letter === ' ' || letter === '\t') return line.indexOf(')', at) === -1 ? -1 : at;
    if (letter === ')' && depth === 0) return at;
    if (letter === ')') depth -= 1;
  }
  return -1;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The files of a vault, to find what a link means. */
export interface VaultIndex {
  /** Paths as they are, by their folded form. */
  readonly paths: ReadonlyMap<string, string>;
  /** Paths by the folded name of the file, fewest parts first. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

const parts = (path: string) => path.split('/').length;

/** Returns what finds the files that links mean. @param files relative to the vault */
export function indexOf(files: Iterable<string>): VaultIndex {
  const paths = new Map<string, string>();
  const names = new Map<string, string[]>();
  for (const file of files) {
    paths.set(foldCase(file), file);
    const name = foldCase(posix.basename(file));
    const same = names.get(name);
    if (same === undefined) names.set(name, [file]);
    else same.push(file);
  }
  for (const same of names.values()) same.sort((a, b) => parts(a) - parts(b) || (a < b ? -1 : 1));
  return { paths, names };
}

/** Returns the file that a link of a note means, as Obsidian finds it: the exact path, the same folder, the fewest parts. */
export function resolveLink(target: string, note: string, { paths, names }: VaultIndex): string | null {
  const folder = posix.dirname(note);
  const isRelative = /^\.{1,2}\//.test(target);
  const plain = target.replace(/^\/+/, '');
  const candidates = /\.[^./]+$/.test(plain) ? [plain, `${plain}.md`] : [`${plain}.md`, plain];
  for (const each of candidates) {
    const beside = posix.normalize(posix.join(folder, each));
    const exact = isRelative ? undefined : paths.get(foldCase(posix.normalize(each)));
    const found = exact ?? paths.get(foldCase(beside));
    if (found !== undefined) return found;
    if (isRelative) continue;
    const tail = foldCase(`/${each}`);
    const named = names.get(foldCase(posix.basename(each))) ?? [];
    const below = named.find((path) => foldCase(`/${path}`).endsWith(tail));
    if (below !== undefined) return below;
  }
  return null;
}

/** Returns the shortest target by which a note is meant from anywhere in the vault. */
export function shortestTarget(path: string, { names }: VaultIndex): string {
  const name = posix.basename(path);
  const isSole = (names.get(foldCase(name)) ?? []).every((other) => other === path);
  return withoutMd(isSole ? name : path);
}

function withoutMd(path: string): string {
  return path.replace(/\.md$/i, '');
}

/** Files that get other paths, by their old ones. */
export type Moves = ReadonlyMap<string, string>;

/**
 * Returns a note whose links mean the same files after some have moved; null where nothing is to be changed.
 * @param note its path before
 */
export function relinked(
  text: string,
  note: string,
  {
    moves,
    before,
    after,
  }: { readonly moves: Moves; readonly before: VaultIndex; readonly after: VaultIndex },
): { readonly text: string; readonly count: number } | null {
  const moved = moves.get(note) ?? note;
  let done = 0;
  let count = 0;
  let changed = '';
  for (const link of linksIn(text).toSorted((a, b) => a.start - b.start)) {
    const meant = resolveLink(link.target, note, before);
    if (meant === null) continue;
    const wanted = moves.get(meant) ?? meant;
    if (resolveLink(link.target, moved, after) === wanted || link.start < done) continue;
    changed += text.slice(done, link.start) + targetFor(link, wanted, moved, after);
    done = link.end;
    count += 1;
  }
  return count === 0 ? null : { text: changed + text.slice(done), count };
}

/** A target of the same kind as a link had: a bare name stays one where it can, and what is relative stays relative. */
function targetFor(link: NoteLink, wanted: string, note: string, after: VaultIndex): string {
  const hasEnding = /\.md$/i.test(link.target);
  const ended = (path: string) => (hasEnding ? path : withoutMd(path));
  if (link.kind === 'wiki') {
    const short = link.target.includes('/') ? withoutMd(wanted) : shortestTarget(wanted, after);
    return hasEnding && /\.md$/i.test(wanted) ? `${short}.md` : short;
  }
  const folder = posix.dirname(note);
  const isRooted = link.target.startsWith('/');
  const path = isRooted ? `/${wanted}` : posix.relative(folder === '.' ? '' : folder, wanted);
  const target = /^\.{1,2}\//.test(link.target) && !path.startsWith('.') ? `./${path}` : path;
  return link.isBracketed
    ? ended(target)
    : encodeURI(ended(target))
        .replaceAll(/[()#?]/g, encodeURIComponent)
        .replaceAll('(', '%28')
        .replaceAll(')', '%29');
}
