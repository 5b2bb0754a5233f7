import type { PreparedRun } from '../model/prepared-run.js';
import type { Run } from '../model/run.js';
import type { RunSteps } from '../model/steps/run-step.js';
import { panesOf } from '../model/tools/panes-of-plan.js';
import type { Toolbox } from '../model/tool.js';
import { PlanError } from '../../../kernel/errors.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import { preflightRefusal } from './preflight.js';

/**
 * The panes that a plan names, each with what makes it the one it is. That nobody can tell is no reason not to look: then
 * the plan is not prepared.
 * @throws PlanError INVALID_INPUT
 */
export async function panesNow(
  { root }: RunSteps,
  toolbox: Toolbox,
): Promise<NonNullable<PreparedRun['panes']>> {
  const found: { pane: string; identity: string }[] = [];
  for (const [pane, value] of panesOf(root.plan)) {
    const identity = await identityOf(value, toolbox);
    if (identity === null)
      throw new PlanError('INVALID_INPUT', `nobody can tell which pane ${pane} is`, {
        hint: {
          commandLine:
            toolbox.panes === undefined
              ? '`panes` of the tools file says how a pane is recognized (docs/running.md).'
              : 'Check that the pane exists.',
        },
        details: { rule: 'UNKNOWN_PANE', pane },
      });
    found.push({ pane, identity });
  }
  return found;
}

/** Refuses a run whose panes are no longer those that it was prepared for. @throws PlanError E_PLAN_PANE_MISMATCH */
export async function refuseOtherPanes(run: Run, { root }: RunSteps, toolbox: Toolbox): Promise<void> {
  const prepared = new Map((run.prepared.panes ?? []).map(({ pane, identity }) => [pane, identity]));
  for (const [pane, value] of panesOf(root.plan))
    if (prepared.get(pane) !== (await identityOf(value, toolbox)))
      throw preflightRefusal(
        'E_PLAN_PANE_MISMATCH',
        run,
        `pane ${pane} is gone, or another one than it was`,
        'Prepare it again, and check which pane it is.',
      );
}

async function identityOf(pane: JsonValue, { panes }: Toolbox): Promise<string | null> {
  const identity = (await panes?.identityOf(pane)) ?? null;
  return identity === null ? null : sha256(canonicalJson(identity));
}
