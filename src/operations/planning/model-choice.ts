import type { Plan } from '../../plan/plan.js';
import type { Context } from '../shared/context.js';
import { choosePlanning, settingsFor } from './choose-planning.js';
import type { PlanningChoice, PlanningFlags } from './choose-planning.js';
import { asksForModel } from './named-model.js';
import { apiKeyOf, hasModel } from '../settings/settings.js';

/**
 * The model to ask about a plan that is there, chosen as for planning: flag, environment, config, the plan's own
 * settings. Null where there is none, where rules were asked for, for a plan that an agent answers for, and for one that was
 * replayed, unless a recording is given again.
 * @throws PlanError UNTRUSTED_BASE_URL, INVALID_CONFIG when a model is asked for and none is configured, FILE_NOT_FOUND
 */
export async function chooseModel(
  context: Context,
  flags: PlanningFlags,
  plan: Plan,
): Promise<PlanningChoice['connect']> {
  if (flags.replay === undefined && !(await takesModel(context, flags, plan))) return null;
  const asked = { ...flags, settings: { ...flags.settings, expander: 'model' as const } };
  return (await choosePlanning(context, asked, { plan })).connect;
}

async function takesModel(context: Context, flags: PlanningFlags, plan: Plan): Promise<boolean> {
  const before = plan.header.settings;
  if (flags.settings?.expander === undefined && asksForModel(flags)) return true;
  const { resolved } = await settingsFor(context, flags, plan);
  const chosen = before?.expander === 'rules' && before.given?.includes('expander') === true;
  const asked = flags.settings?.expander ?? (chosen ? 'rules' : resolved.values.expander);
  if (asked !== undefined) return asked === 'model';
  if (before?.expander === 'replay' || before?.expander === 'agent') return false;
  return hasModel(resolved, apiKeyOf(context.environment.variables));
}
