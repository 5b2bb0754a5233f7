import { parseDocument } from 'yaml';
import * as z from 'zod';

import { isSameJson } from '../../../kernel/json/same-json.js';
import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { readYaml } from '../../../kernel/yaml.js';
import type { ToolRecord } from '../as-was.js';
import { isTagged, readBacklogText, readBody } from '../backlog-file.js';
import type { BacklogText } from '../backlog-file.js';
import { dataOf } from '../data-members.js';
import { readStatus } from '../status-words.js';
import { accountFor } from '../../../kernel/text/line-account.js';
import type { ReadFile } from '../../../kernel/text/line-account.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';

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
const milestoneSchema = z.looseObject({ id: z.coerce.string().min(1), title: z.coerce.string().min(1) });
const configSchema = z.looseObject({
  project_name: z.string().min(1).optional(),
  statuses: z.array(z.string()).optional().catch(undefined),
});

const PLACED = new Set(Object.keys(headSchema.shape));
const PRIORITIES: Readonly<Record<string, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

interface BacklogFile {
  readonly name: string;
  readonly text: string;
  /** Why it cannot be read, where it cannot. */
  readonly problem?: string;
}

/** The files of a Backlog.md folder. */
export interface BacklogFolder {
  readonly tasks: readonly BacklogFile[];
  /** What was done and put aside. */
  readonly completed?: readonly BacklogFile[];
  readonly milestones?: readonly BacklogFile[];
  /** What has no meaning here: drafts, decisions, what was archived. */
  readonly others?: readonly BacklogFile[];
  /** `config.yml`, if it is there. */
  readonly config?: string | null;
}

/** Reads the task files of a Backlog.md folder; null when none of them is a task. Milestones are parents. */
export function backlogPlan({
  tasks,
  completed = [],
  milestones = [],
  others = [],
  config = null,
}: BacklogFolder): OtherToolPlan | null {
  const notes: string[] = [];
  const files: ReadFile[] = [];
  const settings = configSchema.safeParse(config === null ? null : yamlOrNull(config)).data;
  const final = finalStatuses(settings?.statuses);
  const read = (all: readonly BacklogFile[], folder: string, more: Readonly<Record<string, unknown>>) =>
    all.flatMap((file) => {
      if (file.problem !== undefined) {
        files.push(leftOut({ ...file, name: `${folder}/${file.name}` }));
        return [];
      }
      const parts = readBacklogText(file.text);
      const goal = goalOf(file, parts, { more, final });
      files.push(accountOf({ ...file, name: `${folder}/${file.name}` }, parts, goal));
      if (parts.problem !== null)
        notes.push(`${file.name}: its front matter is no YAML (${parts.problem}); it was read line by line`);
      if (goal === null)
        notes.push(`${file.name} is left out: neither its front matter nor its name has the id of a task`);
      return goal ?? [];
    });
  const goals = [...read(tasks, 'tasks', {}), ...read(completed, 'completed', { completed: true })].toSorted(
    (one, other) => ordinalOf(one) - ordinalOf(other),
  );
  if (goals.length === 0) return null;
  const all = withMilestones(goals, milestones, files, notes);
  for (const file of others) files.push(leftOut(file));
  if (config !== null)
    files.push({ file: 'config.yml', text: config, leftOut: linesOf(config, 1, strangeSettings(config)) });
  return {
    tool: 'backlog',
    title: settings?.project_name ?? 'Backlog',
    goals: all,
    notes,
    account: accountFor(files),
    ...(config === null ? {} : { original: { file: 'config.yml', ...cleanConfig(config) } }),
    ...(settings === undefined ? {} : { rest: { config: settings } }),
  };
}

/** The statuses of a configuration that say that nothing is left to do: the last of them does. */
export function finalStatuses(statuses: readonly string[] | undefined): readonly string[] {
  return statuses?.slice(-1) ?? [];
}

/** A file of which no line is in a goal. */
function leftOut({ name, text }: BacklogFile): ReadFile {
  return { file: name, text, leftOut: text.split('\n').map((_line, index) => index + 1) };
}

/** What of a file is kept as text, and what is left out. */
function accountOf(
  { name, text }: BacklogFile,
  { sections, head, members }: BacklogText,
  goal: OtherToolGoal | null,
): ReadFile {
  if (goal === null) return leftOut({ name, text });
  const detail = sections
    .filter((section) => isDetail(section.name))
    .flatMap(({ raw, line }) =>
      raw
        .split('\n')
        .flatMap((each, index) =>
          each.trim() === '' || /^(?:## |<!-- \S+:(?:BEGIN|END) -->)/.test(each) ? [] : [line + index],
        ),
    );
  const strange = Object.entries(members).flatMap(([member, value]) =>
    isData(member, value) ? [] : [member],
  );
  return { file: name, text, detail, leftOut: head === null ? [] : linesOf(head, 2, strange) };
}

function isDetail(section: string | null): boolean {
  return section !== 'Acceptance Criteria' && section !== 'Definition of Done';
}

const asTitle = (text: string): string => printable(oneLine(text));

/** The milestones that tasks are in and those that have a file, and the tasks, each in its milestone. */
function withMilestones(
  goals: readonly OtherToolGoal[],
  files: readonly BacklogFile[],
  accounts: ReadFile[],
  notes: string[],
): readonly OtherToolGoal[] {
  const found = new Map<string, OtherToolGoal>();
  const add = (id: string, title: string, detail: string, original?: ToolRecord) =>
    found.set(id, {
      key: `milestone ${id}`,
      parent: null,
      description: title,
      detail,
      done: false,
      dependsOn: [],
      rest: { milestone_id: id },
      ...(original === undefined ? {} : { original }),
    });
  for (const { name, text, problem } of files) {
    const parts = readBacklogText(text);
    const parsed = milestoneSchema.safeParse(parts.members).data;
    const file = { name: `milestones/${name}`, text };
    if (parsed === undefined) notes.push(`${name} is left out: it has no id and title of a milestone`);
    else if (problem === undefined)
      add(parsed.id, parsed.title, milestoneDetail(parts), { file: name, ...cleanText(text, MILESTONE) });
    accounts.push(accountOf(file, parts, parsed === undefined ? null : (found.get(parsed.id) ?? null)));
  }
  const titled = new Map([...found].map(([id, { description }]) => [asTitle(description), id]));
  const placed = goals.map((goal) => {
    const named =
      goal.parent?.startsWith('milestone ') === true ? goal.parent.slice('milestone '.length) : null;
    if (named === null || found.has(named)) return goal;
    // A task may name a milestone by its title.
    const id = titled.get(asTitle(named));
    if (id !== undefined) return { ...goal, parent: `milestone ${id}` };
    add(named, named, '');
    return goal;
  });
  return [...found.values(), ...placed];
}

function ordinalOf({ rest }: OtherToolGoal): number {
  const ordinal = Number(rest?.['ordinal'] ?? Number.NaN);
  return Number.isFinite(ordinal) ? ordinal : Number.MAX_VALUE;
}

interface Reading {
  readonly more: Readonly<Record<string, unknown>>;
  /** The statuses that say that nothing is left to do. */
  readonly final: readonly string[];
}

function goalOf(
  { name, text }: BacklogFile,
  parts: BacklogText,
  { more, final }: Reading,
): OtherToolGoal | null {
  const said = readTask(parts, name, final, more['completed'] === true);
  if (said === null) return null;
  const { head, body, ...goal } = said;
  const { id, status, milestone, parent_task_id } = head;
  return {
    ...goal,
    key: keyOf(id),
    parent: parent_task_id ? keyOf(parent_task_id) : milestone ? `milestone ${milestone}` : null,
    dependsOn: head.dependencies.map(keyOf),
    rest: {
      ...Object.fromEntries(Object.entries(head).filter(([member]) => !PLACED.has(member))),
      ...more,
      id,
      milestone,
      ticked: body.criteria.filter(({ ticked }) => ticked).map((each) => each.text),
      done_criteria: body.doneCriteria,
    },
    original: { file: name, ...cleanText(text, isData) },
    place: { file: name, line: 1 },
    ...(status == null ? {} : { status }),
  };
}

function readTask(
  { members, sections }: BacklogText,
  name: string,
  final: readonly string[],
  isCompleted: boolean,
) {
  const head = headSchema.safeParse({ ...namedAfter(name), ...members }).data;
  if (head === undefined) return null;
  const standing = readStatus(head.status, final);
  const done = standing.done || isCompleted;
  const body = readBody(sections, done);
  const priority = PRIORITIES[head.priority?.toLowerCase() ?? ''];
  return {
    head,
    body,
    description: head.title,
    detail: body.detail,
    acceptance: body.criteria.map(({ text }) => text),
    tags: head.labels,
    ...(done ? { done } : standing),
    ...(priority === undefined ? {} : { priority }),
    result: body.summary,
  };
}

/** All below the heading: a milestone has no other section. */
function milestoneDetail({ sections }: BacklogText): string {
  const body = sections
    .map(({ raw }) => raw)
    .join('')
    .replaceAll('\r\n', '\n');
  return body
    .replace(/^\s*## +Description[^\n]*\n/, '')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

const MILESTONE = (name: string) => name === 'id' || name === 'title';

/** Whether a member of a task may go back: it has a meaning here, or is known to be data. */
function isData(name: string, value: unknown): boolean {
  return PLACED.has(name) || dataOf({ [name]: value }, 'backlog').leftOut.length === 0;
}

/** The text of a file without members that may not go back; none where they cannot be taken out. */
function cleanText(
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

function cleanConfig(text: string): { readonly text?: string } {
  const gone = strangeSettings(text);
  const clean = isTagged(text) ? null : gone.length === 0 ? text : withoutKeys(text, gone);
  return clean === null ? {} : { text: clean };
}

/** The names of settings that may not be written again. */
function strangeSettings(text: string): readonly string[] {
  const value: object = Object(yamlOrNull(text));
  return Object.entries(value).flatMap(([name, member]) =>
    dataOf({ config: { [name]: member } }, 'backlog').leftOut.length === 0 ? [] : [name],
  );
}

/** The numbers of the lines of some members of a map in YAML, with what is indented below them. @param first of the map */
function linesOf(text: string, first: number, names: readonly string[]): readonly number[] {
  let isMeant = false;
  return text.split('\n').flatMap((line, index) => {
    const name = /^["']?([^\s:#"'-][^:"']{0,100})["']?[ \t]*:/.exec(line)?.[1];
    if (name !== undefined) isMeant = names.includes(name.trim());
    return isMeant && line.trim() !== '' ? [first + index] : [];
  });
}

/** A map in YAML without some of its keys; null where it cannot be read as it is. */
function withoutKeys(text: string, names: readonly string[]): string | null {
  if ('problem' in readYaml(text, 0)) return null;
  const document = parseDocument(text, { uniqueKeys: false });
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
  const others = Object.entries(members.data).filter(
    ([name, value]) => !PLACED.has(name) && !isSameJson(value, []),
  );
  const { detail: _same, criteria, ...body } = said.body;
  return {
    ...said,
    body: { ...body, ticks: criteria.map(({ ticked }) => ticked) },
    tags: [...new Set(said.tags)],
    head: { ...Object.fromEntries(others), ...pick(said.head) },
  };
}

/** What the file of a milestone says here, to be compared; null where it is none, or has members that are no data. */
export function readMilestoneRecord(text: string) {
  const parts = readBacklogText(text);
  const parsed = milestoneSchema.safeParse(parts.members).data;
  const isStrange = Object.keys(parts.members).some((name) => name !== 'id' && name !== 'title');
  if (parts.problem !== null || parsed === undefined || isStrange) return null;
  const { id, title } = parsed;
  const detail = milestoneDetail(parts);
  return { head: { id: id.toLowerCase() }, description: title, acceptance: [], detail };
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

/** Ids are written in either case. */
function keyOf(id: string): string {
  return id.toLowerCase();
}

function yamlOrNull(text: string): unknown {
  const read = readYaml(text, 0);
  return 'problem' in read ? null : read.value;
}
