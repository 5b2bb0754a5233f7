import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import { defineOperation } from '../../../operations/operation.js';
import { actorName } from '../../../operations/shared/actor.js';
import { field, goalArgument, planOption, text } from '../../../operations/shared/fields.js';
import { planToChange } from '../../../operations/shared/find-to-change.js';
import type { Context } from '../../../operations/shared/context.js';
import { planMeantByGoals } from '../../../operations/shared/find-plan.js';
import { claimIfFree, newClaim, refusedClaim } from '../../../operations/work/claim-goal.js';
import { gitIn } from '../attempt/git.js';
import { isOfOtherWords } from '../attempt/goal-now.js';
import { openWork } from '../attempt/open-work.js';
import { forget, keep, note } from '../attempt/record.js';
import { carryOut, refuseUnless } from '../attempt/run-attempt.js';
import { createTurns } from '../attempt/turns.js';
import { numberNow } from './goal-number.js';
import { attemptNamed } from './named-attempt.js';
import { progressTo } from './work-progress.js';
import { saveAttempt, thisProcess, whileTaking } from '../attempt/state.js';
import { stateFolder, timeNow } from '../../../operations/shared/environment.js';
import type { Attempt } from '../attempt/state.js';
import type { PlanLog } from '../../../storage/plan-store.js';

const SHORTEST_ID = 7;
const TIMEOUT_MS = 1_800_000;

const decidedSchema = z
  .object({
    goal: z.string(),
    number: z.string().nullable(),
    outcome: z.enum(['landed', 'failed', 'waiting', 'lost', 'refused', 'interrupted', 'agent', 'rejected']),
    commit: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .readonly();

const commitField = () =>
  field(z.string(), 'the commit that you have looked at, as `plan attempts` prints it', { value: 'commit' });

/**
 * Lands what an agent made and a person has looked at: merged with the base as it is now, and checked if that has moved.
 * @throws PlanError REFUSED where nothing waits, it is another commit, or the goal is somebody else's or done by now
 */
export const acceptAttempt = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({ goal: goalArgument(), commit: commitField(), plan: planOption() }),
  output: decidedSchema,
  examples: ['plan attempts accept 3 --commit 1f0c9a2'],
  mutates: true,
  interruptible: true,
  async run(context, input) {
    const log = await planOfAttempt(context, input);
    const attempt = await waitingAttempt(context, log, input);
    const { agent, branch, goal, token, by } = attempt;
    const opened = await openWork(context, log, { with: agent, base: branch, timeoutMs: TIMEOUT_MS });
    refuseUnless(
      opened.top === attempt.top,
      'it was made in another working tree',
      `Run the command in ${attempt.top}.`,
    );
    const claim = { ...newClaim(context, goal, { by }), token };
    const accepted = await whileTaking(opened.root, attempt.plan, async () => {
      // Somebody else may have decided meanwhile.
      await waitingAttempt(context, log, { goal, commit: attempt.commit ?? undefined });
      refuseUnless(
        !isOfOtherWords(log, attempt),
        `goal ${namedGoal(log.plan, goal)} was changed after the agent had been told of it`,
        `\`plan attempts reject ${goal}\` gives the work up, and \`plan work\` has it done as the goal reads now.`,
      );
      const { refused } = await claimIfFree(context, log, claim);
      if (refused !== null) throw refusedClaim(log.plan, goal, timeNow(context.environment), refused);
      const begun: Attempt = {
        ...attempt,
        state: 'running',
        reason: null,
        accepted: attempt.commit,
        fallback: null,
        conflicts: 0,
        owner: await thisProcess(),
      };
      await saveAttempt(opened.root, begun);
      return begun;
    });
    const drop = context.dropSignal ?? context.signal ?? new AbortController().signal;
    const told = progressTo(context, log);
    const work = { ...opened, drop, told, turns: createTurns(1), dollarsLeft: () => null };
    const end = await carryOut({ ...work, tries: accepted.try }, accepted);
    const { merged, commit: made } = end.attempt;
    // What waits is accepted by the commit that was made.
    const commit = end.outcome === 'waiting' ? made : (merged?.commit ?? made);
    const number = numberNow(log.plan, goal);
    return { goal, number, outcome: end.outcome, commit, reason: end.reason };
  },
  exitStatus: ({ outcome }) => (outcome === 'landed' ? 0 : outcome === 'waiting' ? 8 : 1),
});

/**
 * Gives up what an agent made; its commit stays under `refs/frctl/kept`, and the goal can be begun again.
 * @throws PlanError REFUSED where nothing waits
 */
export const rejectAttempt = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    reason: text('why'),
    by: text('who decides', 'name'),
    plan: planOption(),
  }),
  output: decidedSchema,
  examples: ['plan attempts reject 3 --reason "Keep the old names"'],
  mutates: true,
  async run(context, input) {
    const log = await planOfAttempt(context, input);
    const root = stateFolder(context.environment);
    return whileTaking(root, log.plan.header.id, async () => {
      const attempt = await waitingAttempt(context, log, input);
      const work = { log, root, git: gitIn(attempt.top, context.environment.variables) };
      const reason = input.reason ?? null;
      await keep(work, attempt);
      await note(work, { ...attempt, by: actorName(context, input) }, 'rejected', reason);
      await forget(work, attempt);
      const { goal, commit } = attempt;
      return { goal, number: numberNow(log.plan, goal), outcome: 'rejected' as const, commit, reason };
    });
  },
});

/** Opens the plan of the goal that is named. @throws PlanError PLAN_NOT_FOUND, WRONG_STATE */
async function planOfAttempt(
  context: Context,
  { goal, plan }: { readonly goal: string; readonly plan?: string | undefined },
): Promise<PlanLog> {
  return planToChange(context, planMeantByGoals(plan, [goal]));
}

/** @throws PlanError GOAL_NOT_FOUND, REFUSED */
async function waitingAttempt(
  context: Context,
  { plan }: PlanLog,
  { goal, commit }: { readonly goal: string; readonly commit?: string | undefined },
): Promise<Attempt> {
  const { attempt, id } = await attemptNamed(stateFolder(context.environment), plan, goal);
  const name = namedGoal(plan, id);
  if (attempt?.state !== 'waiting')
    throw new PlanError('REFUSED', `nothing of goal ${name} waits for a person on this machine`, {
      hint: { commandLine: '`plan attempts` lists what does.' },
    });
  refuseUnless(
    commit === undefined || plan.goals.has(id),
    `goal ${id} is gone from the plan`,
    `\`plan attempts reject ${id}\` gives the work up; \`plan undo\` brings back a goal that was just removed.`,
  );
  const isMeant =
    commit === undefined || (commit.length >= SHORTEST_ID && attempt.commit?.startsWith(commit) === true);
  refuseUnless(
    isMeant,
    `what waits of goal ${name} is commit ${attempt.commit ?? ''}`,
    `Look at it (\`git show ${attempt.commit ?? ''}\`), and give its id with --commit.`,
  );
  return attempt;
}
