import { joinSections } from '../../kernel/text/sections.js';
import { readYaml } from '../../kernel/yaml.js';
import { fenceMarker } from './checklists/code-fence.js';
import { readCriteria } from './criteria.js';
import { RESULT_IN } from './result-section.js';
import { readTold } from './told.js';
import type { Told } from './told.js';

/** The sections of a task that Backlog.md knows, in its order, with its marks. */
export const SECTIONS = [
  { name: 'Description', mark: 'SECTION:DESCRIPTION' },
  { name: 'Acceptance Criteria', mark: 'AC' },
  { name: 'Definition of Done', mark: 'DOD' },
  { name: 'Implementation Plan', mark: 'SECTION:PLAN' },
  { name: 'Implementation Notes', mark: 'SECTION:NOTES' },
  { name: 'Comments', mark: 'COMMENTS' },
  { name: RESULT_IN, mark: 'SECTION:FINAL_SUMMARY' },
] as const;

/** The section below whose text is told what was decided. */
export const TOLD_IN = 'Implementation Notes';

/** A part of the body of a file: a second-level heading with what stands under it, or what stands before the first. */
export interface BodySection {
  /** The heading, as Backlog.md calls it where it knows it; null for what is under none. */
  readonly name: string | null;
  /** As it is written, with its heading. */
  readonly raw: string;
  /** What it says, without heading and marks. */
  readonly text: string;
  /** The number of its first line in the file. */
  readonly line: number;
}

/** A file of Backlog.md, taken apart. */
export interface BacklogText {
  /** The text of the front matter; null where there is none. */
  readonly head: string | null;
  readonly members: Readonly<Record<string, unknown>>;
  /** What is wrong with the front matter, where it is no YAML and was read line by line. */
  readonly problem: string | null;
  readonly sections: readonly BodySection[];
}

/** Whether a text of YAML has tags, anchors or aliases, by which another reader could read something else in it. */
export function isTagged(yaml: string): boolean {
  return /(?:^|[\s:,[{-])[!&*](?=\S)/m.test(yaml);
}

/** Takes a file of Backlog.md apart. */
export function readBacklogText(text: string): BacklogText {
  const [whole = '', head = null] = /^\uFEFF?---\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const read = head === null ? { members: {}, problem: null } : readHead(head);
  const line = whole.split('\n').length;
  return { head, ...read, sections: sectionsOf(text.slice(whole.length), line) };
}

/** Reads YAML as the files have it: names such as `@ana` stand there without quotes, and titles with a colon. */
function readHead(head: string): Pick<BacklogText, 'members' | 'problem'> {
  const strict = readYaml(head, 0);
  const lenient = 'problem' in strict ? readYaml(quoted(head), 0) : strict;
  if (!('problem' in lenient)) return { members: { ...Object(lenient.value) }, problem: null };
  const pairs = head.split(/\r?\n/).flatMap((line) => {
    const [, name, value = ''] = /^([A-Za-z_][\w-]*):(.*)$/.exec(line) ?? [];
    return name === undefined || value.trim() === ''
      ? []
      : [[name, value.trim().replaceAll(/^(["'])(.*)\1$/g, '$2')] as const];
  });
  return { members: Object.fromEntries(pairs), problem: lenient.problem };
}

function quoted(head: string): string {
  return head
    .split(/\r?\n/)
    .map((line) => {
      const [, before = '', value = ''] = /^((?:[A-Za-z_][\w-]*:|[ \t]*-)[ \t]+)(\S.*)$/.exec(line) ?? [];
      if (value === '' || !('problem' in readYaml(value, 0)))
        return before.includes(':') && /:[ \t]/.test(value) && !/^["'[{]/.test(value)
          ? `${before}${JSON.stringify(value)}`
          : line;
      const list = /^\[(.*)\]$/.exec(value)?.[1];
      const items = list?.split(',').map((item) => quotedWord(item.trim()));
      return `${before}${items === undefined ? JSON.stringify(value) : `[${items.join(', ')}]`}`;
    })
    .join('\n');
}

function quotedWord(word: string): string {
  return 'problem' in readYaml(word, 0) ? JSON.stringify(word) : word;
}

const MARK = /^<!-- (SECTION:[A-Z_]+|AC|DOD|COMMENTS):(BEGIN|END) -->[ \t]*\r?$/;

function sectionsOf(body: string, firstLine: number): readonly BodySection[] {
  const lines = body.split('\n');
  const ends = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const [, name = '', side] = MARK.exec(line) ?? [];
    if (side === 'END') ends.set(name, index);
  }
  const sections: { name: string | null; raw: string[]; text: string[]; line: number }[] = [];
  let open: string | null = null;
  let fence: string | null = null;
  const begin = (name: string | null, line: number) => sections.push({ name, raw: [], text: [], line });
  begin(null, firstLine);
  for (const [index, line] of lines.entries()) {
    const [, mark = '', side] = MARK.exec(line) ?? [];
    const isMark =
      side === 'BEGIN' ? open === null && (ends.get(mark) ?? -1) > index : side === 'END' && open === mark;
    if (isMark) open = side === 'BEGIN' ? mark : null;
    const heading =
      open === null && fence === null && !isMark ? /^## +(?=\S)(.*)$/.exec(line)?.[1]?.trimEnd() : undefined;
    if (heading !== undefined) begin(knownName(heading), firstLine + index);
    const section = sections.at(-1);
    section?.raw.push(line);
    if (heading !== undefined || isMark) continue;
    section?.text.push(open === null ? line : unescaped(line));
    if (fence !== null && line.trim().startsWith(fence)) fence = null;
    else if (open === null) fence ??= fenceMarker(line, 0);
  }
  return sections
    .map(({ name, raw, text, line }, index) => ({
      name,
      // Joined, the parts are the body, to the last line feed.
      raw: raw.join('\n') + (index < sections.length - 1 ? '\n' : ''),
      text: text
        .join('\n')
        .replaceAll('\r', '')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd(),
      line,
    }))
    .filter(({ raw }) => raw !== '');
}

function knownName(heading: string): string {
  const said = heading.replace(/:$/, '').trim().toLowerCase();
  return SECTIONS.find(({ name }) => name.toLowerCase() === said)?.name ?? heading;
}

/** Undoes what keeps a mark within a text from ending it. */
function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp;)*lt;!--(?=\s*(?:SECTION|AC|DOD|COMMENTS))/gi, (found) =>
    found.startsWith('&amp;') ? `&${found.slice('&amp;'.length)}` : '<!--',
  );
}

/** What the sections of a task say. */
export interface BacklogBody extends Told {
  /** Every part that is text, each under its heading but the description. */
  readonly detail: string;
  readonly criteria: readonly { readonly text: string; readonly ticked: boolean }[];
  /** Those of the definition of done. */
  readonly doneCriteria: BacklogBody['criteria'];
  readonly summary: string;
}

/** Reads the sections of a task. */
export function readBody(sections: readonly BodySection[]): BacklogBody {
  const textOf = (name: string) => joined(sections.filter((section) => section.name === name));
  const [first, ...rest] = sections.filter(({ name }) => name === null || name === 'Description');
  const about = [first, ...rest].flatMap((section) => section?.text ?? []).filter((text) => text !== '');
  const criteriaIn = (name: string) =>
    readCriteria(textOf(name)).map(({ text, ticked }) => ({
      text: text.replace(/^#\d+[ \t]+/, ''),
      ticked: ticked === true,
    }));
  const others = sections.filter(
    ({ name }) => name !== null && name !== 'Description' && name !== RESULT_IN && !isCriteria(name),
  );
  const told = others.flatMap(({ name, text }) => (name === TOLD_IN ? readTold(text).told : []));
  const named = others.map(({ name, text }) => ({
    name,
    text: name === TOLD_IN ? readTold(text).text : text,
  }));
  return {
    detail: joinSections([{ name: null, text: about.join('\n\n') }, ...named]),
    criteria: criteriaIn('Acceptance Criteria'),
    doneCriteria: criteriaIn('Definition of Done'),
    summary: textOf(RESULT_IN),
    decisions: told.flatMap(({ decisions }) => decisions),
    whole: told.flatMap(({ whole }) => whole),
    missing: told.flatMap(({ missing }) => missing),
  };
}

/** Whether a section lists what shows that a task is done. */
export function isCriteria(section: string | null): boolean {
  return section === 'Acceptance Criteria' || section === 'Definition of Done';
}

function joined(sections: readonly BodySection[]): string {
  const text = sections.map((section) => section.text).join('\n');
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}
