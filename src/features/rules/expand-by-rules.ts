import type { Expansion, SubGoal } from '../../plan/expansion.js';
import { splitClauses } from './clauses/clauses.js';
import { isOtherLanguage } from './clauses/language.js';
import { divideOnce, isRequest } from './divide.js';
import type { Division, Planned } from './division.js';
import { neededDependencies } from './needed-dependencies.js';
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
  const once = rememberingDivide(methods, most);
  const divide: Divide = (text) => {
    const division = once(text);
    return division !== null && ends(division, once, new Set(), 0) ? division : null;
  };
  const division = divide(description);
  if (division === null) return { atomic: true, reasoning: whyAtomic(description, methods), sub_goals: [] };
  const needed = neededDependencies(division.subGoals.map(({ dependsOn }) => dependsOn));
  const subGoals = division.subGoals.map((subGoal, index) => ({
    ...verdictOn(subGoal, division, methods, divide),
    depends_on: [...(needed[index] ?? [])],
  }));
  return { atomic: false, reasoning: division.reasoning, sub_goals: subGoals };
}

/** The most goals whose division is remembered for one list of methods. */
const MOST_REMEMBERED = 5000;
const remembered = new WeakMap<readonly Method[], Map<string, Division | null>>();

/** Divides once, and each goal once: a tree is gone through again for every goal in it. */
function rememberingDivide(methods: readonly Method[], most: number): Divide {
  const known = remembered.get(methods) ?? new Map<string, Division | null>();
  remembered.set(methods, known);
  return (text) => {
    const key = `${most} ${text}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const division = divideOnce(text, methods, most);
    known.set(key, division);
    return division;
  };
}

/** Why no rule can expand a goal, and what can be done: null for one that a rule divides or has the steps of. */
export function whyNoRule(description: string, methods: readonly Method[]): string | null {
  if (whyAtomic(description, methods) !== WHY_ATOMIC || !expandByRules(description, methods).atomic)
    return null;
  const why = isOtherLanguage(description)
    ? 'the rules read English, and cannot divide this goal'
    : 'no rule knows how to divide this goal';
  return `${why}. A model can (plan replan root --model NAME), a coding agent (plan replan root --expander agent), or you: plan split root --into "first part" "second part"; plan init --from FILE reads a document instead`;
}

const WHY_REQUEST = 'A browser request, each clause of which is a step or a part of one.';
const WHY_ATOMIC = 'No method fits this goal, so it stays one piece of work.';

function whyAtomic(description: string, methods: readonly Method[]): string {
  if (isRequest(description, methods)) return WHY_REQUEST;
  const method = splitClauses(description) === null ? matchMethod(description, methods)?.method : undefined;
  return method?.steps === undefined
    ? WHY_ATOMIC
    : `Method ${method.name} has its steps: ${method.reasoning}`;
}

function verdictOn(
  { description, expandable, acceptance }: Planned,
  { method }: Division,
  methods: readonly Method[],
  divide: Divide,
): Omit<SubGoal, 'depends_on'> {
  const own = expandable ? divide(description) : null;
  const why = (): string =>
    expandable || method === null
      ? whyAtomic(description, methods)
      : `A single step of the method ${method}.`;
  return {
    description,
    atomic: own === null,
    reasoning: own?.reasoning ?? why(),
    ...(acceptance === undefined ? {} : { acceptance: [...acceptance] }),
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
