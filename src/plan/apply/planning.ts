import type { EventStamp, PayloadOf } from '../events.js';
import type { Plan } from '../plan.js';
import type { PlanHeader } from '../schema.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { settle } from './settle.js';
import { spend } from './spend.js';

/** A process begins to plan; the first to say so does. */
export function startPlanning(
  plan: Plan,
  event: PayloadOf<'planning_started'> & EventStamp,
  refuse: Refuse,
): Applied {
  if ((plan.header.run?.id ?? null) !== event.replaces)
    return refuse('another process started to plan first');
  const settings = event.settings ?? plan.header.settings;
  const header: PlanHeader = {
    ...plan.header,
    ...(settings === undefined ? {} : { settings }),
    paused_because: null,
    run: event.run,
  };
  return accept(settle({ ...plan, header }, event));
}

/** A process is done planning. */
export function endPlanning(
  plan: Plan,
  event: PayloadOf<'planning_ended'> & EventStamp,
  refuse: Refuse,
): Applied {
  if (plan.header.run?.id !== event.run) return refuse('another process took over this planning');
  return accept(settle(spend(withoutRun(plan), event), event));
}

/** Planning stops until it is resumed. */
export function pausePlan(plan: Plan, event: PayloadOf<'plan_paused'> & EventStamp, refuse: Refuse): Applied {
  if (event.run !== undefined && plan.header.run?.id !== event.run)
    return refuse('another process took over this planning');
  if (event.run === undefined && plan.counts.pending === 0)
    return refuse(`the plan is ${plan.header.status}; nothing is left to plan`);
  const ended = event.run === undefined ? plan : withoutRun(plan);
  const paused: Plan = { ...ended, header: { ...ended.header, paused_because: event.because } };
  return accept(settle(spend(paused, event), event));
}

function withoutRun(plan: Plan): Plan {
  const { run: _ended, ...header } = plan.header;
  return { ...plan, header };
}
