import type { Expansion, SubGoal } from '../plan/expansion.js';
import { splitClauses } from './clauses/clauses.js';
import { normalPhrase } from './clauses/goal-words.js';
import { matchMethod, type Method, type MethodMatch } from './methods.js';
import { opensAddress, readRequest } from './requests/read-request.js';
import { fillTemplate, type Slots } from './slots.js';

const MAX_SUB_GOALS = 7;
/** How many methods may apply one below the other: keeps a library that somebody else wrote from growing without end. */
const MAX_METHODS_DEEP = 4;

/** A sub-goal before it is known whether it has sub-goals itself. */
interface Planned {
  readonly description: string;
  readonly expandable: boolean;
  readonly dependsOn: readonly number[];
}

/** A goal divided once. */
interface Division {
  readonly reasoning: string;
  readonly subGoals: readonly Planned[];
  /** Name of the method that was applied. */
  readonly method: string | null;
}

/**
 * Divides a goal without a model: into the clauses of its sentence when it names several goals, else by the most
 * specific method that fits; otherwise it is atomic. Total and deterministic. Each sub-goal's verdict is the one that
 * this function gives for it, except that a method may declare its sub-goals atomic.
 */
export function expandByRules(description: string, methods: readonly Method[]): Expansion {
  const division = divide(description, methods);
  if (division === null) return { atomic: true, reasoning: whyAtomic(description, methods), sub_goals: [] };
  return {
    atomic: false,
    reasoning: division.reasoning,
    sub_goals: division.subGoals.map((subGoal) => verdictOn(subGoal, division, methods)),
  };
}

const WHY_REQUEST = 'A browser request, each clause of which is a step or a part of one.';
const WHY_ATOMIC = 'No method or list structure fits; the goal is taken as one piece of work.';

function whyAtomic(description: string, methods: readonly Method[]): string {
  if (isRequest(description, methods)) return WHY_REQUEST;
  const method = splitClauses(description) === null ? matchMethod(description, methods)?.method : undefined;
  return method?.steps === undefined
    ? WHY_ATOMIC
    : `Method ${method.name} has its steps: ${method.reasoning}`;
}

/** Whether a goal is a browser request all of which is understood; its clauses are steps, not goals. */
function isRequest(description: string, methods: readonly Method[]): boolean {
  return opensAddress(description, methods) && readRequest(description, methods).problems.length === 0;
}

function verdictOn(planned: Planned, { method }: Division, methods: readonly Method[]): SubGoal {
  const { description, expandable, dependsOn } = planned;
  const own = expandable ? divide(description, methods) : null;
  const why = expandable ? whyAtomic(description, methods) : `A single step of the method ${method}.`;
  return {
    description,
    atomic: own === null,
    reasoning: own?.reasoning ?? why,
    depends_on: [...dependsOn],
  };
}

function divide(description: string, methods: readonly Method[]): Division | null {
  const division = divideOnce(description, methods);
  return division !== null && ends(division, methods, new Set()) ? division : null;
}

function divideOnce(description: string, methods: readonly Method[]): Division | null {
  if (isRequest(description, methods)) return null;
  const clauses = splitClauses(description);
  if (clauses !== null) {
    return {
      reasoning: `The goal names ${clauses.parts.length} goals.`,
      subGoals: clauses.parts.map((part) => ({ ...part, expandable: true })),
      method: null,
    };
  }
  const match = matchMethod(description, methods);
  if (match === null || match.method.steps !== undefined) return null;
  const subGoals = applyMethod(match);
  const { name, reasoning } = match.method;
  return areDistinct([description, ...subGoals.map((subGoal) => subGoal.description)])
    ? { reasoning: `Method ${name}: ${reasoning}`, subGoals, method: name }
    : null;
}

/** Whether dividing ends: clauses get shorter, and no method may come up again below itself. */
function ends(
  { method, subGoals }: Division,
  methods: readonly Method[],
  above: ReadonlySet<string>,
): boolean {
  if (method !== null && (above.has(method) || above.size === MAX_METHODS_DEEP)) return false;
  const path = method === null ? above : new Set([...above, method]);
  return subGoals.every(({ description, expandable }) => {
    const below = expandable ? divideOnce(description, methods) : null;
    return below === null || ends(below, methods, path);
  });
}

function areDistinct(descriptions: readonly string[]): boolean {
  return new Set(descriptions.map((text) => normalPhrase(text).join(' '))).size === descriptions.length;
}

function applyMethod({ method, slots }: MethodMatch): readonly Planned[] {
  const present = method.subGoals.filter((subGoal) =>
    [subGoal.if, subGoal.each].every((slot) => slot === undefined || slots.has(slot)),
  );
  const items = present.map(({ each }) => (each === undefined ? [] : (slots.get(each) ?? [])));
  const total = items.reduce((sum, { length }) => sum + Math.max(1, length), 0);
  const planned: Planned[] = [];
  const numbers = new Map<string, readonly number[]>();
  for (const [index, subGoal] of present.entries()) {
    const dependsOn = awaited(subGoal.after, method, numbers);
    const variants = total > MAX_SUB_GOALS ? [slots] : variantsOf(subGoal.each, items[index] ?? [], slots);
    numbers.set(
      subGoal.id,
      variants.map((_, offset) => planned.length + offset + 1),
    );
    for (const values of variants) {
      const description = fillTemplate(subGoal.do, values, method.slots);
      planned.push({ description, expandable: subGoal.expand, dependsOn });
    }
  }
  return planned;
}

function variantsOf(each: string | undefined, items: readonly string[], slots: Slots): readonly Slots[] {
  return each === undefined ? [slots] : items.map((item) => new Map([...slots, [each, [item]]]));
}

/** The numbers of the sub-goals in `after`; for one that was left out, of those that it would have waited for. */
function awaited(
  after: readonly string[],
  method: Method,
  numbers: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const found = after.flatMap(
    (id) =>
      numbers.get(id) ??
      awaited(method.subGoals.find((other) => other.id === id)?.after ?? [], method, numbers),
  );
  return [...new Set(found)].sort((first, second) => first - second);
}
