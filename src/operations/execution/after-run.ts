import type { RunLog } from '../../execution/run-log.js';
import { PlanError } from '../../kernel/errors.js';
import type { RunContext } from '../operation.js';

/**
 * Tells the plan of the goal what was run, and completes the goal where that was asked for.
 * @param token of the claim under which the goal is completed; undefined where it is not to be
 * @returns the goal that was completed, or null
 * @throws PlanError REFUSED, WRONG_STATE, when the goal cannot be completed; the run has ended all the same
 */
export async function afterRun(
  context: RunContext,
  log: RunLog,
  token: string | undefined,
): Promise<string | null> {
  const { run } = log;
  const { goal, source, digest } = run.prepared;
  if (run.ended === null) return null;
  if (goal === undefined) {
    if (token === undefined) return null;
    throw new PlanError('USAGE', `${run.id} carries out no goal, so there is none to complete`, {
      hint: 'Name it when the plan is prepared: `plan prepare … --goal 1.2`.',
    });
  }
  const plan = await context.store().open(goal.slice(0, goal.indexOf('-')));
  await plan.append([
    {
      type: 'action_plan_run',
      goal,
      ...(source.id === undefined ? {} : { action_plan: source.id }),
      run: run.id,
      digest,
      outcome: run.ended.outcome,
    },
  ]);
  await plan.publish('when_due');
  if (token === undefined || run.ended.outcome !== 'succeeded') return null;
  const { completeGoal } = await import('../work/complete-goal.js');
  const steps = [...run.instances].filter(([, { state }]) => state === 'succeeded').length;
  await completeGoal.run(context, {
    goal,
    token,
    summary: `${run.id} carried it out: ${steps} ${steps === 1 ? 'step' : 'steps'} succeeded (${digest})`,
    artifacts: [...new Set(run.prepared.inputs.map(({ path }) => path))],
    text: outputsText(log),
  });
  return goal;
}

/** What the steps brought, by their digests: what it was is on the machine that ran it. */
function outputsText({ run }: RunLog): string {
  const lines = [...run.instances].flatMap(([name, { state, output }]) =>
    state === 'succeeded' && output?.digest !== undefined ? [`${name}: sha256 ${output.digest}`] : [],
  );
  return lines.slice(0, MOST_LINES).join('\n');
}

const MOST_LINES = 200;
