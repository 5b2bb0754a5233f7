import { oneLine } from '../kernel/text/safe-text.js';
import { truncate } from '../kernel/text/truncate.js';
import { libraryOf } from '../operations/library.js';
import { OPERATIONS } from '../operations/registry.js';
import type { OperationGroup } from '../operations/registered-operation.js';
import type { Context } from '../operations/shared/context.js';
import type { Terminal } from './terminal.js';

/** Where a plan that is there is changed. */
const GROUPS: ReadonlySet<OperationGroup> = new Set(['work', 'change', 'plan further']);
const SHOWN = 100;

/**
 * Says on standard error which plan a command that may change one has changed, where there are others that could have been meant, and of a
 * new one that another stays the one that is meant.
 */
export async function printPlanNotice(
  group: OperationGroup,
  result: unknown,
  { context, terminal }: { readonly context: Context; readonly terminal: Terminal },
): Promise<void> {
  const changed = changedPlan(result);
  if (changed === null) return;
  const said = group === 'start' ? await otherMeant(context, changed) : await nameOf(context, group, changed);
  if (said === null) return;
  terminal.tell(truncate(oneLine(said), terminal.columns ?? SHOWN), { isDim: true });
}

/** The plan that a result tells of: as `plan`, or by its goal. */
function changedPlan(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  // One that was only shown is nowhere.
  if ('dry' in result) return null;
  if ('plan' in result && hasId(result.plan)) return result.plan.id;
  return 'goal' in result && hasId(result.goal) ? result.goal.id.slice(0, 8) : null;
}

function hasId(value: unknown): value is { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

async function nameOf(context: Context, group: OperationGroup, id: string): Promise<string | null> {
  if (!GROUPS.has(group) || (await context.store().ids()).length < 2) return null;
  const { plans } = await context.store().list();
  return `In plan ${id} ${plans.find((plan) => plan.id === id)?.description ?? ''}`;
}

async function otherMeant(context: Context, id: string): Promise<string | null> {
  const { plan, because } = await libraryOf(context, OPERATIONS).use({});
  if (plan === null || plan.id === id || because === 'changed_last') return null;
  return `The current plan is still ${plan.id}; \`plan use ${id}\` switches to the new one.`;
}
