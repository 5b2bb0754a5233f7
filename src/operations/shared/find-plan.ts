import { PlanError } from '../../kernel/errors.js';
import { GOAL_ID_PATTERN, PLAN_ID_PATTERN } from '../../plan/ids.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { findGoal } from '../../plan/tree.js';
import type { PlanLog, PlanStore, StoreProblem } from '../../storage/plan-store.js';

const SHORTEST_PREFIX = 3;

/**
 * Opens the plan that `name` stands for: its id, a unique prefix of three or more characters, or nothing
 * (the plan changed last). No file is written on the way: git tracks the plan file, and a plan that is merely
 * looked at must not stand in the way of the next pull.
 * @throws PlanError PLAN_NOT_FOUND, AMBIGUOUS_NAME, and what opening throws
 */
export async function findPlan(store: PlanStore, name: string | undefined): Promise<PlanLog> {
  return store.open(await findPlanId(store, name));
}

/** The plan that `name` stands for, to be looked at only; like {@link findPlan}, but at once where nothing was written since it was published. */
export async function readPlan(store: PlanStore, name: string | undefined): Promise<Plan> {
  const id = await findPlanId(store, name);
  return (await store.view(id)) ?? (await findPlan(store, id)).plan;
}

/** The id of the plan that `name` stands for; see {@link findPlan}. */
export async function findPlanId(store: PlanStore, name: string | undefined): Promise<string> {
  if (name === undefined) return latestPlanId(store);
  const wanted = name.trim().toLowerCase();
  if (PLAN_ID_PATTERN.test(wanted)) return wanted;
  if (!/^[0-9a-f]*$/.test(wanted) || wanted.length < SHORTEST_PREFIX || wanted.length > 8) {
    throw new PlanError('INVALID_INPUT', `${JSON.stringify(name.slice(0, 80))} names no plan`, {
      hint: 'Give a plan id or the first three or more of its characters; `plan list` shows them.',
    });
  }
  const matches = (await store.ids()).filter((id) => id.startsWith(wanted));
  if (matches[0] !== undefined && matches.length === 1) return matches[0];
  if (matches.length === 0) throw noPlan(wanted);
  throw new PlanError('AMBIGUOUS_NAME', `${wanted} is the beginning of ${matches.length} plan ids`, {
    hint: `Give more characters: ${matches.slice(0, 5).join(', ')}`,
    details: { matches },
  });
}

/** A goal of a plan, and the plan. */
export interface FoundGoal {
  readonly log: PlanLog;
  readonly goal: Goal;
}

/**
 * Finds a goal by its full id (which names its plan), its suffix or its number.
 * @param planName the plan, when it is not the one changed last
 * @throws PlanError GOAL_NOT_FOUND, and what {@link findPlan} throws
 */
export async function findGoalByName(
  store: PlanStore,
  name: string,
  planName: string | undefined,
): Promise<FoundGoal> {
  const log = await findPlan(store, planOfGoals(planName, [name]));
  return { log, goal: goalNamed(log.plan, name) };
}

/** A goal to be looked at only, and its plan; like {@link findGoalByName}. */
export async function readGoalByName(
  store: PlanStore,
  name: string,
  planName: string | undefined,
): Promise<{ readonly plan: Plan; readonly goal: Goal }> {
  const plan = await readPlan(store, planOfGoals(planName, [name]));
  return { plan, goal: goalNamed(plan, name) };
}

/** The goal of a plan that a name stands for. @throws PlanError GOAL_NOT_FOUND */
export function goalNamed(plan: Plan, name: string): Goal {
  const goal = findGoal(plan, name);
  if (goal !== null) return goal;
  throw noGoal(plan, name);
}

/** The error for a goal that a plan does not have. */
export function noGoal({ header: { id } }: Plan, name: string): PlanError {
  return new PlanError('GOAL_NOT_FOUND', `plan ${id} has no goal ${JSON.stringify(name.slice(0, 80))}`, {
    hint: 'Give its id, the part after the hyphen, or its number such as 1.2; `plan tree` shows them. --plan picks another plan.',
    details: { plan: id, goal: name },
  });
}

/** The plan that is meant: the one named, else the one that the first full id among the names of goals belongs to. */
export function planOfGoals(
  plan: string | undefined,
  goals: readonly (string | undefined)[],
): string | undefined {
  return plan ?? goals.find((name) => name !== undefined && GOAL_ID_PATTERN.test(name))?.slice(0, 8);
}

/**
 * Refuses to take a plan for the one changed last while one that cannot be read may be that.
 * @throws PlanError AMBIGUOUS_NAME
 */
export function refuseGuessing(perhapsNewest: readonly StoreProblem[], plans: number): void {
  const [first, ...others] = perhapsNewest;
  if (first === undefined || plans === 0) return;
  const more = others.length === 0 ? '' : `, and ${others.length} more like it`;
  throw new PlanError(
    'AMBIGUOUS_NAME',
    `it is not known which plan was changed last: ${first.file} may have been, and cannot be read (${first.message})${more}`,
    {
      hint: 'Name the plan that you mean; `plan list` shows them. `plan doctor` says what is wrong.',
      details: { files: perhapsNewest.map(({ file }) => file) },
    },
  );
}

async function latestPlanId(store: PlanStore): Promise<string> {
  const { plans, problems, perhapsNewest } = await store.list();
  refuseGuessing(perhapsNewest, plans.length);
  if (plans[0] !== undefined) return plans[0].id;
  throw new PlanError(
    'PLAN_NOT_FOUND',
    problems.length > 0 ? 'no plan can be read' : 'there is no plan yet',
    {
      hint: problems.length > 0 ? '`plan list` names what is wrong.' : '`plan init "<goal>"` makes one.',
      details: { store: store.location },
    },
  );
}

function noPlan(name: string): PlanError {
  return new PlanError('PLAN_NOT_FOUND', `there is no plan ${name}`, {
    hint: '`plan list` shows the plans there are.',
    details: { plan: name },
  });
}
