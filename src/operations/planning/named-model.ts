import type { PlanningFlags } from './expanders.js';

/** Whether a model, or a server to ask, is named: then a model is asked for. */
export function namesModel({ settings }: Pick<PlanningFlags, 'settings'>): boolean {
  return settings?.model !== undefined || settings?.base_url !== undefined;
}

/** Whether anything is said about who plans. */
export function saysWhoPlans({ settings, replay }: PlanningFlags): boolean {
  return settings?.expander !== undefined || namesModel({ settings }) || replay !== undefined;
}
