import * as z from 'zod';

import type { Plan } from '../../../plan/plan.js';
import { USUAL_PRIORITY } from '../../../plan/readiness/priorities.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import { dataOf } from '../data-members.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { sha256 } from '../../../kernel/sha256.js';
import { makePlan } from '../../../plan/make-plan.js';
import { asItWas, restored } from '../as-was.js';
import type { AsWas, Meaning, ToolRecord } from '../as-was.js';
import type { KeptData, KeptTool } from '../data-members.js';
import { retold } from '../told.js';
import type { Told } from '../told.js';

const originalSchema = z.record(z.string(), z.unknown());

/**
 * The fields that a goal had in the tool that it was imported from, by their names there; empty for any other goal. A plan
 * can say anything of them, so only what is data is among them (see {@link DATA_MEMBERS}).
 */
export function originalOf(goal: Goal, tool: KeptTool): Readonly<Record<string, unknown>> {
  return keptOf(goal, tool).data;
}

function keptOf(goal: Goal, tool: KeptTool): KeptData {
  return dataOf(originalSchema.safeParse(goal[`x_${tool}`]).data ?? {}, tool);
}

/** The members that goals of a plan have of a tool and that are no data, which no export writes, by their paths. */
export function leftOutOf(plan: Plan, tool: KeptTool): readonly string[] {
  return [...new Set([...plan.goals.values()].flatMap((goal) => keptOf(goal, tool).leftOut))];
}

/** A text among the original fields; null where there is none. */
export function originalText(original: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = original[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The texts of a list among the original fields. */
export function originalTexts(original: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = original[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Whether the original of a root is no task of its own: it was made for the whole import. */
export function isCollection(root: Goal, tool: KeptTool): boolean {
  return originalOf(root, tool)['collection'] === true;
}

/** What is kept of the members that a goal had, so that they go back as they were (see {@link restored}). */
export function asWasOf(goal: Goal, tool: KeptTool): AsWas {
  const { as_was, not_there } = originalOf(goal, tool);
  const found = originalSchema.safeParse(as_was).data;
  return {
    ...(found === undefined ? {} : { as_was: found }),
    ...(Array.isArray(not_there) ? { not_there: not_there.filter((one) => typeof one === 'string') } : {}),
  };
}

/**
 * Returns the members that a goal has of a tool, without what only says how they were and without notes of frctl itself.
 */
export function keptMembers(goal: Goal, tool: KeptTool): ToolRecord {
  const {
    as_was: _before,
    not_there: _new,
    at: _place,
    said_open: _said,
    held_with: _held,
    as_written: _mark,
    ...rest
  } = originalOf(goal, tool);
  return rest;
}

/** Puts what is written for goals into the order that it had; what is new comes after what it follows. */
export function inOriginalOrder<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => unknown,
): readonly Item[] {
  let last = -1;
  const placed = items.map((item) => {
    const place = placeOf(item);
    if (typeof place === 'number') last = place;
    return { item, place: last };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}

/**
 * Tells whether a goal is still as its parts made it when it was imported: done or open otherwise than its tool said. One that was
 * on hold as nobody wanted it, and is no more, is wanted again.
 */
export function isAsDerived(goal: Goal, tool: KeptTool): boolean {
  if (goal.child_ids.length === 0) return false;
  const { said_open, held_with } = originalOf(goal, tool);
  if (goal.status === 'complete') return goal.updated_at === goal.created_at && said_open === true;
  const isWanted = held_with !== undefined && goal.on_hold === undefined;
  return goal.said_done === true && goal.claim === undefined && !isWanted;
}

/** Returns a plan as its tool has it: without the holds of what is a part of what nobody wants, for they are said there alone. */
export function asSaidThere(plan: Plan, tool: KeptTool): Plan {
  const isHeldWith = (goal: Goal) =>
    goal.on_hold !== undefined && originalOf(goal, tool)['held_with'] === goal.on_hold.reason;
  const goals = Array.from(plan.goals.values(), (goal): Goal => {
    if (!isHeldWith(goal)) return goal;
    const { on_hold: _derived, ...rest } = goal;
    const { held_with: _word, ...members }: ToolRecord = Object(goal[`x_${tool}`]);
    return { ...rest, [`x_${tool}`]: members };
  });
  return makePlan(plan.header, goals);
}

/**
 * Gives every goal a name of its own: its original one, or else the next that is free. A `next` that says the same again
 * gets a number behind it.
 */
export function originalNamer(taken: Iterable<string>): (had: string | null, next: () => string) => string {
  const given = new Set<string>();
  const reserved = new Set(taken);
  return (had, next) => {
    if (had !== null && !given.has(had)) {
      given.add(had);
      return had;
    }
    let before: string | null = null;
    for (let number = 1; ; number += 1) {
      const wanted = next();
      const name: string = wanted === before ? `${wanted}-${number}` : wanted;
      before = wanted;
      if (given.has(name) || reserved.has(name)) continue;
      given.add(name);
      return name;
    }
  };
}

/**
 * Returns the status of a goal on hold: its reason where that is the word that it had, or one that the tool knows, else `deferred`.
 */
export function heldWord(goal: Goal, tool: KeptTool, known: readonly string[]): string {
  const had = asWasOf(goal, tool).as_was?.['status'];
  const reason = goal.on_hold?.reason ?? '';
  return reason === had || known.includes(reason) ? reason : 'deferred';
}

/** What is said beside a status of why a goal is on hold, where that is another word. */
export function holdBeside({ on_hold: hold, claim }: Goal, status: string): { readonly on_hold?: string } {
  const isSaid = hold === undefined || claim !== undefined || hold.reason === status;
  return isSaid ? {} : { on_hold: hold.reason };
}

/** What a goal itself says of what a record says by these names, however it is written. */
export function meaningOf({ description, detail = '', acceptance = [] }: Goal): Meaning {
  return { description, detail, acceptance };
}

/** How a record is written as it was. */
interface Restoring {
  /** What the goal itself says, where that is not what {@link meaningOf} tells. */
  readonly is?: Meaning;
  /** Names of members that say something together. */
  readonly together: readonly (readonly string[])[];
  /** What a record says. */
  readonly read: (record: ToolRecord) => Meaning;
  readonly told: Told;
  /** The member below whose text that stands. */
  readonly toldIn: string;
}

/** Writes the record of a goal with its members as they were wherever they still say the same (see {@link restored}). */
export function restoredGoal(
  goal: Goal,
  tool: KeptTool,
  written: ToolRecord,
  { is = meaningOf(goal), together, read, told, toldIn }: Restoring,
): ToolRecord {
  const meaning = { ...read(written), ...is, priority: goal.priority };
  const { as_was: was = {}, not_there = [] } = asWasOf(goal, tool);
  const text = was[toldIn];
  const as_was = typeof text === 'string' ? { ...was, [toldIn]: retold(text, told) } : was;
  // That somebody is at it no word of before says.
  const { status: _word, ...others } = as_was;
  const before = goal.claim === undefined ? { as_was, not_there } : { as_was: others, not_there };
  return restored(written, before, together, { meaning, read });
}

/**
 * Returns a mark of a goal and of what is written for it, by which it is known later that nothing of it has changed: of what it
 * holds too, since two priorities may be written alike.
 */
export function markOf(record: ToolRecord, goal: Goal): string {
  const { description, detail, acceptance, tags, priority, on_hold, status, claim, failure, links } = goal;
  const summary = goal.digest?.summary;
  const held = {
    description,
    detail,
    acceptance,
    tags,
    priority,
    on_hold,
    status,
    claim,
    failure,
    links,
    summary,
  };
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ record, held })))).slice(0, 16);
}

/**
 * Returns what is written for the goals of a plan: the record that a goal had, whole, where what would be written for it is
 * what would have been when it was imported; else what `records` makes of it.
 * @param isSafe whether a record that is kept may be written
 */
export function recordsAsWere(
  plan: Plan,
  tool: KeptTool,
  records: (plan: Plan) => ReadonlyMap<string, ToolRecord>,
  isSafe: (record: ToolRecord) => boolean = () => true,
): ReadonlyMap<string, ToolRecord> {
  const said = asSaidThere(plan, tool);
  const now = records(said);
  const member = `x_${tool}`;
  const bare = Array.from(said.goals.values(), (goal): Goal => {
    const { as_was: _before, not_there: _new, ...rest }: ToolRecord = Object(goal[member]);
    return goal[member] === undefined ? goal : { ...goal, [member]: rest };
  });
  const plain = records(makePlan(plan.header, bare));
  return new Map(
    Array.from(now, ([id, record]) => {
      const [goal, written] = [plan.goals.get(id), plain.get(id)];
      if (goal === undefined || written === undefined) return [id, record];
      if (originalOf(goal, tool)['as_written'] !== markOf(written, goal)) return [id, record];
      const whole = asItWas(written, asWasOf(goal, tool));
      return [id, isSafe(whole) ? whole : record];
    }),
  );
}

/** Returns what finds the priority that counts for a goal: its own, else that of the nearest goal above that has one. */
export function urgencyIn(plan: Plan): (goal: Goal) => number {
  const found = new Map<string, number>();
  for (const { goal } of depthFirst(plan))
    found.set(goal.id, goal.priority ?? found.get(goal.parent_id ?? '') ?? USUAL_PRIORITY);
  return ({ id }) => found.get(id) ?? USUAL_PRIORITY;
}
