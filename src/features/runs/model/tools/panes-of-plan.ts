import { everyStep } from '../../../actions/model/action-plan.js';
import type { ActionPlan, Check } from '../../../actions/model/action-plan.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';

/** The panes that the actions and conditions of wa name, by their numbers as texts. Only what is wa's own names panes in this way. */
export function panesOf(plan: ActionPlan): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  const see = (value: JsonValue) => {
    if (isExactNumber(value)) return;
    if (isJsonList(value)) value.forEach(see);
    else if (isJsonObject(value))
      for (const [key, member] of Object.entries(value)) {
        const isPane = key === 'pane_id' && (typeof member === 'number' || isExactNumber(member));
        if (isPane) found.set(String(member), member);
        else see(member);
      }
  };
  const seeAll = (checks: readonly Check[] = []) => {
    for (const { type, args } of checks) if (type.startsWith('wa:')) see(args);
  };
  seeAll(plan.preconditions);
  for (const { step } of everyStep(plan)) {
    if (step.tool.startsWith('wa:')) see(step.args);
    seeAll(step.preconditions);
    seeAll(step.verifications);
    seeAll(step.plan?.preconditions);
  }
  return found;
}
