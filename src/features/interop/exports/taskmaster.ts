import { printableJson } from '../../../kernel/text/safe-text.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import type { Meaning, ToolRecord } from '../as-was.js';
import { plainCriteria } from '../criteria.js';
import { DEPENDS_ON } from '../imports/repair-links.js';
import { tellerOf, withTold } from '../told.js';
import type { Told } from '../told.js';
import { readTask } from '../imports/task-master-plan.js';
import {
  heldWord,
  holdBeside,
  inOriginalOrder,
  isAsDerived,
  keptMembers,
  originalOf,
  originalText,
  recordsAsWere,
  restoredGoal,
  originalNamer,
  urgencyIn,
} from './original-fields.js';

/** A goal and what it is called in a list: `2`, or `2.1` for a subtask. */
interface NumberedTask {
  readonly goal: Goal;
  readonly id: string;
  readonly tag: string;
}

/**
 * Task Master's `tasks.json`: what is below the root is a task, what is below that a subtask. Deeper goals are subtasks of the
 * same task, and say in `x_frctl` what they are a part of. Goals that were lists of a tag become such lists again. A plan of one goal
 * is one task.
 */
export function toTaskMaster(plan: Plan): string {
  const { lists } = recordsOf(plan);
  const records = recordsAsWere(plan, 'taskmaster', taskMasterRecords);
  const content = lists.map(({ tag, goals, metadata, untagged }) => {
    const tasks = goals.map((goal) => {
      const parts = partsOf(plan, goal).flatMap(({ id }) => records.get(id) ?? []);
      const record = records.get(goal.id) ?? {};
      const isBare = originalOf(goal, 'taskmaster')['bare'] === true;
      return parts.length === 0 && isBare ? record : { ...record, subtasks: parts };
    });
    const list = { tasks, ...(metadata === null ? {} : { metadata }) };
    return untagged ? list : { [tag]: list };
  });
  return `${printableJson(JSON.stringify(Object.fromEntries(content.flatMap(Object.entries)), null, 2))}\n`;
}

/** The task or subtask of each goal that is one, by its id. */
export function taskMasterRecords(plan: Plan): ReadonlyMap<string, ToolRecord> {
  return recordsOf(plan).records;
}

function recordsOf(plan: Plan) {
  const lists = inOriginalOrder(listsOf(plan, rootOf(plan)), ({ at }) => at);
  const numbered = new Map<string, NumberedTask>();
  for (const { tag, goals } of lists)
    for (const one of numberTasks(plan, goals, tag)) numbered.set(one.goal.id, one);
  const tasks = Array.from(numbered.values(), ({ goal }) => goal);
  const toldOf = tellerOf(plan, tasks, (id, from) => {
    const { id: name, tag } = numbered.get(id) ?? {};
    return name === undefined || tag === numbered.get(from.id)?.tag ? name : `${tag} ${name}`;
  });
  const urgencyOf = urgencyIn(plan);
  const records = new Map<string, ToolRecord>();
  const names = new Set(Array.from(numbered.values(), ({ tag, id }) => `${tag} ${id}`));
  const add = (goal: Goal, written: ToolRecord) => {
    const { tag = '', id = '' } = numbered.get(goal.id) ?? {};
    // A number among subtasks means a sibling.
    const sibling = (name: string) => (id.includes('.') ? `${id.split('.')[0]}.${name}` : name);
    const whole = (name: string) => (names.has(`${tag} ${sibling(name)}`) ? sibling(name) : name);
    const read = meaningFor(goal, whole);
    const beside = { together: TOGETHER, read, told: toldOf(goal), toldIn: 'details' };
    records.set(goal.id, restoredGoal(goal, 'taskmaster', written, beside));
  };
  for (const goal of lists.flatMap(({ goals }) => goals)) {
    const { subtasks, ...task } = taskOf(plan, goal, { numbered, toldOf, urgencyOf });
    add(goal, task);
    for (const [index, part] of partsOf(plan, goal).entries()) add(part, subtasks[index] ?? {});
  }
  return { records, lists };
}

const TOGETHER = [['description', 'details']] as const;

/** Returns what reads what a task says here, and what it waits for, in any order. @param whole the name of a task in its list */
function meaningFor(
  { status, digest }: Goal,
  whole: (name: string) => string,
): (record: ToolRecord) => Meaning {
  return (record) => {
    const { status: _word, result, ...said } = readTask(record);
    const needed = Array.isArray(record['dependencies']) ? record['dependencies'] : [];
    // One that is cancelled is done, but not the other way round.
    const isOther = status === 'complete' && result !== undefined && result !== digest?.summary;
    return {
      ...said,
      isOther,
      id: String(record['id']),
      needed: [...new Set(needed.map((name) => whole(String(name))))].toSorted(),
    };
  };
}

interface List {
  readonly tag: string;
  readonly goals: readonly Goal[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Whether it stands in the file itself, under no tag. */
  readonly untagged: boolean;
  readonly at?: unknown;
}

function listsOf(plan: Plan, root: Goal): readonly List[] {
  const isOneGoal = root.child_ids.length === 0 && !isList(root);
  const children = isOneGoal ? [root] : childrenOf(plan, root);
  const own = children.filter((goal) => !isList(goal));
  const tags = children.filter((goal) => isList(goal));
  const named = originalNamer(
    tags.flatMap((goal) => originalText(originalOf(goal, 'taskmaster'), 'tag') ?? []),
  );
  const lists = tags.map((goal) =>
    listOf(plan, { goal, goals: childrenOf(plan, goal), named, prefix: 'tag-' }),
  );
  if (own.length === 0 && lists.length > 0) return lists;
  return [listOf(plan, { goal: root, goals: own, named, prefix: 'tasks-' }), ...lists];
}

/** Whether a goal was a list of tasks. */
function isList(goal: Goal): boolean {
  const original = originalOf(goal, 'taskmaster');
  return originalText(original, 'tag') !== null || original['untagged'] === true;
}

function listOf(
  plan: Plan,
  {
    goal,
    goals,
    named,
    prefix,
  }: Pick<List, 'goals'> & { goal: Goal; named: ReturnType<typeof originalNamer>; prefix: string },
): List {
  const original = originalOf(goal, 'taskmaster');
  const untagged = original['untagged'] === true;
  const had = originalText(original, 'tag') ?? (prefix === 'tasks-' && !untagged ? 'master' : null);
  return {
    tag: untagged ? '' : named(had, counter(prefix)),
    goals,
    metadata: metadataOf(plan, goal, goals),
    untagged,
    at: original['at'],
  };
}

/** Whether a goal is another than it was when it was imported. */
function isChanged({ created_at, updated_at }: Goal): boolean {
  return updated_at !== created_at;
}

/**
 * What the file said of a list: nothing is said of one that said nothing. What it counts is counted again, and when it was
 * changed is said anew, once something has changed; what cannot be counted so is no longer said.
 */
function metadataOf(plan: Plan, goal: Goal, tasks: readonly Goal[]): List['metadata'] {
  const metadata = originalOf(goal, 'taskmaster')['metadata'];
  const isRoot = goal.parent_id === null;
  if (typeof metadata === 'object' && metadata !== null) {
    const isNamed = isRoot && Object.hasOwn(metadata, 'description');
    const all = [goal, ...tasks.flatMap((task) => [task, ...partsOf(plan, task)])];
    const isTouched = all.some(isChanged);
    const at = all.map(({ updated_at }) => updated_at).reduce((one, other) => (other > one ? other : one));
    const counts = {
      taskCount: tasks.length,
      completedCount: tasks.filter(({ status }) => status === 'complete').length,
      updated: at,
      lastModified: at,
      lastUpdated: at,
    };
    const stale = isTouched ? Object.entries(counts).filter(([name]) => Object.hasOwn(metadata, name)) : [];
    const { totalTasks, ...others }: ToolRecord = { ...metadata, ...Object.fromEntries(stale) };
    return {
      ...others,
      ...(isTouched || totalTasks === undefined ? {} : { totalTasks }),
      ...(isNamed ? { description: goal.description } : {}),
    };
  }
  if (isList(goal)) return null;
  return {
    created: goal.created_at,
    updated: goal.updated_at,
    ...(isRoot ? { description: goal.description } : {}),
  };
}

/** Names the tasks of a list and all below them. */
function numberTasks(plan: Plan, goals: readonly Goal[], tag: string): readonly NumberedTask[] {
  const names = originalNamer(goals.flatMap((goal) => idOf(goal) ?? []));
  const next = counter('');
  return goals.flatMap((goal) => {
    const id = names(idOf(goal), next);
    const parts = partsOf(plan, goal);
    const partNames = originalNamer(parts.flatMap((part) => idOf(part) ?? []));
    const nextPart = counter('');
    return [
      { goal, id, tag },
      ...parts.map((part) => ({ goal: part, id: `${id}.${partNames(idOf(part), nextPart)}`, tag })),
    ];
  });
}

function idOf(goal: Goal): string | null {
  const id = originalText(originalOf(goal, 'taskmaster'), 'id');
  return id !== null && /^\d{1,9}$/.test(id) ? id : null;
}

function counter(prefix: string): () => string {
  let number = 0;
  return () => `${prefix}${(number += 1)}`;
}

/** All below a goal, depth-first. */
function partsOf(plan: Plan, goal: Goal): readonly Goal[] {
  const found: Goal[] = [];
  const open = [...goal.child_ids].toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const part = goalOf(plan, id);
    found.push(part);
    for (const each of part.child_ids.toReversed()) open.push(each);
  }
  return found;
}

interface Naming {
  readonly numbered: ReadonlyMap<string, NumberedTask>;
  readonly toldOf: (goal: Goal) => Told;
  readonly urgencyOf: (goal: Goal) => number;
}

function taskOf(plan: Plan, goal: Goal, naming: Naming) {
  const { numbered } = naming;
  const parts = partsOf(plan, goal);
  const own = new Set(parts.map((part) => numberOf(numbered.get(part.id))));
  const subtasks = parts.map((part) => {
    const after = neededBy(part, numbered);
    // A number among subtasks means a sibling, so a task of that number has no other place.
    const hidden = after.filter((id) => !id.includes('.') && own.has(Number(id)));
    const carried = {
      ...(part.parent_id === goal.id ? {} : { part_of: numbered.get(part.parent_id ?? '')?.id }),
      ...(hidden.length === 0 ? {} : { after: hidden }),
      ...besideOf(part),
    };
    const shown = after.filter((id) => !hidden.includes(id));
    return {
      ...membersOf(part, naming, shown),
      ...(part.priority === undefined ? {} : priorityOf(part.priority)),
      ...(Object.keys(carried).length === 0 ? {} : { x_frctl: carried }),
    };
  });
  const members = membersOf(goal, naming, neededBy(goal, numbered));
  // Task Master reads no list of which a task lacks one of these.
  const description = members.description.trim() === '' ? members.title : members.description;
  const beside = besideOf(goal);
  const carried = beside.on_hold === undefined ? {} : { x_frctl: beside };
  return { ...members, description, ...priorityOf(naming.urgencyOf(goal)), ...carried, subtasks };
}

/** What a goal waits for in its own list, and what it says that it waits for and is not there. */
function neededBy(
  { id, dependencies, links = [] }: Goal,
  numbered: ReadonlyMap<string, NumberedTask>,
): readonly string[] {
  const tag = numbered.get(id)?.tag;
  const found = dependencies.flatMap((on) => {
    const other = numbered.get(on);
    return other === undefined || other.tag !== tag ? [] : other.id;
  });
  const gone = links.flatMap(({ type, to }) => (type === DEPENDS_ON ? (to.split(' ').at(-1) ?? '') : []));
  return [...found, ...gone];
}

function membersOf(goal: Goal, { numbered, toldOf }: Naming, after: readonly string[]) {
  const {
    id: _id,
    status: _status,
    tag: _tag,
    untagged: _untagged,
    bare: _bare,
    metadata: _metadata,
    ...rest
  } = keptMembers(goal, 'taskmaster');
  const [description = '', ...details] = (goal.detail ?? '').split('\n\n');
  // When a task was changed is said of those of which it was said.
  const isDated = Object.hasOwn(rest, 'updatedAt') && isChanged(goal);
  return {
    ...rest,
    ...(isDated ? { updatedAt: goal.updated_at } : {}),
    id: numberOf(numbered.get(goal.id)),
    title: goal.description,
    description,
    details: withTold(details.join('\n\n'), toldOf(goal)),
    testStrategy: plainCriteria(goal.acceptance ?? []),
    status: statusOf(goal),
    dependencies: after.map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : id)),
  };
}

const PRIORITIES = ['critical', 'high', 'medium', 'low', 'low'];

function priorityOf(urgency: number) {
  return { priority: PRIORITIES[urgency] ?? 'medium' };
}

function numberOf(numbered: NumberedTask | undefined): number {
  return Number(numbered?.id.split('.').at(-1));
}

const HELD = ['blocked', 'deferred'];

/** The status of a goal; the word that it had is put back where it says the same. */
function statusOf(goal: Goal): string {
  const isDerived = isAsDerived(goal, 'taskmaster');
  if (isDerived !== (goal.status === 'complete')) return 'done';
  if (goal.status === 'failed') return 'blocked';
  if (goal.claim !== undefined) return 'in-progress';
  return goal.on_hold === undefined ? 'pending' : heldWord(goal, 'taskmaster', HELD);
}

/** Why a goal is on hold, where its status does not say it. */
function besideOf(goal: Goal): ReturnType<typeof holdBeside> {
  return goal.status === 'complete' || goal.status === 'failed' ? {} : holdBeside(goal, statusOf(goal));
}

function childrenOf(plan: Plan, goal: Goal): readonly Goal[] {
  return goal.child_ids.map((id) => goalOf(plan, id));
}
