import { readTaskText } from './task-text.js';
import type { ReadFile } from '../../../kernel/text/line-account.js';

/** A line of a document that nobody has taken yet. */
interface OpenLine {
  readonly line: number;
  readonly text: string;
  /** The headings that it stands under, the outermost first; a heading stands under itself. */
  readonly under: readonly string[];
  readonly level: number;
}

/**
 * A document whose lines are taken by what they belong to; what nobody takes is left as it is written. Every line is in one
 * of the parts, or a comment, which is left out.
 */
export interface SectionText {
  /** Takes lines, and returns them as a text. */
  take(isTaken: (line: OpenLine) => boolean): string;
  /** Takes the lines that belong to groups, and returns a text for each. */
  takeGroups(groupOf: (line: OpenLine) => string | undefined): ReadonlyMap<string, string>;
  /** Takes the items of lists under a heading, without their bullets. */
  takeItems(isTheirs: (heading: string) => boolean): readonly string[];
  /** Returns, and takes, the first heading of the first level, if it is of a kind. */
  title(kind?: RegExp): string | null;
  /** What nobody has taken, but the title. */
  rest(): string;
  /** Which lines were kept as text, and which are in no goal. */
  account(): Pick<ReadFile, 'detail' | 'leftOut'>;
}

/** Opens a document for taking its lines. */
export function readSections(markdown: string): SectionText {
  const tree = readTaskText(markdown);
  const gone = new Set(tree.comments.map(({ line }) => line));
  const headings = new Map<number, { level: number; text: string }>();
  const open = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'section') headings.set(node.line, node);
    for (const each of node.children) open.push(each);
  }
  const path: { level: number; text: string }[] = [];
  let lines: readonly OpenLine[] = markdown.split(/\r?\n/).flatMap((text, index) => {
    const line = index + 1;
    const heading = headings.get(line);
    if (heading !== undefined) {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop();
      path.push(heading);
    }
    return gone.has(line)
      ? []
      : [{ line, text, under: path.map((each) => each.text), level: heading?.level ?? 0 }];
  });
  const detail: number[] = [];
  const taken = (isTaken: (line: OpenLine) => boolean): readonly OpenLine[] => {
    const found: OpenLine[] = [];
    lines = lines.filter((each) => {
      if (!isTaken(each)) return true;
      found.push(each);
      return false;
    });
    return found;
  };
  const asText = (found: readonly OpenLine[]) => {
    for (const each of found.filter(({ text }) => text.trim() !== '').map(({ line }) => line))
      detail.push(each);
    return found
      .map(({ text }) => text)
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd();
  };
  const title = (kind: RegExp) => {
    const first = lines.find(({ level }) => level === 1);
    const said = first?.under.at(-1) ?? '';
    if (first === undefined || !kind.test(said)) return null;
    taken((line) => line === first);
    return said;
  };
  return {
    take: (isTaken) => asText(taken(isTaken)),
    takeGroups: (groupOf) => {
      const groups = new Map<string, OpenLine[]>();
      for (const line of taken((each) => groupOf(each) !== undefined)) {
        const group = groupOf(line) ?? '';
        const all = groups.get(group);
        if (all === undefined) groups.set(group, [line]);
        else all.push(line);
      }
      return new Map([...groups].map(([group, all]) => [group, asText(all)]));
    },
    takeItems: (isTheirs) =>
      taken(({ text, under }) => under.some(isTheirs) && /^\s*[-*+]\s+\S/.test(text)).map(({ text }) =>
        text.replace(/^\s*[-*+]\s+/, '').trim(),
      ),
    title: (kind = /^/) => title(kind),
    rest: () => asText(taken(() => true)),
    account: () => ({ detail, leftOut: gone }),
  };
}
