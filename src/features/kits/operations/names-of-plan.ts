import { everyStep } from '../../actions/model/action-plan.js';
import type { ActionPlan } from '../../actions/model/action-plan.js';
import { isJsonList } from '../../../kernel/json/json-value.js';

/** Returns the origins of the addresses that the steps of a plan name outright. */
export function originsOfPlan(plan: ActionPlan): readonly string[] {
  const found = new Set<string>();
  for (const { step } of everyStep(plan)) {
    const { url } = step.args ?? {};
    if (typeof url !== 'string' || !URL.canParse(url)) continue;
    const { origin, protocol } = new URL(url);
    if (protocol === 'http:' || protocol === 'https:') found.add(origin);
  }
  return [...found];
}

/** Returns the programs that the steps of a plan run by `shell.run`. */
export function programsOfPlan(plan: ActionPlan): readonly string[] {
  const found = new Set<string>();
  for (const { step } of everyStep(plan)) {
    const { command } = step.args ?? {};
    const [program] =
      step.tool === 'shell.run' && command !== undefined && isJsonList(command) ? command : [];
    if (typeof program === 'string' && !program.includes('$')) found.add(program);
  }
  return [...found];
}
