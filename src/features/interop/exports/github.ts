import { isSameJson } from '../../../kernel/json/same-json.js';
import { oneLine, printableJson } from '../../../kernel/text/safe-text.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import { restored } from '../as-was.js';
import type { ToolRecord } from '../as-was.js';
import { boxOfGoal, boxSays, boxText } from '../checklists/box-marks.js';
import { criterionItem } from '../criteria.js';
import { asText, blockersIn, readBody } from '../imports/github-body.js';
import { labelsNow } from '../imports/github-labels.js';
import { readGitHubRecord, wordsIn } from '../imports/github-plan.js';
import { DEPENDS_ON, PART_OF } from '../imports/repair-links.js';
import { isBox, standingOfTask, tickedLike } from '../imports/task-text.js';
import { isTold, retold, tellerOf, withTold } from '../told.js';
import type { Told } from '../told.js';
import {
  asWasOf,
  meaningOf,
  inOriginalOrder,
  isAsDerived,
  isCollection,
  keptMembers,
  originalOf,
  originalTexts,
  originalNamer,
  recordsAsWere,
} from './original-fields.js';

/**
 * The export to GitHub: its issues as `gh issue list --json number,title,body,state,stateReason,labels` prints them. A leaf that
 * has nothing but its description is an item of the task list above it, any other goal an issue of the number that
 * it had, or of the next one.
 */
export function toGitHub(plan: Plan): string {
  const issues = [...recordsAsWere(plan, 'github', gitHubRecords)].toSorted(
    ([, one], [, other]) => Number(one['number']) - Number(other['number']),
  );
  const ordered = inOriginalOrder(issues, ([id]) => {
    const goal = plan.goals.get(id);
    return goal === undefined ? undefined : originalOf(goal, 'github')['at'];
  });
  return `${printableJson(
    JSON.stringify(
      ordered.map(([, record]) => record),
      null,
      2,
    ),
  )}\n`;
}

/** The issue of each goal that is one, by its id. */
export function gitHubRecords(plan: Plan): ReadonlyMap<string, ToolRecord> {
  const root = rootOf(plan);
  const taken = new Set([...plan.goals.values()].flatMap((goal) => numberIn(goal) ?? []));
  const needed = new Set(
    [...plan.goals.values()].flatMap(({ dependencies, decisions = [] }) => [
      ...dependencies,
      ...decisions.flatMap(({ decided_by }) => decided_by ?? []),
    ]),
  );
  const unnamed = tellerOf(plan, [root], () => undefined);
  const isTop = (goal: Goal) => goal === root || (goal.parent_id === root.id && isCollection(root, 'github'));
  const items = new Set<string>();
  // Parts before what they are part of: a line of a list has only such lines below it.
  for (const { goal } of Array.from(depthFirst(plan)).toReversed())
    if (
      isItem(goal, needed) &&
      waitsAsSaid(plan, goal, taken) &&
      !isTold(unnamed(goal)) &&
      goal.child_ids.every((id) => items.has(id))
    )
      items.add(goal.id);
  const goals = Array.from(depthFirst(plan), ({ goal }) => goal).filter((goal) =>
    goal === root ? !isCollection(root, 'github') : isTop(goal) || !items.has(goal.id),
  );
  const nameFor = originalNamer(goals.flatMap((goal) => numberIn(goal) ?? []));
  // A number that lines name is no new issue's.
  const named = [...items].flatMap((id) => namedIn(goalOf(plan, id).description));
  const highest = goals.reduce((most, goal) => Math.max(most, Number(numberIn(goal) ?? 0)), 0);
  let last = named.reduce((most, number) => Math.max(most, Number(number)), highest);
  const numbers = new Map(
    goals.map((goal) => [goal.id, nameFor(numberIn(goal), () => String((last += 1)))] as const),
  );
  const listed = listedElsewhere(goals, numbers);
  const toldOf = tellerOf(plan, goals, (id) => {
    const number = numbers.get(id);
    return number === undefined ? undefined : `#${number}`;
  });
  return new Map(
    goals.map((goal) => {
      const told = toldOf(goal);
      const written = issueOf(plan, goal, { numbers, listed, told });
      const { as_was, ...rest } = asWasOf(goal, 'github');
      const body = as_was?.['body'];
      // What is only ticked here changes its box, and nothing else of the text.
      const ticked =
        typeof body === 'string' ? { body: retold(tickedLike(body, String(written['body'])), told) } : {};
      return [
        goal.id,
        restored(written, { ...rest, as_was: { ...as_was, ...ticked } }, [], {
          meaning: { ...readGitHubRecord(written), ...meaningOf(goal) },
          read: readGitHubRecord,
        }),
      ];
    }),
  );
}

/** The issues that a task list names which is not the one that they are a part of, by the number of that one. */
function listedElsewhere(goals: readonly Goal[], numbers: ReadonlyMap<string, string>) {
  const listed = new Map<string, Goal[]>();
  for (const goal of goals)
    for (const { type, to } of goal.links ?? []) {
      const number = to.slice(1);
      if (type !== PART_OF || !to.startsWith('#') || !numbers.has(goal.id)) continue;
      const all = listed.get(number) ?? [];
      all.push(goal);
      listed.set(number, all);
    }
  return listed;
}

interface Naming {
  readonly told: Told;
  readonly numbers: ReadonlyMap<string, string>;
  readonly listed: ReadonlyMap<string, readonly Goal[]>;
}

function numberIn(goal: Goal): string | null {
  const { number } = originalOf(goal, 'github');
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? String(number) : null;
}

/** Whether a goal loses nothing as a line of a task list, but for what is below it and what it waits for. */
function isItem(goal: Goal, needed: ReadonlySet<string>): boolean {
  const { id, description, status, child_ids, detail, acceptance = [], tags = [] } = goal;
  // One that was a line may have text and lines below it; any other is an issue then.
  const wasItem = wasLine(goal);
  const isBare = child_ids.length === 0 && detail === undefined;
  const isPlain = (wasItem || isBare) && acceptance.length + tags.length === 0;
  const isFree = !needed.has(id) && numberIn(goal) === null;
  const isOneLine = description === oneLine(description).trim() && !description.startsWith('#');
  const isLine = (wasItem || isOneLine) && isReadAsLine(goal);
  return isPlain && isFree && isLine && status !== 'failed' && goal.failure === undefined;
}

/** Whether a goal was a line of a task list when it was imported. */
function wasLine(goal: Goal): boolean {
  return originalOf(goal, 'github')['item'] === true;
}

/** The numbers that a line names: what it begins with, and what its words say that it waits for. */
function namedIn(line: string): readonly string[] {
  const [, first] = /^#(\d{1,9})\b/.exec(line) ?? [];
  return [...(first === undefined ? [] : [first]), ...blockersIn(line)];
}

/** Whether what a goal waits for is what its words say. */
function waitsAsSaid(plan: Plan, goal: Goal, taken: ReadonlySet<string>): boolean {
  const waits = goal.dependencies.map((id) => numberIn(goalOf(plan, id)));
  // What a plan cannot wait for, such as an issue that it is a part of, is a link.
  const linked = (goal.links ?? []).flatMap(({ type, to }) => (type === DEPENDS_ON ? to : []));
  // A line that was none may name no number that another issue gets.
  const said = blockersIn(goal.description).filter((number) => !wasLine(goal) || taken.has(number));
  const others = linked.filter((number) => taken.has(number));
  const needed = new Set([...waits, ...others]);
  return needed.size === new Set(said).size && said.every((number) => needed.has(number));
}

/**
 * Whether the line of a goal, with its text below it, is read as that and nothing more. Words of a line that was one say of
 * it what they said: “(deferred)”.
 */
function isReadAsLine(goal: Goal): boolean {
  const { items, detail } = readBody(lineWithText(goal, itemLine(goal, new Map(), '')).join('\n'));
  const [only, ...others] = items;
  const isAlone = others.length === 0 && detail === '' && only?.items.length === 0;
  if (!isAlone || only.text !== goal.description || only.detail !== (goal.detail ?? '').trimEnd())
    return false;
  const [isDone, hold] = [goal.status === 'complete', goal.on_hold?.reason];
  return (
    (wasLine(goal) || only.done === isDone) &&
    (isDone || (wasLine(goal) && hold === undefined) || only.onHold === hold)
  );
}

function issueOf(plan: Plan, goal: Goal, naming: Naming): ToolRecord {
  const {
    number: _number,
    state: _state,
    labels,
    ticked: _ticked,
    item: _item,
    box: _box,
    collection: _all,
    ...original
  } = keptMembers(goal, 'github');
  const isClosed = isAsDerived(goal, 'github') ? goal.status !== 'complete' : goal.status === 'complete';
  return {
    ...original,
    ...closingOf(original, isClosed, goal.updated_at),
    number: Number(naming.numbers.get(goal.id)),
    title: goal.description,
    body: bodyOf(plan, goal, naming),
    state: isClosed ? 'CLOSED' : 'OPEN',
    labels: labelsOf(goal).map((name) => ({ ...keptLabel(labels, name), name })),
  };
}

function labelsOf({ tags = [], status, on_hold: hold, priority }: Goal): readonly string[] {
  // What is done is on hold no more, and its labels say what was.
  const onHold = status === 'complete' ? '' : hold?.reason;
  return labelsNow(tags, {
    ...(onHold === undefined ? {} : { onHold }),
    ...(priority === undefined ? {} : { priority }),
  });
}

/** What an issue says of its end, where it says something of it: as before, unless that is another than how it stands. */
function closingOf(original: ToolRecord, isClosed: boolean, at: string): ToolRecord {
  const { closed, closedAt, stateReason } = original;
  const said = {
    closed: [closed === true, isClosed],
    closedAt: [typeof closedAt === 'string', isClosed ? at : null],
    stateReason: [
      /^(?:completed|not_planned|duplicate)$/i.test(String(stateReason)),
      isClosed ? 'COMPLETED' : 'REOPENED',
    ],
  } as const;
  const changed = Object.entries(said).filter(
    ([name, [was]]) => Object.hasOwn(original, name) && was !== isClosed,
  );
  return Object.fromEntries(changed.map(([name, [, is]]) => [name, is]));
}

/** The color and the like of a label, if it had them. */
function keptLabel(labels: unknown, name: string): object {
  if (!Array.isArray(labels)) return {};
  const found: unknown = labels.find((label) => Object(label).name === name);
  return typeof found === 'object' && found !== null ? found : {};
}

/**
 * The text of an issue. A detail that would be read as more than text stands between marks, and a criterion that would be is
 * written on one line.
 */
function bodyOf(plan: Plan, goal: Goal, { numbers, listed, told }: Naming): string {
  const { detail = '', acceptance = [] } = goal;
  const ticked = new Set(originalTexts(originalOf(goal, 'github'), 'ticked'));
  const own = numbers.get(goal.id) ?? '';
  const items = [
    ...goal.child_ids.flatMap((id) => itemLines(plan, goalOf(plan, id), numbers, own)),
    ...(listed.get(own) ?? []).map((other) => itemLine(other, numbers, own)),
  ].join('\n');
  const waits = goal.dependencies.flatMap((id) => numbers.get(id) ?? []);
  const others = (goal.links ?? []).flatMap(({ type, to }) => (type === DEPENDS_ON ? to : []));
  const blockers = [...new Set([...waits, ...others])];
  const written = (about: string, said: readonly string[], write: (text: string) => string) => {
    const hidden = blockers.filter((number) => !said.includes(number));
    const criteria = acceptance.map((text) =>
      criterionItem(`- [${ticked.has(text) ? 'x' : ' '}] `, write(text)),
    );
    const parts = [
      about,
      items,
      criteria.length === 0 ? '' : `### Acceptance criteria\n\n${criteria.join('\n')}`,
      hidden.map((number) => `Blocked by #${number}`).join('\n'),
    ];
    return withTold(parts.filter((part) => part !== '').join('\n\n'), told);
  };
  const listedItems = readBody(items).items;
  const isRead = (body: string): boolean => {
    const read = readBody(body);
    return (
      read.detail === detail.trimEnd() &&
      read.criteria.length === acceptance.length &&
      read.criteria.every(({ text }, index) => text === acceptance[index]) &&
      isSameJson(read.items, listedItems) &&
      isSameJson([...new Set(read.blockers)].toSorted(), blockers.toSorted())
    );
  };
  const plain = written(detail, blockersIn(detail), (text) => text);
  if (isRead(plain)) return plain;
  const about = detail === '' ? '' : asText(detail);
  const marked = written(about, [], (text) => text);
  return isRead(marked) ? marked : written(about, [], oneLine);
}

/** The line of a goal in a task list, and what stands below it there. */
function itemLines(
  plan: Plan,
  top: Goal,
  numbers: ReadonlyMap<string, string>,
  list: string,
): readonly string[] {
  const lines: string[] = [];
  const open = [{ goal: top, indent: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { goal, indent } = next;
    const line = itemLine(goal, numbers, list);
    for (const each of numbers.has(goal.id) ? [line] : lineWithText(goal, line))
      lines.push(each === '' ? '' : `${indent}${each}`);
    if (numbers.has(goal.id)) continue;
    for (const id of goal.child_ids.toReversed())
      open.push({ goal: goalOf(plan, id), indent: `${indent}  ` });
  }
  return lines;
}

/** The line of a goal that is no issue, and its text below it. */
function lineWithText({ detail }: Goal, line: string): readonly string[] {
  const below = detail?.split('\n') ?? [];
  return [line, ...below.map((each) => (each === '' ? '' : `  ${each}`))];
}

function itemLine(goal: Goal, numbers: ReadonlyMap<string, string>, list: string): string {
  const number = numbers.get(goal.id);
  const isDone = isAsDerived(goal, 'github') ? goal.status !== 'complete' : goal.status === 'complete';
  if (number === undefined) {
    // What was a line goes back with its blanks as they were.
    const isLine = wasLine(goal) && !/[\r\n]/.test(goal.description);
    const text = isLine ? goal.description : oneLine(goal.description);
    return `- [${boxOf(goal, isDone, text)}] ${text}`;
  }
  const words = goal.links?.find(({ type }) => type === wordsIn(list))?.to ?? oneLine(goal.description);
  return `- [${isDone ? 'x' : ' '}] #${number} ${words}`;
}

/** What to write into the box of a line: what stood there, where that, with the words of the line, says the same. */
function boxOf(goal: Goal, isDone: boolean, text: string): string {
  const { box: had } = originalOf(goal, 'github');
  const box = typeof had === 'string' && isBox(had) ? had : ' ';
  const { done: ticked } = standingOfTask({ box, text });
  return boxText(boxOfGoal(goal, isDone), { box, ticked, mark: ticked ? '' : boxSays(box).mark });
}
