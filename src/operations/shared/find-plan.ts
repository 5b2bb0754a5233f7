import { hintStep } from '../../kernel/hint.js';
import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { GOAL_ID_PATTERN, PLAN_ID_PATTERN, planIdOf } from '../../plan/ids.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { findGoal } from '../../plan/tree.js';
import type { PlanLog, StoreProblem } from '../../storage/plan-store.js';
import { canBeWords, planIdOfWords } from './plan-by-words.js';
import type { Context } from './context.js';

/** What a plan is found by. */
type Finding = Pick<Context, 'store' | 'environment' | 'chosenPlan' | 'changedPlan'>;

/** Which plan is meant where none is named, and why it is that one. */
export interface CurrentPlan {
  readonly id: string;
  /** `variable`: FRCTL_PLAN names it; `chosen`: by `plan use`. */
  readonly because: 'variable' | 'chosen' | 'changed_last';
}

/** What a plan is found for: where none is named, one to be changed is not taken for another that is gone. */
type Purpose = 'read' | 'change';

/**
 * Opens the plan that `name` stands for: its id, a unique prefix of three or more characters, words of its goal,
 * or nothing ({@link currentPlan}). No file is written on the way: git tracks the plan file, and a plan that is merely
 * looked at must not be in the way of the next pull.
 * @throws PlanError PLAN_NOT_FOUND, AMBIGUOUS_NAME, and what opening throws
 */
export async function findPlan(
  context: Finding,
  name: string | undefined,
  purpose: Purpose = 'read',
): Promise<PlanLog> {
  return context.store().open(await findPlanId(context, name, purpose));
}

/** The plan that `name` stands for, to be looked at only; like {@link findPlan}, but at once where nothing was written since it was published. */
export async function readPlan(context: Finding, name: string | undefined): Promise<Plan> {
  const id = await findPlanId(context, name);
  return (await context.store().view(id)) ?? (await findPlan(context, id)).plan;
}

/** The id of the plan that `name` stands for; see {@link findPlan}. */
export async function findPlanId(
  context: Finding,
  name: string | undefined,
  purpose: Purpose = 'read',
): Promise<string> {
  return name === undefined ? (await currentPlan(context, purpose)).id : planIdNamed(context, name);
}

/**
 * The plan that is meant where none is named: that of FRCTL_PLAN, else that of `plan use`, else the one changed last: in a
 * database by this user, if he has changed any.
 * @throws PlanError PLAN_NOT_FOUND, also where the plan that this user changed last is gone and one is to be changed;
 *   INVALID_INPUT and AMBIGUOUS_NAME for FRCTL_PLAN
 */
export async function currentPlan(context: Finding, purpose: Purpose = 'read'): Promise<CurrentPlan> {
  const { FRCTL_PLAN: variable = '' } = context.environment.variables;
  if (variable !== '')
    return { id: await planIdNamed(context, variable, 'FRCTL_PLAN: '), because: 'variable' };
  const chosen = await context.chosenPlan();
  if (chosen === null) return { id: await latestPlanId(context, purpose), because: 'changed_last' };
  if ((await context.store().ids()).includes(chosen)) return { id: chosen, because: 'chosen' };
  throw new PlanError('PLAN_NOT_FOUND', `the plan that you chose, ${chosen}, is gone`, {
    hint: { commandLine: '`plan use <plan>` chooses another, `plan use --none` none.' },
    details: { plan: chosen },
  });
}

/** @param place what is before a message, where the name comes from elsewhere than the command */
async function planIdNamed({ store }: Finding, name: string, place = ''): Promise<string> {
  const wanted = name.trim().toLowerCase();
  if (PLAN_ID_PATTERN.test(wanted)) return wanted;
  const isPrefix = /^[0-9a-f]{3,8}$/.test(wanted);
  const matches = isPrefix ? (await store().ids()).filter((id) => id.startsWith(wanted)) : [];
  if (matches[0] !== undefined && matches.length === 1) return matches[0];
  if (matches.length > 1)
    throw new PlanError(
      'AMBIGUOUS_NAME',
      `${place}${wanted} is the beginning of ${matches.length} plan ids`,
      {
        hint: [`Give more characters: ${matches.slice(0, 5).join(', ')}`],
        details: { matches },
      },
    );
  if (canBeWords(wanted)) return planIdOfWords(store(), wanted, place);
  throw new PlanError(
    'INVALID_INPUT',
    `${place}${JSON.stringify(truncate(name, 80))} is neither a plan id nor words of a goal`,
    {
      hint: [
        'Give a plan id, the first three or more of its characters, or words of its goal; ',
        hintStep('list'),
        ' shows them.',
      ],
    },
  );
}

/** A goal of a plan, and the plan. */
export interface FoundGoal {
  readonly log: PlanLog;
  readonly goal: Goal;
}

/**
 * Finds a goal by its full id (which names its plan), its suffix or its number.
 * @param planName the plan, when it is not the one that is meant anyway
 * @throws PlanError GOAL_NOT_FOUND, and what {@link findPlan} throws
 */
export async function findGoalByName(
  context: Finding,
  name: string,
  planName: string | undefined,
  purpose: Purpose = 'read',
): Promise<FoundGoal> {
  const log = await findPlan(context, planMeantByGoals(planName, [name]), purpose);
  return { log, goal: findGoalInPlan(log.plan, name) };
}

/** A goal to be looked at only, and its plan; like {@link findGoalByName}. */
export async function readGoalByName(
  context: Finding,
  name: string,
  planName: string | undefined,
): Promise<{ readonly plan: Plan; readonly goal: Goal }> {
  const plan = await readPlan(context, planMeantByGoals(planName, [name]));
  return { plan, goal: findGoalInPlan(plan, name) };
}

/** The goal of a plan that a name stands for. @throws PlanError GOAL_NOT_FOUND */
export function findGoalInPlan(plan: Plan, name: string): Goal {
  const goal = findGoal(plan, name);
  if (goal !== null) return goal;
  throw noGoal(plan, name);
}

/** The error for a goal that a plan does not have. */
export function noGoal({ header: { id } }: Plan, name: string): PlanError {
  return new PlanError('GOAL_NOT_FOUND', `plan ${id} has no goal ${JSON.stringify(truncate(name, 80))}`, {
    hint: [
      'Give its id, the part after the hyphen, or its number such as 1.2; ',
      hintStep('tree'),
      ' shows them. ',
      { commandLine: '--plan picks another plan.', tools: '`plan` names another plan.' },
    ],
    details: { plan: id, goal: name },
  });
}

/**
 * Finds the plan that is meant: the one named, else the one that the first full id among the names of goals
 * belongs to.
 */
export function planMeantByGoals(
  plan: string | undefined,
  goals: readonly (string | undefined)[],
): string | undefined {
  const goal = goals.find((name) => name !== undefined && GOAL_ID_PATTERN.test(name));
  return plan ?? (goal === undefined ? undefined : planIdOf(goal));
}

/**
 * Refuses to find a plan as the one changed last while one that cannot be read may be that.
 * @throws PlanError AMBIGUOUS_NAME
 */
export function refuseGuessing(perhapsNewest: readonly StoreProblem[], plans: number): void {
  const [first, ...others] = perhapsNewest;
  if (first === undefined || plans === 0) return;
  const more = others.length === 0 ? '' : `, and ${others.length} more like it`;
  throw new PlanError(
    'AMBIGUOUS_NAME',
    `cannot tell which plan was changed last, because ${first.file} cannot be read (${first.message})${more}`,
    {
      hint: {
        commandLine: 'Name a plan (`plan list` shows them). `plan doctor` says what is wrong.',
      },
      details: { files: perhapsNewest.map(({ file }) => file) },
    },
  );
}

async function latestPlanId(context: Finding, purpose: Purpose): Promise<string> {
  const store = context.store();
  const { plans, problems, perhapsNewest } = await store.list();
  const own = await context.changedPlan();
  if (own !== null && plans.some(({ id }) => id === own)) return own;
  if (own !== null && purpose === 'change') throw await changedLastIsGone(context, own);
  refuseGuessing(perhapsNewest, plans.length);
  if (plans[0] !== undefined) return plans[0].id;
  const details = { store: store.location };
  if (problems.length > 0)
    throw new PlanError('PLAN_NOT_FOUND', 'no plan can be read', {
      hint: { commandLine: '`plan list` names what is wrong.' },
      details,
    });
  const archived = (await store.list('archived')).plans.length > 0;
  throw new PlanError(
    'PLAN_NOT_FOUND',
    archived ? `every plan in ${store.location} is archived` : `there is no plan yet in ${store.location}`,
    {
      hint: archived
        ? { commandLine: '`plan list --archived` shows them, `plan restore` brings one back.' }
        : [hintStep('init', '"<goal>"'), ' makes one.'],
      details,
    },
  );
}

/** Somebody else has put it away: what this user means now is not what anybody changed last. */
async function changedLastIsGone(context: Finding, id: string): Promise<PlanError> {
  const isHere = (await context.store().ids()).includes(id);
  return new PlanError(
    'PLAN_NOT_FOUND',
    `the plan that you changed last, ${id}, is ${isHere ? 'archived' : 'gone'}, and no plan is named`,
    {
      hint: [
        {
          commandLine: `Name the plan with --plan, or \`plan use <plan>\` chooses one${isHere ? `; \`plan restore ${id}\` brings that one back` : ''}.`,
          tools: 'Name one as plan, or a goal by its full id; plan_status without plan lists them.',
        },
      ],
      details: { plan: id },
    },
  );
}
