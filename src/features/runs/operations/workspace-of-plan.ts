import { everyStep } from '../../actions/model/action-plan.js';
import type { ActionPlan } from '../../actions/model/action-plan.js';
import { PlanError } from '../../../kernel/errors.js';
import { shellWord } from '../../../kernel/text/shell-word.js';

/** Where a plan is prepared. */
interface Here {
  /** The real path of the folder. */
  readonly root: string;
  /** What the user says that plans call it. */
  readonly called: string | undefined;
}

/**
 * Refuses a plan that is for another workspace, and one with a nested plan that is. A plan is for this one when it names
 * none, or the real path of its folder, or what the user says that it is called.
 * @throws PlanError E_PLAN_WORKSPACE_MISMATCH
 */
export function refuseOtherWorkspace(plan: ActionPlan, { root, called }: Here): void {
  const refuse = ({ workspace = '' }: ActionPlan, step: string | null) => {
    if (workspace === '' || workspace === root || workspace === called) return;
    const what = step === null ? 'the plan is' : `the nested plan of ${step} is`;
    throw new PlanError(
      'E_PLAN_WORKSPACE_MISMATCH',
      `${what} for the workspace ${workspace}, and this is ${root}`,
      {
        hint: {
          commandLine: `Prepare it there. Where this folder is what the plan calls ${workspace}, add --workspace ${shellWord(workspace)}: it is shown, and approved with the run.`,
        },
        details: { workspace, root, step },
      },
    );
  };
  refuse(plan, null);
  for (const { step } of everyStep(plan)) if (step.plan !== undefined) refuse(step.plan, step.id);
}

/** Returns what a run notes as its workspace: its folder, and what the plan or the user calls it. */
export function workspaceOfRun({ workspace = '' }: ActionPlan, { root, called }: Here) {
  const id = called ?? (workspace === '' ? root : workspace);
  return { id, root };
}
