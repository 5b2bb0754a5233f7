import { findInGoalWords, normalPhrase, readGoal } from './clauses/goal-words.js';
import { expandGroups } from './clauses/word-groups.js';
import { joinItems } from './clauses/list-items.js';
import type { Planned } from './division.js';
import { isAmbiguous, type GoalParts } from './goal-parts.js';
import { nameAll } from './grouping.js';
import { THING } from './method-schema.js';
import { matchMethod, type Method } from './methods.js';
import { fillSlots, fillTemplate, isExcepted, type Slots } from './slots.js';

type SubGoalFile = Method['subGoals'][number];

/** The slot of a method that takes what the thing is to have: a list after "with", with a sub-goal for each. */
export function featureSlotOf(method: Method): string | undefined {
  return withLists(method).find((name) => method.subGoals.some(({ each }) => each === name));
}

function withLists({ slots }: Method): readonly string[] {
  return Object.keys(slots).filter((name) => slots[name]?.list && slots[name].after.includes('with'));
}

/** The slot that takes what the work is to be done with. */
function toolSlotOf({ slots }: Method): string | undefined {
  return Object.entries(slots).find(([, { tools }]) => tools)?.[0];
}

/** Whether its features may be tools too: those of a project's method, and where no technology is excepted. */
function takesTools(method: Method): boolean {
  const feature = featureSlotOf(method);
  return feature !== undefined && (!method.builtIn || method.slots[feature]?.except.length === 0);
}

/** Whether another slot of a method takes what stands after "with". */
export function takesWith(method: Method): boolean {
  const own = new Set([featureSlotOf(method), thingSlotOf(method)]);
  return Object.entries(method.slots).some(
    ([name, { after, tools }]) => !tools && after.includes('with') && !own.has(name),
  );
}

/**
 * The sub-goals that a method gives a goal, its slots filled; those whose slot is not filled are left out. What the goal
 * asks for besides the thing stands where the method has its features.
 *
 * @param goal all of it
 * @param conditions what it says of when and for how much: "by June"
 * @param methods all, one of which may know a feature as work of its own
 * @param most when there are more sub-goals, those of a list become one, which is a list itself
 */
export function applyMethod(
  method: Method,
  parts: GoalParts,
  { goal, conditions }: { readonly goal: string; readonly conditions: readonly string[] },
  most: number,
  methods: readonly Method[],
): readonly Planned[] {
  const feature = featureSlotOf(method);
  const filling: Filling = { method, feature, slots: slotsOf(method, parts, conditions, feature, methods) };
  const words = readGoal(goal).words.map(({ normal }) => normal);
  const present = method.subGoals.filter((subGoal) => isPresent(subGoal, filling, words));
  const texts = present.map((subGoal) => variantsOf(subGoal, filling));
  const tools = toolSlotOf(method) === undefined && !takesTools(method) ? toolsGoal(parts) : undefined;
  const total = texts.reduce((sum, { length }) => sum + length, tools === undefined ? 0 : 1);
  const planned: Planned[] =
    tools === undefined ? [] : [{ description: tools, expandable: false, dependsOn: [] }];
  const numbers = new Map<string, readonly number[]>();
  for (const [index, subGoal] of present.entries()) {
    const own = texts[index] ?? [];
    const said = total > most && own.length > 1 ? [together(subGoal, own, filling)] : own;
    const awaited = awaitedBy(subGoal.after, method, numbers);
    // What follows the first steps is made with the tools.
    const isMade =
      awaited.length > 0 && awaited.every((number) => planned[number - 1]?.dependsOn.length === 0);
    const dependsOn = tools !== undefined && isMade ? [1, ...awaited] : awaited;
    numbers.set(
      subGoal.id,
      said.map((_, offset) => planned.length + offset + 1),
    );
    const isList = subGoal.each !== undefined;
    for (const description of said)
      planned.push({
        description,
        expandable: subGoal.expand && !(isList && isAmbiguousOne(description, own)),
        dependsOn,
      });
  }
  return planned;
}

function slotsOf(
  method: Method,
  parts: GoalParts,
  conditions: readonly string[],
  feature: string | undefined,
  methods: readonly Method[],
): Slots {
  const thing = [parts.thing === '' ? 'it' : parts.thing];
  const slots = new Map([
    [THING, thing] as const,
    ...fillSlots(readGoal(parts.core), method.slots),
    ...timesOf(method, conditions),
    ...listsOf(method, parts),
    ...deedsOf(method, parts.clause),
  ]);
  const tool = toolSlotOf(method);
  if (tool !== undefined) slots.delete(tool);
  const named = parts.tools.filter((item) => !isExcepted(item, method.slots[tool ?? '']?.except ?? []));
  if (tool !== undefined && named.length > 0) slots.set(tool, named);
  if (feature === undefined) return slots;
  // "with no downtime" says how, not what: it is no list of features.
  if (/\swith\s/i.test(parts.core)) slots.delete(feature);
  const except = method.slots[feature]?.except ?? [];
  const kept = (takesTools(method) ? parts.items : parts.features).filter(
    (item) => !isExcepted(item, except),
  );
  const things = thingSlotOf(method);
  const plain = things === undefined ? [] : kept.filter((item) => isPlainThing(item, methods));
  if (things !== undefined && plain.length > 0) slots.set(things, plain);
  const others = kept.filter((item) => !plain.includes(item));
  if (others.length > 0) slots.set(feature, [...(slots.get(feature) ?? []), ...others]);
  return slots;
}

/** The slot of a method that takes those of its features that are things it holds: another list after "with". */
function thingSlotOf(method: Method): string | undefined {
  const feature = featureSlotOf(method);
  return feature === undefined ? undefined : withLists(method).find((name) => name !== feature);
}

/** "rooms", "bookings"; "payments" are work that a method knows. */
function isPlainThing(item: string, methods: readonly Method[]): boolean {
  return /^\p{Ll}+[^s\P{L}]s$/u.test(item) && matchMethod(`Add ${item} to the API`, methods) === null;
}

function isOfLists(word: string): boolean {
  return ['with', 'including', 'featuring', 'using', 'of'].includes(word);
}

/** The slots of a method that take all that is listed behind "with" as one text. */
function listsOf({ slots }: Method, { items }: GoalParts): Slots {
  const names = Object.keys(slots).filter((name) => {
    const slot = slots[name];
    return slot?.list === false && !slot.tools && slot.after.includes('with') && slot.after.every(isOfLists);
  });
  return new Map(items.length === 0 ? [] : names.map((name) => [name, [joinItems(items)]]));
}

/** The slots of a method that take what the thing is to do: "reminds people of reviews". */
function deedsOf({ slots }: Method, clause: string): Slots {
  const opening = firstWord(clause);
  const said = clause.slice(opening.length).trim();
  const names = Object.keys(slots).filter(
    (name) => opening !== 'for' && slots[name]?.after.includes(opening),
  );
  return new Map(names.map((name) => [name, [said]]));
}

/** The slots of a method that take a time, and what the conditions of a goal say of it. */
function timesOf({ slots }: Method, conditions: readonly string[]): Slots {
  const times = Object.entries(slots).flatMap(([name, { time, after }]) => {
    const said = conditions.find((condition) => time && after.includes(firstWord(condition)));
    return said === undefined ? [] : [[name, [said.slice(firstWord(said).length).trim()]] as const];
  });
  return new Map(times);
}

function firstWord(text: string): string {
  return /^\S+/.exec(text)?.[0] ?? '';
}

interface Filling {
  readonly method: Method;
  readonly slots: Slots;
  readonly feature: string | undefined;
}

function isPresent(
  { if: condition, each, when }: SubGoalFile,
  { slots }: Filling,
  words: readonly string[],
): boolean {
  const isAsked =
    when === undefined || findInGoalWords(expandGroups(when).map(normalPhrase), words) !== undefined;
  return isAsked && [condition, each].every((slot) => slot === undefined || slots.has(slot));
}

/** The descriptions that a sub-goal of the file stands for: one for each item of its list. */
function variantsOf({ do: template, each }: SubGoalFile, filling: Filling): readonly string[] {
  const { method, slots } = filling;
  if (each === undefined) return [fillTemplate(template, slots, method.slots)];
  return (slots.get(each) ?? []).map((item) =>
    fillTemplate(template, new Map([...slots, [each, [item]]]), method.slots),
  );
}

/** Whether one of the sub-goals of a list, rather than all of them together, may name one thing or two. */
function isAmbiguousOne(description: string, own: readonly string[]): boolean {
  return own.includes(description) && isAmbiguous(description);
}

/** One sub-goal for all of a list. */
function together({ do: template, each }: SubGoalFile, texts: readonly string[], filling: Filling): string {
  const { method, slots, feature } = filling;
  if (each === feature || each === undefined)
    return nameAll(texts.map((description) => ({ description, dependsOn: [] })));
  return fillTemplate(template, slots, method.slots);
}

/**
 * The sub-goal of a method that sets up the tools, "Set up the project with Go"; undefined when the goal names
 * none.
 */
export function toolsGoal({ tools, isThing }: GoalParts): string | undefined {
  if (tools.length === 0) return undefined;
  return isThing ? `Set up the project with ${joinItems(tools)}` : `Set up ${joinItems(tools)}`;
}

function awaitedBy(
  after: readonly string[],
  method: Method,
  numbers: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const found = after.flatMap(
    (id) =>
      numbers.get(id) ??
      awaitedBy(method.subGoals.find((other) => other.id === id)?.after ?? [], method, numbers),
  );
  return [...new Set(found)].sort((first, second) => first - second);
}
