import type { EventPayload } from '../../plan/events.js';
import { outOfScopeTexts } from '../../plan/goal-in-words.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import { priorityInWords } from '../../plan/readiness/priorities.js';
import { removalBlocker } from '../../plan/removal-blocker.js';
import type { Goal } from '../../plan/schema.js';
import { simulate } from '../../plan/simulate.js';
import { ancestors, depthFirst, subtree } from '../../plan/tree.js';
import { goalNamed } from '../goal-numbers.js';
import type { ToldAs, TriageReply } from './triage-reply.js';

/** What stands before a text that tells what is not to be done. */
const NOT_TO_DO = 'Not to be done: ';
/** The longest text that is a criterion; a longer one is context. */
const LONGEST_CRITERION = 500;

/** What an answer which goals of a document are work comes to. */
export interface TriageChanges {
  /** Takes the goals away, with their texts in the goals above; empty where none goes. */
  readonly events: readonly EventPayload[];
  /** How many goals go. */
  readonly gone: number;
  /** What of the answer is not followed, a text each. */
  readonly notices: readonly string[];
}

/** What an answer is read with. */
export interface TriageOptions {
  /** Ids of the goals that were asked about by their numbers. */
  readonly goals: ReadonlyMap<string, string>;
  /** Ids of the goals that somebody has taken in hand since they were asked about. */
  readonly settled: ReadonlySet<string>;
  /** The moment that decides whether a claim still holds. */
  readonly at: string;
}

/**
 * Returns what an answer changes in a plan. A goal goes with all below it, and its text stays with the goal above; one whose
 * parts all go, which may be the root, is to be planned itself. Of what is done, held by somebody or was not asked about nothing goes.
 */
export function triageChanges(
  plan: Plan,
  reply: TriageReply,
  { goals, settled, at }: TriageOptions,
): TriageChanges {
  const { named, unknown } = namedGoals(reply, goals);
  const seen = new Set([...goals.values()].filter((id) => plan.goals.has(id) && !settled.has(id)));
  const going = new Map<string, ToldAs>();
  for (const [id, as] of named)
    for (const part of seen.has(id) ? wholeParts(plan, goalOf(plan, id), seen) : [])
      if (mayGo(plan, part, at)) going.set(part.id, going.get(part.id) ?? as);
  const tops = [...going].filter(([id]) =>
    ancestors(plan, goalOf(plan, id)).every((above) => !going.has(above.id)),
  );
  const strangers = unknown === 0 ? [] : [`${unknown} of its numbers name no goal that was asked about`];
  const { events, next } = eventsFor(plan, new Map(tops), at);
  const gone = plan.goals.size - next.goals.size;
  if (gone > 0 && next.header.status === 'complete' && next.counts.complete === next.counts.atomic)
    return { events: [], gone: 0, notices: [...strangers, 'by it nothing would be left to do'] };
  return { events, gone, notices: strangers };
}

/** Reads the numbers of an answer: ids with what each is, the first that is said of it. */
function namedGoals({ told }: TriageReply, goals: ReadonlyMap<string, string>) {
  const named = new Map<string, ToldAs>();
  const strangers = new Set<string>();
  for (const { number, as } of told) {
    const id = goalNamed(number, goals);
    if (id === undefined) strangers.add(number);
    else if (!named.has(id)) named.set(id, as);
  }
  return { named, unknown: strangers.size };
}

/** The goal itself where all below it was asked about, else the uppermost goals below it for which that holds. */
function wholeParts(plan: Plan, top: Goal, seen: ReadonlySet<string>): readonly Goal[] {
  // From the leaves up, since what is below a goal decides.
  const goals = subtree(plan, top);
  const whole = new Set<string>();
  for (const goal of goals.toReversed())
    if (seen.has(goal.id) && goal.child_ids.every((id) => whole.has(id))) whole.add(goal.id);
  return goals.filter(({ id, parent_id }) => whole.has(id) && (id === top.id || !whole.has(parent_id ?? '')));
}

function mayGo(plan: Plan, { id, parent_id }: Goal, at: string): boolean {
  const parent = goalOf(plan, parent_id ?? '');
  return (
    parent.status !== 'complete' &&
    liveClaim(parent, at) === null &&
    removalBlocker(plan, id, { at }) === null
  );
}

/**
 * The changes, parent by parent: the texts first, so that nothing is gone before it is kept. A goal that takes over all that
 * its parts said waits for what they waited for, as far as nothing would wait for itself.
 */
function eventsFor(
  plan: Plan,
  tops: ReadonlyMap<string, ToldAs>,
  at: string,
): { readonly events: readonly EventPayload[]; readonly next: Plan } {
  const byParent = new Map<string, Goal[]>();
  for (const { goal } of depthFirst(plan)) {
    if (!tops.has(goal.id)) continue;
    const parts = byParent.get(goal.parent_id ?? '') ?? [];
    parts.push(goal);
    byParent.set(goal.parent_id ?? '', parts);
  }
  const events: EventPayload[] = [];
  let next = plan;
  const change = (payload: EventPayload): void => {
    const { plan: changed, refused } = simulate(next, payload, { by: '', at });
    if (refused !== null) return;
    next = changed ?? next;
    events.push(payload);
  };
  for (const [id, parts] of byParent) {
    const parent = goalOf(plan, id);
    const fields = keptIn(plan, parent, parts, tops);
    if (Object.keys(fields).length > 0) change({ type: 'goal_edited', goal: id, fields });
    if (parts.length < parent.child_ids.length)
      for (const part of parts) change({ type: 'goal_removed', goal: part.id, because: WHY });
    else {
      for (const other of waitedForOutside(plan, parent))
        change({ type: 'dependencies_changed', changes: [{ goal: id, add: [other], remove: [] }] });
      change({ type: 'expansion_rolled_back', goal: id, because: WHY });
    }
  }
  return { events, next };
}

/** Ids of what the goals below one wait for that is not below it too. */
function waitedForOutside(plan: Plan, top: Goal): readonly string[] {
  const below = subtree(plan, top);
  const ids = new Set(below.map(({ id }) => id));
  return [...new Set(below.flatMap(({ dependencies }) => dependencies))].filter(
    (id) => !ids.has(id) && !top.dependencies.includes(id),
  );
}

const WHY = 'only told in the document';

/** The detail and checks of a goal with what its parts say. */
function keptIn(
  plan: Plan,
  { detail, acceptance = [] }: Goal,
  parts: readonly Goal[],
  tops: ReadonlyMap<string, ToldAs>,
): { detail?: string; acceptance?: string[] } {
  const criteria = parts.filter((part) => tops.get(part.id) === 'criterion' && isCriterion(part));
  const others = parts.filter((part) => !criteria.includes(part));
  const texts = others.flatMap((part) =>
    linesOf(plan, part, tops.get(part.id) === 'excluded' ? NOT_TO_DO : ''),
  );
  const checks = [...new Set([...acceptance, ...criteria.map(withMarks)])];
  return {
    ...(texts.length === 0
      ? {}
      : { detail: [...(detail === undefined ? [] : [detail, '']), ...texts].join('\n') }),
    ...(checks.length === acceptance.length ? {} : { acceptance: checks }),
  };
}

function isCriterion(goal: Goal): boolean {
  const { child_ids, detail, acceptance, description } = goal;
  return (
    child_ids.length === 0 &&
    detail === undefined &&
    acceptance === undefined &&
    outOfScopeTexts([goal]).length === 0 &&
    description.length <= LONGEST_CRITERION
  );
}

/** A goal and all below it as a list of Markdown with all that they say, what stands below each indented. */
function linesOf(plan: Plan, top: Goal, before: string): readonly string[] {
  return subtree(plan, top).flatMap((goal) => {
    const { detail, acceptance = [] } = goal;
    const indent = '  '.repeat(goal.depth - top.depth);
    const below = (text: string) => (text === '' ? '' : `${indent}  ${text}`);
    return [
      `${indent}- ${goal === top ? before : ''}${withMarks(goal)}`,
      ...(detail === undefined ? [] : ['', ...detail.split('\n').map(below), '']),
      ...acceptance.map((check) => below(`- Done when: ${check}`)),
      ...outOfScopeTexts([goal]).map((text) => below(`- ${NOT_TO_DO}${text}`)),
    ];
  });
}

/** A goal with what a document says of it in marks: "Login (FR-001, P1, priority high)". */
function withMarks({ description, tags = [], priority }: Goal): string {
  const marks = [...tags, ...(priority === undefined ? [] : [`priority ${priorityInWords(priority)}`])];
  return marks.length === 0 ? description : `${description} (${marks.join(', ')})`;
}
