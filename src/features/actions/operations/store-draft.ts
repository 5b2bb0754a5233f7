import { relative } from 'node:path';

import { ACTION_PLAN_VERSION } from '../model/action-plan.js';
import type { ActionPlan } from '../model/action-plan.js';
import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import { summaryNow } from '../../../operations/shared/summary-now.js';
import { wordRefusal } from '../../../plan/refusals.js';
import type { Goal, Usage } from '../../../plan/schema.js';
import type { Context } from '../../../operations/shared/context.js';
import { timeNow } from '../../../operations/shared/environment.js';
import type { FoundGoal } from '../../../operations/shared/find-plan.js';
import type { Draft, DraftReport } from './draft-report.js';
import type { Drafted } from './draft-goal.js';

interface Keeping {
  readonly by: DraftReport['by'];
  readonly force?: boolean | undefined;
}

/** Stores a draft under its goal unless it has errors; what it cost is counted either way. @throws PlanError REFUSED, STORAGE_FAILED */
export async function storeDraft(
  context: Context,
  { log, goal }: FoundGoal,
  { plan: drafted, findings, usage, warnings, notes }: Drafted,
  { by, force }: Keeping,
): Promise<Draft> {
  const plan = await completedDraft(context, drafted, { goal: goal.description, goal_id: goal.id });
  const report = { goal: goal.id, by, findings, usage, notes };
  const actionPlans = (await context.documents())?.actionPlans;
  const isBad = findings.some(({ severity }) => severity === 'error');
  if (actionPlans === undefined || (isBad && force !== true)) {
    if (usage.calls > 0)
      await countSpending(log, goal, usage, isBad ? 'the draft has errors' : 'it is kept nowhere');
    return {
      plan: summaryNow(context, log.plan),
      id: null,
      file: null,
      ...(await shownDraft(plan)),
      ...report,
    };
  }
  const texts = await textsOf(plan);
  const id = await actionPlans.keep(texts, () => `ap-${context.environment.ids.eventId().slice(0, 10)}`);
  const [outcome] = await log.append([
    {
      type: 'action_plan_linked',
      goal: goal.id,
      action_plan: id,
      ...(usage.calls > 0 ? { usage } : {}),
      ...(warnings.length > 0 ? { warnings: warnings.map((one) => ({ ...one, goal_id: goal.id })) } : {}),
    },
  ]);
  if (outcome !== undefined && outcome.refused !== null) {
    await actionPlans.drop(id);
    if (usage.calls > 0)
      await countSpending(
        log,
        goal,
        usage,
        wordRefusal(outcome.refused, (id) => namedGoal(log.plan, id)),
      );
    throw new PlanError(
      'REFUSED',
      `the action plan was not stored: ${wordRefusal(outcome.refused, (id) => namedGoal(log.plan, id))}`,
      {
        details: { goal: goal.id, refusal: outcome.refused },
      },
    );
  }
  await log.publish('when_due');
  const path = actionPlans.locate(id);
  const file = path === null ? null : relative(context.environment.workingFolder, path);
  return { plan: summaryNow(context, log.plan), id, file, ...(await shownDraft({ ...plan, id })), ...report };
}

/** Stores what asking for a draft has cost where no draft is kept. */
export async function countSpending(
  log: FoundGoal['log'],
  goal: Goal,
  usage: Usage,
  because: string,
): Promise<void> {
  await log.append([{ type: 'usage_added', goal: goal.id, because, usage }]);
  await log.publish('when_due');
}

/** A draft with what every stored plan says of itself. */
export async function completedDraft(
  { environment }: Context,
  plan: ActionPlan,
  about: Pick<ActionPlan, 'title' | 'goal' | 'goal_id'>,
): Promise<ActionPlan> {
  const { riskOf } = await import('../model/risk.js');
  return {
    schema_version: ACTION_PLAN_VERSION,
    title: titleOf(about.goal ?? ''),
    ...about,
    created_at: timeNow(environment),
    risk: riskOf(plan),
    ...plan,
  };
}

/** Columns of a title. */
const LONGEST_TITLE = 100;

/** The title of a draft: its goal on one line that is short enough. */
export function titleOf(goal: string): string {
  return truncate(goal.replaceAll(/\s+/g, ' ').trim(), LONGEST_TITLE);
}

/** The plan in the form that is printed, and for people. */
export async function shownDraft(plan: ActionPlan): Promise<Pick<DraftReport, 'action_plan' | 'text'>> {
  const { frctl } = await import('../dialects/frctl.js');
  const { previewText } = await import('../model/preview.js');
  return { action_plan: frctl.write(plan, null), text: previewText(plan) };
}

/** The text of the file for each id it may get. */
async function textsOf(plan: ActionPlan): Promise<(id: string) => string> {
  const { frctl } = await import('../dialects/frctl.js');
  const { textOfJson } = await import('../../../kernel/json/json-text.js');
  return (id) => `${textOfJson(frctl.write({ ...plan, id }, null), '  ')}\n`;
}
