import { checkDependencies } from '../../plan/readiness/dependency-check.js';
import type { DependencyFinding } from '../../plan/readiness/dependency-check.js';
import type { PayloadOf } from '../../plan/events.js';
import { goalOf, summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { changeGoals, goalInWords } from '../editing/change-goals.js';
import type { ChangeReport } from '../editing/change-goals.js';
import type { Context } from '../shared/context.js';
import { findPlan } from '../shared/find-plan.js';
import { refuseArchived } from '../shared/refuse-archived.js';
import type { WorkerOptions } from '../work/work-event.js';

export interface CheckDependenciesOptions extends WorkerOptions {
  /** Take those away that others imply. */
  readonly apply?: boolean | undefined;
}

/** A finding in words. */
export interface ExplainedFinding extends DependencyFinding {
  readonly message: string;
  /** Whether the dependency has been taken away. */
  readonly removed: boolean;
}

export interface DependencyReport extends ChangeReport {
  readonly findings: readonly ExplainedFinding[];
}

/**
 * Looks for dependencies that others imply, and for such as look wrong.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE for an archived plan that is to be changed, REFUSED
 */
export async function checkPlanDependencies(
  context: Context,
  options: CheckDependenciesOptions,
): Promise<DependencyReport> {
  const log = await findPlan(context.store(), options.plan);
  const { plan } = log;
  const found = checkDependencies(plan);
  const payload = removal(found);
  const removing = options.apply === true && payload !== null;
  if (removing) refuseArchived(log);
  const report = removing
    ? await changeGoals(context, log, payload, options)
    : { plan: summarize(plan), changes: [] };
  const findings = found.map((finding) => ({
    ...finding,
    message: inWords(plan, finding),
    removed: removing && finding.code === 'REDUNDANT',
  }));
  return { ...report, findings };
}

/** The event that takes away what is redundant, or null when nothing is. */
function removal(found: readonly DependencyFinding[]): PayloadOf<'dependencies_changed'> | null {
  const byGoal = new Map<string, string[]>();
  for (const { code, goal, depends_on } of found) {
    if (code === 'REDUNDANT' && depends_on !== null)
      byGoal.set(goal, [...(byGoal.get(goal) ?? []), depends_on]);
  }
  if (byGoal.size === 0) return null;
  const changes = [...byGoal].map(([goal, remove]) => ({
    goal,
    add: [],
    remove,
    because: 'others imply it',
  }));
  return { type: 'dependencies_changed', changes };
}

function inWords(plan: Plan, { code, goal, depends_on, path }: DependencyFinding): string {
  const named = (id: string) => goalInWords(plan, goalOf(plan, id));
  const on = depends_on === null ? '' : named(depends_on);
  switch (code) {
    case 'REDUNDANT':
      return `${named(goal)} need not name ${on}, which comes first anyway: ${path.map(named).join(' → ')}`;
    case 'ON_FAILED':
      return `${named(goal)} waits for ${on}, which failed`;
    case 'ONE_BY_ONE':
      return `${named(goal)} depends on ${path.length} parts of ${on} one by one: ${path.map(named).join(', ')}; a dependency on the whole says the same for parts that come later`;
    case 'ON_LATER':
      return `${named(goal)} waits for ${on}, which stands after it`;
    case 'SEQUENTIAL':
      return `each of the ${path.length} parts of ${named(goal)} waits for the one before, so nothing in it can be done in parallel`;
  }
}
