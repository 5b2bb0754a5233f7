import { legible } from '../../../kernel/text/legible.js';
import type { RunContext } from '../../../operations/operation.js';
import type { AttemptEnd } from '../attempt/work.js';
import type { Attempt } from '../attempt/state.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { goalShown, numberNow } from './goal-number.js';

const STEPS: Partial<Record<Attempt['step'], string>> = {
  agent: 'the agent works',
  check: 'its work is checked',
  land: 'lands',
};
const MINUTE = 60;

/** Returns what tells people of the steps of attempts, a line each. @param log whose plan has the numbers of goals by then */
export function progressTo(
  { emit }: Pick<RunContext, 'emit'>,
  log: Pick<PlanLog, 'plan'>,
): (now: Attempt, line?: string) => void {
  const begun = new Map<string, number>();
  return (now, line) => {
    const what =
      now.step === 'agent' && now.marked !== null ? 'the agent resolves a conflict' : STEPS[now.step];
    if (what === undefined) return;
    const start = begun.get(now.token) ?? performance.now();
    begun.set(now.token, start);
    const minutes = Math.floor((performance.now() - start) / 1000 / MINUTE);
    const parts = [
      `${nameNow(log, now)}  ${what}`,
      ...(now.try > 1 ? [`try ${now.try}`] : []),
      ...(minutes > 0 ? [`${minutes} min`] : []),
      ...(now.cost_usd === null ? [] : [`$${now.cost_usd.toFixed(2)}`]),
    ];
    emit({ type: 'notice', message: parts.join(', ') + (line === undefined ? '' : `: ${legible(line)}`) });
  };
}

/** Returns the line that tells how an attempt ended. */
export function endLine(log: Pick<PlanLog, 'plan'>, { attempt, outcome }: AttemptEnd): string {
  return `${nameNow(log, attempt)}  ${outcome === 'agent' ? 'the agent does not work' : outcome}`;
}

const nameNow = ({ plan }: Pick<PlanLog, 'plan'>, { goal }: Attempt) =>
  goalShown({ goal, number: numberNow(plan, goal) });

/** Counts the dollars that agents report. */
export interface Spending {
  /** Hears of an attempt after each of its steps. */
  readonly heard: (now: Attempt) => void;
  /** Returns how many dollars are left of a budget, when each of so many running tries costs as much as the dearest so far. */
  readonly left: (budget: number, running: number) => number;
}

/** Returns an empty account: what an attempt had cost before is not counted. */
export function createSpending(): Spending {
  const costs = new Map<string, number>();
  let [spent, dearest] = [0, 0];
  return {
    heard({ token, cost_usd: cost }) {
      const more = (cost ?? 0) - (costs.get(token) ?? cost ?? 0);
      costs.set(token, cost ?? 0);
      spent += more;
      dearest = Math.max(dearest, more);
    },
    left: (budget, running) => budget - spent - running * dearest,
  };
}
