import type { Summary } from '../../../../operations/shared/report-schemas.js';

/** The command that goes on with a plan that is paused, as people type it. */
export function commandToGoOn({ id, paused_because, expander }: Summary): string {
  if (expander === 'agent') return `plan ask ${id}`;
  return paused_because === 'budget' ? `plan resume ${id} --budget-usd N` : `plan resume ${id}`;
}

/** The command that goes on with a paused plan and what it does, in a sentence; empty for every other plan. */
export function howToGoOn(plan: Summary): string {
  if (plan.status !== 'paused') return '';
  const how =
    plan.paused_because === 'budget'
      ? ' with a larger budget (or --budget-calls, --budget-tokens, --budget-seconds)'
      : plan.expander === 'agent'
        ? ': it shows the questions that `plan answer` answers'
        : '';
  return `\`${commandToGoOn(plan)}\` goes on${how}.`;
}
