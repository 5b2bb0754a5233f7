import { parseDocument } from 'yaml';
import * as z from 'zod';

import { isSameJson } from '../../../kernel/json/same-json.js';
import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { readYaml } from '../../../kernel/yaml.js';
import { isTagged, readBacklogText, readBody } from '../backlog-file.js';
import type { BacklogText } from '../backlog-file.js';
import { dataOf } from '../data-members.js';
import { resultLast, withResult } from '../result-section.js';
import { readStatus } from '../status-words.js';
import { readTold } from '../told.js';

const texts = z
  .union([z.array(z.coerce.string()), z.string().transform((one) => [one])])
  .nullish()
  .transform((all) => all ?? []);
const loose = z.coerce.string().nullish();
const headSchema = z.looseObject({
  id: z.coerce.string().min(1),
  title: z.coerce.string().min(1),
  status: loose,
  labels: texts.catch([]),
  dependencies: texts.catch([]),
  priority: loose,
  milestone: loose,
  parent_task_id: loose,
});
/** What a milestone says of itself. */
export const milestoneSchema = z.looseObject({
  id: z.coerce.string().min(1),
  title: z.coerce.string().min(1),
});
/** The members of a task that have a meaning here. */
export const PLACED = new Set(Object.keys(headSchema.shape));
const PRIORITIES = new Map(Object.entries({ critical: 0, high: 1, medium: 2, low: 3 }));

/** Returns what the priority of a task is here, from 0, the most urgent; undefined for a word that says nothing here. */
export function readPriority(word: string | null | undefined): number | undefined {
  return PRIORITIES.get(word?.toLowerCase() ?? '');
}

/**
 * The statuses of a configuration that say that nothing is left to do: those whose word does, else the last, as Backlog.md has
 * it, unless it says that something is on hold.
 */
export function finalStatuses(statuses: readonly string[] = []): readonly string[] {
  const said = statuses.map((status) => readStatus(status));
  const done = statuses.filter((_, index) => said[index]?.done);
  return done.length > 0 || said.at(-1)?.onHold !== undefined ? done : statuses.slice(-1);
}

/** Reads a task; null for a file that is none. @param name of the file, which may have its id */
export function readTask(
  { members, sections }: BacklogText,
  name: string,
  final: readonly string[],
  isCompleted: boolean,
) {
  const head = headSchema.safeParse({ ...namedAfter(name), ...members }).data;
  if (head === undefined) return null;
  const standing = readStatus(head.status, final);
  const done = standing.done || isCompleted;
  const { decisions, whole, missing, ...body } = readBody(sections);
  const priority = readPriority(head.priority);
  return {
    head,
    body,
    description: head.title,
    detail: body.detail,
    acceptance: [...body.criteria, ...body.doneCriteria].map(({ text }) => text),
    decisions,
    whole,
    missing,
    tags: head.labels,
    ...(done ? { done } : standing),
    ...(priority === undefined ? {} : { priority }),
    result: body.summary,
  };
}

/** All below the heading, for a milestone has no other section, and what is told below it. */
export function milestoneTexts({ sections }: BacklogText) {
  const body = sections
    .map(({ raw }) => raw)
    .join('')
    .replaceAll('\r\n', '\n');
  const { text, told } = readTold(body.replace(/^\s*## +Description[^\n]*\n/, ''));
  return { detail: text.replace(/^(?:[ \t]*\n)+/, '').trimEnd(), ...told };
}

/** Whether a member of a milestone may go back. */
export const isMilestoneData = (name: string) => name === 'id' || name === 'title';

/** Whether a member of a task may go back: it has a meaning here, or is known to be data. */
export function isData(name: string, value: unknown): boolean {
  return PLACED.has(name) || dataOf({ [name]: value }, 'backlog').leftOut.length === 0;
}

/** The text of a file without members that may not go back; none where they cannot be taken out. */
export function cleanText(
  text: string,
  isKept: (name: string, value: unknown) => boolean,
): { readonly text?: string } {
  const { head, members, problem } = readBacklogText(text);
  const gone = Object.keys(members).filter((name) => !isKept(name, members[name]));
  if (head === null) return { text };
  if (problem !== null || isTagged(head)) return {};
  if (gone.length === 0) return { text };
  const clean = withoutKeys(head, gone);
  return clean === null ? {} : { text: text.replace(head, () => clean) };
}

/** Whether the text of a task or milestone has no member that may not be written again. */
export function isCleanText(text: string): boolean {
  return cleanText(text, isData).text === text;
}

/** Whether settings have no member that may not be written again. */
export function isCleanConfig(text: string): boolean {
  return cleanConfig(text).text === text;
}

/** The text of settings without those that may not go back. */
export function cleanConfig(text: string): { readonly text?: string } {
  const gone = strangeSettings(text);
  const clean = isTagged(text) ? null : gone.length === 0 ? text : withoutKeys(text, gone);
  return clean === null ? {} : { text: clean };
}

/** The names of settings that may not be written again. */
export function strangeSettings(text: string): readonly string[] {
  const value: object = Object(yamlOrNull(text));
  return Object.entries(value).flatMap(([name, member]) =>
    dataOf({ config: { [name]: member } }, 'backlog').leftOut.length === 0 ? [] : [name],
  );
}

/** The numbers of the lines of some members of a map in YAML, with what is indented below them. @param first of the map */
export function linesOf(text: string, first: number, names: readonly string[]): readonly number[] {
  let isMeant = false;
  return text.split('\n').flatMap((line, index) => {
    const name = /^["']?([^\s:#"'-][^:"']{0,100})["']?[ \t]*:/.exec(line)?.[1];
    if (name !== undefined) isMeant = names.includes(name.trim());
    return isMeant && line.trim() !== '' ? [first + index] : [];
  });
}

/** A map in YAML without some of its keys; null where it cannot be read as it is. */
function withoutKeys(text: string, names: readonly string[]): string | null {
  const read = readYaml(text, 0);
  if ('problem' in read) return null;
  const gone = new Set(linesOf(text, 0, names));
  const cut = text
    .split('\n')
    .filter((_line, index) => !gone.has(index))
    .join('\n');
  const kept = Object.entries(Object(read.value)).filter(([name]) => !names.includes(name));
  // Taken out line by line where that leaves the rest as it is.
  if (isSameJson(Object(yamlOrNull(cut)), Object.fromEntries(kept))) return cut;
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
  for (const name of names) document.delete(name);
  return String(document).trimEnd() + (text.endsWith('\n') ? '\n' : '');
}

/** The id and the title that the name of a file has: `task-1 - Its title.md`. */
function namedAfter(name: string): object {
  const [, id, title] = /^([^\s.]+-\d+(?:\.\d+)*) - (.*)\.md$/.exec(name) ?? [];
  return id === undefined ? {} : { id, title: title?.replaceAll('-', ' ') || id };
}

/**
 * What the file of a task or milestone says here, to be compared; null where it is none, or has members that are no data,
 * which nothing may write again.
 */
export function readBacklogRecord(text: string, final: readonly string[], isCompleted: boolean) {
  const parts = readBacklogText(text);
  if (parts.problem !== null || isTagged(parts.head ?? '')) return null;
  const members = dataOf(parts.members, 'backlog');
  const unknown = members.leftOut.filter((path) => !PLACED.has(path));
  const said = readTask(parts, '', final, isCompleted);
  if (unknown.length > 0 || said === null) return null;
  // What has a meaning is compared by that, anything else by its value.
  const unplaced = Object.entries(members.data).filter(
    ([name, value]) => !PLACED.has(name) && !isSameJson(value, []),
  );
  const { detail, criteria, summary, ...body } = said.body;
  const { result: _told, ...others } = said;
  return {
    ...others,
    detail: resultLast(withResult(detail, summary)),
    body: { ...body, ticks: criteria.map(({ ticked }) => ticked) },
    tags: [...new Set(said.tags)],
    head: { ...Object.fromEntries(unplaced), ...pick(said.head) },
  };
}

/** What the file of a milestone says here, to be compared; null where it is none, or has members that are no data. */
export function readMilestoneRecord(text: string) {
  const parts = readBacklogText(text);
  const parsed = milestoneSchema.safeParse(parts.members).data;
  const isStrange = Object.keys(parts.members).some((name) => name !== 'id' && name !== 'title');
  if (parts.problem !== null || parsed === undefined || isStrange) return null;
  const { id, title } = parsed;
  return { ...milestoneTexts(parts), head: { id: id.toLowerCase() }, description: title, acceptance: [] };
}

function pick(head: z.output<typeof headSchema>) {
  const { id, title, status, labels, dependencies, priority, milestone, parent_task_id } = head;
  const said = {
    id: id.toLowerCase(),
    title,
    status,
    labels: [...new Set(labels)].join('\n'),
    dependencies: [...new Set(dependencies.map(keyOf))].toSorted().join('\n'),
    priority: priority?.toLowerCase(),
    milestone,
    parent_task_id: parent_task_id?.toLowerCase(),
  };
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

/** Returns a text as the title of a milestone, by which a task may name it. */
export function asTitle(text: string): string {
  return printable(oneLine(text));
}

/** Ids are written in either case. */
export function keyOf(id: string): string {
  return id.toLowerCase();
}

/** Reads YAML; null where it is none. */
export function yamlOrNull(text: string): unknown {
  const read = readYaml(text, 0);
  return 'problem' in read ? null : read.value;
}
