import { GOAL_STATES } from '../../plan/choices.js';
import type { Plan } from '../../plan/plan.js';
import { goalStates } from '../../plan/readiness/goal-state.js';
import { overlap, touchesOf } from '../../plan/readiness/touches.js';
import type { Goal } from '../../plan/schema.js';
import { givenTouches } from '../editing/given-work.js';
import { choice, text } from '../shared/fields.js';

/** States as the command line has them. */
const STATES = GOAL_STATES.map((state) => state.replace('_', '-'));

/** Which goals are looked for; one must be as every member says. */
export interface GoalFilter {
  readonly tag?: string | undefined;
  readonly status?: (typeof STATES)[number] | undefined;
  /** Who holds it. */
  readonly by?: string | undefined;
  /** Words that it says, in any order. */
  readonly text?: string | undefined;
  /** A path, a glob or an area that it is likely to change. */
  readonly touches?: string | undefined;
}

/**
 * The members of an input that say which goals are looked for, without their status.
 * @param goals what is listed then, for help: goals, or plans with such goals
 */
export const wordFilterFields = (goals: 'goals' | 'plans with goals') => ({
  tag: text(`only ${goals} that have this tag`, 'tag'),
  by: text(`only ${goals} that this person or agent holds`, 'name'),
  text: text(`only ${goals} that say these words, in any order`, 'words'),
  touches: text(`only ${goals} that are likely to change this: a path, a glob, \`area:NAME\``, 'path'),
});

/** The members of an input that say which goals are looked for. */
export const goalFilterFields = () => ({
  ...wordFilterFields('goals'),
  status: choice(STATES, 'only goals in this state', { value: 'status' }),
});

/** Whether all goals are looked for. */
export function isForAll({ tag, status, by, text: words, touches }: GoalFilter): boolean {
  return [tag, status, by, words, touches].every((asked) => asked === undefined);
}

/**
 * Tells which goals of a plan are looked for at a moment; null when nothing was asked for, which is all of them.
 * @throws PlanError INVALID_INPUT for a path that leads out of the repository
 */
export function goalsLookedFor(plan: Plan, at: string, filter: GoalFilter): ((goal: Goal) => boolean) | null {
  if (isForAll(filter)) return null;
  const { tag, status, by, text: words, touches } = filter;
  const [wanted] = givenTouches(touches === undefined ? undefined : [touches]) ?? [];
  const stateOf = status === undefined ? null : goalStates(plan, at);
  const says = wordsIn(words);
  return (goal) =>
    (tag === undefined || goal.tags?.includes(tag) === true) &&
    (by === undefined || isHeldBy(goal, by)) &&
    says([goal.description, goal.detail ?? '', ...(goal.acceptance ?? [])]) &&
    (wanted === undefined || touchesOf(goal).some((touch) => overlap(touch, wanted))) &&
    (stateOf === null || stateOf(goal) === status?.replace('-', '_'));
}

/** Tells whether texts together say every word, whatever its case. */
function wordsIn(words = ''): (texts: readonly string[]) => boolean {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (texts) => {
    const said = texts.join('\n').toLowerCase();
    return wanted.every((word) => said.includes(word));
  };
}

/** A name without its host means that name on every host. */
function isHeldBy({ claim }: Goal, by: string): boolean {
  return claim !== undefined && (claim.by === by || claim.by.startsWith(`${by}@`));
}
