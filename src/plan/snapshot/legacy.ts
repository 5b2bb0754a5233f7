import { GOAL_ID_PATTERN } from '../ids.js';
import { isObject } from './shape-checks.js';

/**
 * A plan file of the tool that came before, brought to this format: digests that are plain strings become
 * objects, and a plan without settings stays without. Anything else is left as it was.
 * @param value what JSON.parse gave
 */
export function fromLegacy(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.goals)) return value;
  const goals = Object.entries(value.goals).map(([id, goal]) => [
    id,
    isObject(goal) && isLegacy(value) ? goalFromLegacy(goal) : goal,
  ]);
  return { ...value, goals: Object.fromEntries(goals) as unknown };
}

function goalFromLegacy(goal: Readonly<Record<string, unknown>>): unknown {
  const digest =
    typeof goal.digest === 'string'
      ? { digest: { summary: goal.digest, key_decisions: [], artifacts: [] } }
      : {};
  return { ...goal, ...digest, ...withoutMalformed(goal) };
}

/** What the planner of the legacy tool takes for ids of goals, from a model, may be anything: `"step 1"`. */
function withoutMalformed({ dependencies }: Readonly<Record<string, unknown>>): object {
  if (!Array.isArray(dependencies) || dependencies.every(isGoalId)) return {};
  return { dependencies: dependencies.filter(isGoalId) };
}

function isGoalId(value: unknown): value is string {
  return typeof value === 'string' && GOAL_ID_PATTERN.test(value);
}

/** How many goals of a legacy plan file depend on what is no id of a goal. */
export function malformedDependencies(value: unknown): number {
  if (!isObject(value) || !isObject(value.goals)) return 0;
  return Object.values(value.goals).filter(
    (goal) => isObject(goal) && 'dependencies' in withoutMalformed(goal),
  ).length;
}

/**
 * Whether a plan file is of the tool that came before, which wrote neither a version nor settings nor a log. Its planner
 * marks a goal `complete` when it divides it, and takes dependencies from a model unchecked.
 */
export function isLegacy(value: unknown): boolean {
  return (
    isObject(value) && !['schema_version', 'settings', 'log', 'crc'].some((key) => Object.hasOwn(value, key))
  );
}

/** Whether a value has the shape of a plan, a legacy one too, whatever its file is called. */
export function looksLikePlan(value: unknown): boolean {
  return isObject(value) && typeof value.root_goal_id === 'string' && isObject(value.goals);
}
