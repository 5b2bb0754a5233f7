import type { RunLog } from '../model/run-log.js';
import type { Run } from '../model/run.js';
import { outputsOf } from '../model/values/run-values.js';
import { PlanError } from '../../../kernel/errors.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { sha256 } from '../../../kernel/sha256.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import type { Plan } from '../../../plan/plan.js';
import { wordRefusal } from '../../../plan/refusals.js';
import type { Refusal } from '../../../plan/refusals.js';
import type { RunContext } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import type { CompletionReport } from '../../../operations/work/completion-report.js';

/** What became of the goal that a run carries out. */
interface GoalAfterRun {
  /** What completing the goal came to; null where it was not completed. */
  readonly completed: CompletionReport | null;
  /** Why its plan was not told, or it was not completed as it should have been. */
  readonly refused: PlanError | null;
}

/**
 * Refuses to begin a run whose goal could not be completed after it.
 * @param token of the claim under which the goal is to be completed; undefined where it is not to be
 * @throws PlanError USAGE, REFUSED, WRONG_STATE, GOAL_NOT_FOUND, PLAN_NOT_FOUND
 */
export async function refuseUncompletable(
  context: Context,
  { id, prepared: { goal } }: Run,
  token: string | undefined,
): Promise<void> {
  if (token === undefined) return;
  if (goal === undefined)
    throw new PlanError('USAGE', `${id} carries out no goal, so there is none to complete; nothing was run`, {
      hint: { commandLine: `Leave --complete out, or prepare it for a goal: \`plan prepare … --goal 1.2\`.` },
      details: { run: id },
    });
  const { refuseCompletion } = await import('../../../operations/work/complete-goal.js');
  await refuseCompletion(context, { goal, token }, (thrown) => notRun(id, thrown));
}

/** The same refusal for somebody who wanted to run something first. */
function notRun(run: string, { code, message, hint = '', details }: PlanError): PlanError {
  const instead = `\`plan run ${run}\` without --complete leaves the goal open.`;
  return new PlanError(code, `${message}; nothing was run`, {
    hint: { commandLine: hint === '' ? instead : `${hint} ${instead}` },
    details: { run, ...details },
  });
}

/**
 * Tells the plan of the goal what was run, and completes the goal where that was asked for. What is refused now is told
 * beside the outcome: the run has ended all the same.
 * @param token of the claim under which the goal is completed; undefined where it is not to be
 */
export async function afterRun(
  context: RunContext,
  log: RunLog,
  token: string | undefined,
): Promise<GoalAfterRun> {
  const { goal } = log.run.prepared;
  if (log.run.ended === null || goal === undefined) return { completed: null, refused: null };
  try {
    const completed = await goalAfterRun(context, log, { goal, token });
    return { completed, refused: null };
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    return { completed: null, refused: thrown };
  }
}

async function goalAfterRun(
  context: RunContext,
  log: RunLog,
  { goal, token }: { readonly goal: string; readonly token: string | undefined },
): Promise<CompletionReport | null> {
  const { run } = log;
  const { source, digest } = run.prepared;
  if (run.ended === null) return null;
  const plan = await context.store().open(goal.slice(0, goal.indexOf('-')));
  const [told] = await plan.append([
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
  if (told !== undefined && told.refused !== null) throw notTold(run.id, plan.plan, told.refused);
  if (token === undefined || run.ended.outcome !== 'succeeded') return null;
  const { completeGoal } = await import('../../../operations/work/complete-goal.js');
  const steps = [...run.instances].filter(([, { state }]) => state === 'succeeded').length;
  return completeGoal.run(context, {
    goal,
    token,
    summary: `${run.id} carried it out: ${steps} ${steps === 1 ? 'step' : 'steps'} succeeded (${digest})`,
    artifacts: [...new Set(run.prepared.inputs.map(({ path }) => path))],
    text: await outputsText(log),
  });
}

function notTold(run: string, plan: Plan, refusal: Refusal): PlanError {
  const why = wordRefusal(refusal, (id) => namedGoal(plan, id));
  return new PlanError('REFUSED', `its plan does not record the run: ${why}`, {
    hint: { commandLine: `\`plan runs show ${run}\` shows what was done.` },
    details: { run, refusal },
  });
}

/** What the first steps brought, by their digests: what it was is on the machine that ran it. */
async function outputsText(log: RunLog): Promise<string> {
  const outputs = outputsOf(log);
  const lines: string[] = [];
  for (const [name, { state, output }] of log.run.instances) {
    if (lines.length === MOST_LINES) break;
    if (state !== 'succeeded' || output === null) continue;
    const digest =
      'file' in output ? output.file : sha256(textOfJson((await outputs.of(name))?.value ?? null));
    lines.push(`${name}: sha256 ${digest}`);
  }
  return lines.join('\n');
}

const MOST_LINES = 200;
