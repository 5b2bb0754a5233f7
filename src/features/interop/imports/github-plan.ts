import * as z from 'zod';

import { accountForJson } from '../../../kernel/json/account-for-json.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { blockersIn, readBody } from './github-body.js';
import type { Body, BodyItem } from './github-body.js';
import { goalName } from './goal-name.js';
import { readLabels } from './github-labels.js';
import { lineFinder } from './line-finder.js';
import { underOneRoot } from './other-tool-plan.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import type { OtherToolPlan } from './other-tool-plan.js';
import { readItem } from './read-item.js';
import type { Unread } from './read-item.js';
import { PART_OF } from './repair-links.js';
import type { Meaning, ToolRecord } from '../as-was.js';
import { dataOf } from '../data-members.js';
import { readStatus } from '../status-words.js';

const issueSchema = z.looseObject({
  number: z.int().positive(),
  title: z.string().nullish(),
  body: z.string().nullish(),
  state: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).nullish(),
});

type Issue = z.output<typeof issueSchema>;

const NEEDED = ['number'];
const PLACED = new Set(Object.keys(issueSchema.shape));
const REFERENCE = /^#(\d+)\b:?\s*/;

/** The type of a link that keeps what a task list says of an issue beside its number. */
export const wordsIn = (number: string | number) => `words in #${number}`;

/** Reads what `gh issue list --json number,title,body,state,stateReason,labels` prints; null when it is no such list. */
export function gitHubPlan(value: unknown, file = { name: 'issues.json', text: '' }): OtherToolPlan | null {
  if (!Array.isArray(value)) return null;
  const unread: Unread[] = [];
  const find = lineFinder(file.name, file.text);
  const given = value.flatMap((each, index): readonly Given[] => {
    const issue = readItem(issueSchema, each, { path: `[${index}]`, at: [index], needed: NEEDED, unread });
    return issue === null
      ? []
      : [{ issue, index, place: find(nameOf(issue)), original: { ...Object(each) } }];
  });
  // Without any title it is a list of something else.
  if (!given.some(({ issue }) => issue.title)) return null;
  const isSorted = given.every(({ issue }, index) => issue.number > (given[index - 1]?.issue.number ?? 0));
  const all = given.toSorted((a, b) => a.issue.number - b.issue.number);
  const issues = all.filter(({ issue }, index) => issue.number !== all[index - 1]?.issue.number);
  const bodies = new Map(issues.map(({ issue }) => [String(issue.number), readBody(issue.body ?? '')]));
  const byNumber = new Map(issues.map((each) => [String(each.issue.number), each]));
  const goals = goalsOf({ all, byNumber, bodies, isSorted });
  const notes = unread.map(({ path, problem }) => `${file.name}: ${path} is left out: ${problem}`);
  const strange = given.flatMap(({ issue, index }) =>
    dataOf(restOf(issue), 'github').leftOut.map((path) => ({
      at: [index, ...(path.split('[', 1)[0] ?? '').split('.')],
    })),
  );
  const account = accountForJson(file, [...unread, ...strange]);
  return underOneRoot({ tool: 'github', title: 'Issues', goals, notes, account });
}

/** An issue as it was read, and its place in the file. */
interface Given {
  readonly issue: Issue;
  readonly index: number;
  readonly place: OtherToolGoal['place'];
  readonly original: ToolRecord;
}

interface Read {
  /** By their numbers. */
  readonly all: readonly Given[];
  /** The first of each number. */
  readonly byNumber: ReadonlyMap<string, Given>;
  readonly bodies: ReadonlyMap<string, Body>;
  /** Whether they stood in the file by their numbers. */
  readonly isSorted: boolean;
}

/** Issues and the lines of their lists, each below what it is a part of. */
function goalsOf({ all, byNumber, bodies, isSorted }: Read): readonly OtherToolGoal[] {
  const parents = parentsOf(bodies);
  const goals: OtherToolGoal[] = [];
  const extra = new Map<string, { type: string; to: string }[]>();
  const seen = new Set<string>();
  const open: string[] = [];
  const made = ({ issue, index, place, original }: Given, body: Body, parent: string | null) => ({
    ...goalOf(issue, body, parent, isSorted ? undefined : index),
    place,
    original,
  });
  const add = (number: string): void => {
    const [each, body] = [byNumber.get(number), bodies.get(number)];
    if (each === undefined || body === undefined || seen.has(number)) return;
    seen.add(number);
    open.push(number);
    goals.push(made(each, body, parents.get(number) ?? null));
  };
  const addItem = (
    { text, box, done, onHold, detail, items }: BodyItem,
    number: string,
    parent: string,
    key: string,
  ): void => {
    const other = REFERENCE.exec(text)?.[1];
    const isIssue = other !== undefined && byNumber.has(other);
    if (isIssue) {
      const links = extra.get(other) ?? [];
      extra.set(other, links);
      const words = text.replace(REFERENCE, '').trim();
      if (words !== '' && words !== oneLine(byNumber.get(other)?.issue.title ?? '').trim())
        links.push({ type: wordsIn(number), to: words });
      if (parents.get(other) === parent) add(other);
      else links.push({ type: PART_OF, to: `#${number}` });
    } else
      goals.push({
        key,
        parent,
        description: text,
        detail,
        done,
        onHold,
        dependsOn: blockersIn(text),
        status: `[${box || ' '}]`,
        place: byNumber.get(number)?.place,
        // An empty one and a plain tick are what is written anyway.
        rest: { item: true, box: box === 'x' ? '' : box },
      });
    // What is nested below the number of an issue is a part of the list that names it.
    for (const [index, each] of items.entries())
      addItem(each, number, isIssue ? parent : key, `${key}.${index}`);
  };
  const addParts = (number: string): void => {
    for (const [index, item] of (bodies.get(number)?.items ?? []).entries())
      addItem(item, number, number, `${number} item ${index}`);
  };
  // Those that are part of none first; what is left is part of itself.
  const numbers = [...byNumber.keys()];
  for (const number of [...numbers.filter((one) => !parents.has(one)), ...numbers]) {
    add(number);
    for (let next = open.shift(); next !== undefined; next = open.shift()) addParts(next);
  }
  for (const each of all)
    if (byNumber.get(String(each.issue.number)) !== each)
      goals.push(made(each, readBody(each.issue.body ?? ''), null));
  return goals.map((goal) => ({
    ...goal,
    links: [...(goal.links ?? []), ...(extra.get(goal.key) ?? [])],
  }));
}

/** What an issue is a part of: the first issue, or item of one, whose list names it. */
function parentsOf(bodies: ReadonlyMap<string, Body>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [number, body] of bodies) {
    const open = body.items
      .map((item, index) => ({ item, parent: number, key: `${number} item ${index}` }))
      .toReversed();
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      const { item, parent, key } = top;
      const other = REFERENCE.exec(item.text)?.[1];
      const isIssue = other !== undefined && bodies.has(other);
      if (isIssue && other !== number && !parents.has(other)) parents.set(other, parent);
      const below = item.items.map((each, index) => ({
        item: each,
        parent: isIssue ? parent : key,
        key: `${key}.${index}`,
      }));
      for (const each of below.toReversed()) open.push(each);
    }
  }
  return parents;
}

const UNWANTED = /^(?:not_planned|duplicate)$/i;

/** The members of an issue that have no place in a goal. */
function restOf(issue: Issue): ToolRecord {
  return Object.fromEntries(Object.entries(issue).filter(([name]) => !PLACED.has(name)));
}

function goalOf(issue: Issue, body: Body, parent: string | null, at: number | undefined): OtherToolGoal {
  const rest = restOf(issue);
  const ticked = body.criteria.filter((each) => each.ticked).map(({ text }) => text);
  const { items: _items, criteria: _criteria, blockers, ...said } = readOf(issue, body);
  const reason = said.done && typeof issue['stateReason'] === 'string' ? issue['stateReason'] : '';
  return {
    ...said,
    key: String(issue.number),
    keyOf: (name) => name.replace(/^#/, ''),
    parent,
    acceptance: body.criteria.map(({ text }) => text),
    dependsOn: blockers,
    // An issue is open whatever becomes of one whose list names it; a line of that list is not.
    goesOn: true,
    ...(UNWANTED.test(reason) ? { dropped: reason.toLowerCase().replaceAll('_', ' ') } : {}),
    rest: { ...rest, number: issue.number, at, ticked: ticked.length === 0 ? undefined : ticked },
  };
}

/** Returns what an issue is called; one without a title by what it says. */
function nameOf({ title, body, number }: Issue): string {
  return goalName(title, body, `Issue ${number}`);
}

function readOf(issue: Issue, body: Body) {
  const { state, labels } = issue;
  const tags = (labels ?? []).map((label) => (typeof label === 'string' ? label : label.name));
  const { onHold, priority } = readLabels(tags);
  const standing = readStatus(state?.toUpperCase() === 'CLOSED' ? 'closed' : '');
  return {
    description: nameOf(issue),
    ...body,
    tags,
    ...standing,
    ...(standing.done || onHold === undefined ? {} : { onHold }),
    ...(priority === undefined ? {} : { priority }),
    ...(state == null ? {} : { status: state }),
  };
}

/** What an issue says here; references to other issues in its task list count without their order and their boxes. */
export function readGitHubRecord(record: ToolRecord): Meaning {
  const parsed = issueSchema.safeParse(record).data;
  if (parsed === undefined) return {};
  const {
    items,
    blockers,
    criteria,
    tags,
    status: _status,
    ...said
  } = readOf(parsed, readBody(parsed.body ?? ''));
  const references: string[] = [];
  return {
    ...said,
    tags: [...new Set(tags)],
    acceptance: criteria.map(({ text }) => text),
    ticks: criteria.map(({ ticked }) => ticked),
    blockers: [...new Set(blockers)].toSorted(),
    items: items.flatMap((item) => withoutReferences(item, references)),
    references: references.toSorted(),
  };
}

/** An item without its box, and without those below it that name an issue; what is below such a one is beside it. */
function withoutReferences(item: BodyItem, references: string[]): readonly BodyItem[] {
  const below = item.items.flatMap((each) => withoutReferences(each, references));
  const number = REFERENCE.exec(item.text)?.[1];
  if (number === undefined) return [{ ...item, box: '', items: below }];
  references.push(number);
  return below;
}
