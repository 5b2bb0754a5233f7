import type { RunLog } from '../../execution/run-log.js';
import { outputsOf } from '../../execution/values/run-values.js';
import { PlanError } from '../../kernel/errors.js';
import { textOfJson } from '../../kernel/json/json-tree.js';
import { sha256 } from '../../kernel/sha256.js';
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
    text: await outputsText(log),
  });
  return goal;
}

/** What the first steps brought, by their digests: what it was is on the machine that ran it. */
async function outputsText(log: RunLog): Promise<string> {
  const outputs = outputsOf(log);
  const lines: string[] = [];
  for (const [name, { state, output }] of log.run.instances) {
    if (lines.length === MOST_LINES) break;
    if (state !== 'succeeded' || output === null) continue;
    const digest = 'file' in output ? output.file : sha256(textOfJson((await outputs.of(name)) ?? null));
    lines.push(`${name}: sha256 ${digest}`);
  }
  return lines.join('\n');
}

const MOST_LINES = 200;
