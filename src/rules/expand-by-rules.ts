import type { Expansion, SubGoal } from '../plan/expansion.js';
import { splitClauses } from './clauses/clauses.js';
import { divideOnce, isRequest } from './divide.js';
import type { Division, Planned } from './division.js';
import { matchMethod, type Method } from './methods.js';

/** How many methods may apply one below the other: keeps a library that somebody else wrote from growing without end. */
const MAX_METHODS_DEEP = 4;
/** How many divisions there may be one below the other, of whatever kind. */
const MAX_DEEP = 12;
/** The most sub-goals when nothing else is said. */
const MOST_SUB_GOALS = 7;

type Divide = (description: string) => Division | null;

/**
 * Divides a goal without a model: into the clauses of its sentence when it names several goals, else by the most
 * specific method that fits; otherwise it is atomic. Total and deterministic. Each sub-goal's verdict is the one that
 * this function gives for it, except that a method may declare its sub-goals atomic.
 *
 * @param most the most sub-goals that will be kept: what the goal names beyond it is gathered under goals of its own
 */
export function expandByRules(
  description: string,
  methods: readonly Method[],
  most: number = MOST_SUB_GOALS,
): Expansion {
  const known = new Map<string, Division | null>();
  const once: Divide = (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const division = divideOnce(text, methods, most);
    known.set(text, division);
    return division;
  };
  const divide: Divide = (text) => {
    const division = once(text);
    return division !== null && ends(division, once, new Set(), 0) ? division : null;
  };
  const division = divide(description);
  if (division === null) return { atomic: true, reasoning: whyAtomic(description, methods), sub_goals: [] };
  return {
    atomic: false,
    reasoning: division.reasoning,
    sub_goals: division.subGoals.map((subGoal) => verdictOn(subGoal, division, methods, divide)),
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

function verdictOn(
  { description, expandable, dependsOn }: Planned,
  { method }: Division,
  methods: readonly Method[],
  divide: Divide,
): SubGoal {
  const own = expandable ? divide(description) : null;
  const why = (): string =>
    expandable || method === null
      ? whyAtomic(description, methods)
      : `A single step of the method ${method}.`;
  return {
    description,
    atomic: own === null,
    reasoning: own?.reasoning ?? why(),
    depends_on: [...dependsOn],
  };
}

/** Whether dividing ends: clauses get shorter, and no method may come up again below itself. */
function ends(
  { method, subGoals }: Division,
  divide: Divide,
  above: ReadonlySet<string>,
  depth: number,
): boolean {
  if (depth === MAX_DEEP) return false;
  if (method !== null && (above.has(method) || above.size === MAX_METHODS_DEEP)) return false;
  const path = method === null ? above : new Set([...above, method]);
  return subGoals.every(({ description, expandable }) => {
    const below = expandable ? divide(description) : null;
    return below === null || ends(below, divide, path, depth + 1);
  });
}
