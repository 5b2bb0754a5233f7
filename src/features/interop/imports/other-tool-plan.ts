import { legible } from '../../../kernel/text/legible.js';
import type { Decision, Goal, PlanFile } from '../../../plan/schema.js';
import { matterKey } from '../../../plan/decisions.js';
import { rootGoalId } from '../../../plan/ids.js';
import { SCHEMA_VERSION } from '../../../plan/snapshot/format-version.js';
import type { OtherToolGoal } from './other-tool-goal.js';
import { dataOf } from '../data-members.js';
import type { KeptTool } from '../data-members.js';
import { inQuotes } from '../../../plan/goal-in-words.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import type { ToolRecord } from '../as-was.js';
import type { ToldDecision } from '../told.js';
import { leftOutInWords } from '../../../kernel/text/line-account.js';
import type { Account } from '../../../operations/maintenance/account.js';
import { withResult } from '../result-section.js';
import { heldAsDropped } from './dropped-parts.js';
import { repairLinks } from './repair-links.js';

/** The tasks of another tool, in order, parents before their parts or after. */
export interface OtherToolPlan {
  /** The name of the tool, for `x_` members. */
  readonly tool: KeptTool;
  readonly title: string;
  readonly goals: readonly OtherToolGoal[];
  /** The key of the task that the root is; without it a root is made. */
  readonly top?: string;
  /** What of the tool's was left out, and other remarks, in words. */
  readonly notes?: readonly string[];
  /** What of the whole has no place here. */
  readonly rest?: Readonly<Record<string, unknown>>;
  /** The members of the whole, as the export of the tool writes them. */
  readonly original?: ToolRecord;
  /** What happened to each line of the files. */
  readonly account?: Pick<Account, 'files' | 'left_out'>;
}

/**
 * A plan of another tool whose root is the one task above all others, where there is one; else a root is made that
 * stands for the whole, which its `x_` member says.
 */
export function underOneRoot(plan: OtherToolPlan): OtherToolPlan {
  const keys = new Set(plan.goals.map(({ key }) => key));
  const tops = plan.goals.filter(({ parent }) => parent === null || !keys.has(parent));
  const [top, ...others] = tops;
  const isAbove =
    top !== undefined && others.length === 0 && plan.goals.some(({ parent }) => parent === top.key);
  return isAbove && top.dependsOn.length === 0
    ? { ...plan, top: top.key }
    : { ...plan, rest: { collection: true } };
}

interface Making {
  readonly planId: string;
  readonly newGoalId: () => string;
  /** An ISO 8601 time. */
  readonly at: string;
}

/** A plan file, and what was left out or dropped for it, in words. */
export interface MadePlanFile {
  readonly file: PlanFile;
  readonly notes: readonly string[];
  readonly changed: Account['changed'];
  /** The members that each goal had, by its id. */
  readonly originals: ReadonlyMap<string, ToolRecord>;
}

/**
 * A plan file of the tasks of another tool. No task is lost; what names a task that is not there, or would be part of itself,
 * is left out and said. The rest may still break the rules of a plan, and is to be mended as a plan file of the legacy tool is.
 */
export function planFileOf(plan: OtherToolPlan, { planId, newGoalId, at }: Making): MadePlanFile {
  const { goals, dropped } = repairLinks(plan.goals);
  const { tool, top } = plan;
  const root = rootGoalId(planId);
  const ids = new Map(goals.map(({ key }) => [key, key === top ? root : newGoalId()]));
  const idOf = (key: string | null) => (key === null ? root : (ids.get(key) ?? root));
  const below = goals.filter(({ key }) => key !== top);
  const children = new Map<string, string[]>();
  for (const { key, parent } of below) {
    const above = idOf(parent);
    children.set(above, children.get(above) ?? []);
    children.get(above)?.push(idOf(key));
  }
  const isDone = doneBelow(root, children, new Map(goals.map((goal) => [idOf(goal.key), goal.done])));
  const rootTask = rootOf({ ...plan, goals });
  const decided = decisionsOf([rootTask, ...below], idOf, (key) => ids.get(key));
  const placed = new Map([[root, rootTask], ...below.map((goal) => [idOf(goal.key), goal] as const)]);
  const held = heldAsDropped({ root, goals: placed, children, isDone });
  const made = (goal: OtherToolGoal, parent_id: string | null): Goal => {
    const id = idOf(goal.key);
    const child_ids = children.get(id) ?? [];
    return {
      id,
      description: goal.description,
      status: isDone(id) ? 'complete' : child_ids.length > 0 ? 'decomposing' : 'atomic',
      parent_id,
      child_ids,
      depth: 0,
      created_at: at,
      updated_at: at,
      reasoning: null,
      digest: digestOf(goal, isDone(id)),
      tokens_used: 0,
      dependencies: goal.dependsOn.flatMap((on) => ids.get(on) ?? []),
      graph_node_id: null,
      ...decided.get(id),
      ...(goal.done && child_ids.length > 0 && !isDone(id) ? { said_done: true as const } : {}),
      ...optionalMembers(asItStands(goal, tool, { isDone: isDone(id), heldWith: held.get(id) }), tool),
    };
  };
  const rootGoal = { ...made(rootTask, null), id: root, child_ids: children.get(root) ?? [] };
  const others = below.map((goal) => made(goal, idOf(goal.parent)));
  const status = others.length === 0 ? 'atomic' : isDone(root) ? 'complete' : 'decomposing';
  const deep = withDepths([{ ...rootGoal, status }, ...others], root);
  const file: PlanFile = {
    id: planId,
    root_goal_id: root,
    description: rootGoal.description,
    status: 'complete',
    created_at: at,
    updated_at: at,
    total_tokens: 0,
    max_depth: deep.reduce((most, { depth }) => Math.max(most, depth), 0),
    schema_version: SCHEMA_VERSION,
    goals: Object.fromEntries(deep.map((goal) => [goal.id, goal])),
    ...linkedOf([rootTask, ...below], idOf, at),
  };
  const isOpen = (id: string) => !isDone(id);
  const changes = goals.flatMap((goal) => changeOf(goal, idOf(goal.key), { children, isOpen, held }));
  const originals = goals.flatMap(({ key, original }) =>
    original === undefined ? [] : [[idOf(key), original] as const],
  );
  if (plan.original !== undefined) originals.push([root, plan.original]);
  return {
    file,
    notes: [
      ...(plan.notes ?? []),
      ...changes.map(({ note }) => note),
      ...dropped,
      ...leftOutNotes(plan),
      ...leftOutInWords(plan.account?.left_out ?? []),
    ],
    changed: changes.map(({ change }) => change),
    originals: new Map(originals),
  };
}

interface Standings {
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly isOpen: (id: string) => boolean;
  /** What is on hold as part of what nobody wants, with the word for that. */
  readonly held: ReadonlyMap<string, string>;
}

/** What is said of a goal whose status follows from its parts, or from what it is a part of, and is another than its tool said. */
function changeOf(goal: OtherToolGoal, id: string, { children, isOpen, held }: Standings) {
  const parts = children.get(id) ?? [];
  const { status = '', description, place = { file: '', line: 0 } } = goal;
  const word = held.get(id);
  const is = word !== undefined ? 'on hold' : goal.done ? 'open' : 'done';
  const change = { ...place, goal: id, member: 'status', was: status, is };
  if (word !== undefined && !goal.done)
    return [
      { note: `${inQuotes(description)} is on hold with what it is a part of: ${legible(word)}`, change },
    ];
  if (status === '' || parts.length === 0 || goal.done !== isOpen(id)) return [];
  const open = parts.filter(isOpen).length;
  const note = goal.done
    ? `${inQuotes(description)} is ${is}, though marked ${legible(status)}: ${open} of ${quantityOf(parts.length, 'part')} ${open === 1 ? 'is' : 'are'} open`
    : `${inQuotes(description)} is done, though marked ${legible(status)}: ${parts.length === 1 ? 'its one part is' : `all of its ${quantityOf(parts.length, 'part')} are`} done`;
  return [{ note, change }];
}

/** What of the tool's members is no data, and so is not kept for it, each with the first task that has it. */
function leftOutNotes({ tool, goals, rest = {} }: OtherToolPlan): readonly string[] {
  const found = new Map<string, string[]>();
  const add = (members: ToolRecord, where: string) => {
    for (const path of new Set(dataOf(members, tool).leftOut))
      found.set(path, [...(found.get(path) ?? []), where]);
  };
  add(rest, '');
  for (const { rest: members = {}, description, place } of goals)
    add(
      members,
      ` of ${inQuotes(description)}${place === undefined ? '' : ` (${legible(place.file)}:${place.line})`}`,
    );
  return [...found].map(([path, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${quantityOf(others.length, 'other')}`;
    return `${legible(path)} is left out${first}${more}: ${tool} might run what it holds`;
  });
}

/** The task that the root is; where there is none, one that stands for all. */
function rootOf({ goals, top, title, rest }: OtherToolPlan): OtherToolGoal {
  const found = goals.find(({ key }) => key === top);
  if (found !== undefined) return { ...found, dependsOn: [] };
  return { key: '', parent: null, description: title, done: false, dependsOn: [], ...(rest ? { rest } : {}) };
}

/** Tools that have a text for what came of a task. */
const SAYS_RESULT: ReadonlySet<KeptTool> = new Set(['backlog', 'beads']);

/**
 * A goal as it stands here, with a note of what its tool said where that is otherwise, so that it can go back so: it was open
 * where all of its parts are done, or was not on hold. What came of one that is open is text of it.
 */
function asItStands(
  goal: OtherToolGoal,
  tool: KeptTool,
  { isDone, heldWith }: { readonly isDone: boolean; readonly heldWith: string | undefined },
): OtherToolGoal {
  const isOtherwise = isDone && !goal.done && (goal.status ?? goal.original) !== undefined;
  const { detail = '', result = '' } = goal;
  return {
    ...goal,
    detail: isDone || !SAYS_RESULT.has(tool) ? detail : withResult(detail, result),
    rest: {
      ...goal.rest,
      ...(isOtherwise ? { said_open: true } : {}),
      ...(heldWith === undefined ? {} : { held_with: heldWith }),
    },
    ...(heldWith === undefined ? {} : { onHold: heldWith }),
  };
}

function optionalMembers(goal: OtherToolGoal, tool: KeptTool) {
  const { detail, acceptance = [], tags = [], rest = {}, onHold, heldUntil, priority, links = [] } = goal;
  const kept = Object.entries(dataOf(rest, tool).data).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const criteria = acceptance.map((text) => text.trimEnd()).filter((text) => text.trim() !== '');
  return {
    ...(detail === undefined || detail.trim() === '' ? {} : { detail }),
    ...(criteria.length === 0 ? {} : { acceptance: criteria }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    ...(onHold === undefined
      ? {}
      : { on_hold: { reason: onHold, ...(heldUntil === undefined ? {} : { until: heldUntil }) } }),
    ...(priority === undefined ? {} : { priority }),
    ...(links.length === 0 ? {} : { links: links.map(({ type, to }) => ({ type, to })) }),
    ...(kept.length === 0 ? {} : { [`x_${tool}`]: Object.fromEntries(kept) }),
  };
}

/**
 * Returns the decisions that tasks tell, by the goal that they are for, each matter once. One that names a task that is
 * not there is open, and nobody's.
 */
function decisionsOf(
  goals: readonly OtherToolGoal[],
  idOf: (key: string | null) => string,
  deciderOf: (key: string) => string | undefined,
): ReadonlyMap<string, Pick<Goal, 'decisions'>> {
  const found = new Map<string, Map<string, Decision>>();
  const add = (id: string, { keyOf }: OtherToolGoal, { decidedBy, ...decision }: ToldDecision) => {
    const decider = decidedBy === undefined ? undefined : deciderOf(keyOf?.(decidedBy) ?? decidedBy);
    const all = found.get(id) ?? new Map<string, Decision>();
    found.set(id, all);
    all.set(matterKey(decision.what), {
      ...decision,
      ...(decider === undefined ? {} : { decided_by: decider }),
    });
  };
  for (const goal of goals) {
    for (const each of goal.decisions ?? []) add(idOf(goal.key), goal, each);
    for (const each of goal.whole ?? []) add(idOf(null), goal, each);
  }
  return new Map(Array.from(found, ([id, all]) => [id, { decisions: [...all.values()] }]));
}

/** The results that tasks use and none makes, each with all tasks that use it. */
function linkedOf(
  goals: readonly OtherToolGoal[],
  idOf: (key: string) => string,
  at: string,
): Pick<PlanFile, 'linked'> {
  const used = new Map<string, string[]>();
  for (const { key, missing = [] } of goals)
    for (const what of missing) used.set(what, [...(used.get(what) ?? []), idOf(key)]);
  const missing = Array.from(used, ([what, used_by]) => ({ what, used_by }));
  return missing.length === 0 ? {} : { linked: { at, missing } };
}

function digestOf({ result }: OtherToolGoal, isDone: boolean): Goal['digest'] {
  if (!isDone || result === undefined || result.trim() === '') return null;
  return { summary: result.trim(), key_decisions: [], artifacts: [] };
}

/** A leaf is done as it was; what has parts is done when all of them are. */
function doneBelow(
  root: string,
  children: ReadonlyMap<string, readonly string[]>,
  done: ReadonlyMap<string, boolean>,
): (id: string) => boolean {
  const order = [root];
  for (const id of order) for (const child of children.get(id) ?? []) order.push(child);
  const found = new Map<string, boolean>();
  for (const id of order.toReversed()) {
    const below = children.get(id) ?? [];
    found.set(
      id,
      below.length === 0 ? done.get(id) === true : below.every((each) => found.get(each) === true),
    );
  }
  return (id) => found.get(id) === true;
}

function withDepths(goals: readonly Goal[], root: string): readonly Goal[] {
  const byId = new Map(goals.map((goal) => [goal.id, goal]));
  const depths = new Map([[root, 0]]);
  for (const id of depths.keys())
    for (const child of byId.get(id)?.child_ids ?? []) depths.set(child, (depths.get(id) ?? 0) + 1);
  return goals.map((goal) => ({ ...goal, depth: depths.get(goal.id) ?? 1 }));
}
