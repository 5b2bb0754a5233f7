import * as z from 'zod';

import { defineOperation } from '../../../operations/operation.js';
import { field, planArgument, planOption } from '../../../operations/shared/fields.js';
import { findPlan, planMeantByGoals } from '../../../operations/shared/find-plan.js';
import { planToChange } from '../../../operations/shared/find-to-change.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { placesOf, removeTrees } from '../attempt/clone.js';
import { gitIn } from '../attempt/git.js';
import { forget, keep, note } from '../attempt/record.js';
import { goalShown, numberNow } from './goal-number.js';
import { attemptNamed } from './named-attempt.js';
import { endMarked } from '../attempt/run-agent.js';
import { askForPause, attemptFolder, isOwned, readAttempts, whileTaking } from '../attempt/state.js';
import { stateFolder } from '../../../operations/shared/environment.js';

const cleanedSchema = z
  .object({
    goal: z.string(),
    number: z.string().nullable(),
    removed: z
      .enum(['trees', 'attempt'])
      .describe('The files of one that waits, or all of an interrupted one.'),
    commit: z.string().nullable().describe('What it made, which stays in the repository.'),
  })
  .readonly();

type Cleaned = z.output<typeof cleanedSchema>;

/**
 * Removes what attempts have left on the disk: the trees of those that wait, and interrupted ones whose goal is done or was
 * named. Commits stay in the repository.
 */
export const cleanAttempts = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: field(z.string().optional(), 'give the interrupted attempt at this goal up', { value: 'goal' }),
    plan: planOption(),
  }),
  output: z.object({ cleaned: z.array(cleanedSchema).readonly() }).readonly(),
  examples: ['plan attempts clean', 'plan attempts clean 3'],
  mutates: true,
  async run(context, input) {
    const log = await planToChange(context, planMeantByGoals(input.plan, [input.goal]));
    const root = stateFolder(context.environment);
    const named = input.goal === undefined ? null : (await attemptNamed(root, log.plan, input.goal)).id;
    return {
      cleaned: await whileTaking(root, log.plan.header.id, async () =>
        clean(log, { root, named, variables: context.environment.variables }),
      ),
    };
  },
});

async function clean(
  log: PlanLog,
  {
    root,
    named,
    variables,
  }: {
    readonly root: string;
    readonly named: string | null;
    readonly variables: Readonly<Record<string, string | undefined>>;
  },
): Promise<readonly Cleaned[]> {
  const cleaned: Cleaned[] = [];
  for (const attempt of await readAttempts(root, log.plan.header.id)) {
    const { goal, commit, token, by } = attempt;
    const number = numberNow(log.plan, goal);
    if (named !== null && named !== goal) continue;
    if (attempt.state === 'waiting') {
      await removeTrees(placesOf(attemptFolder(root, attempt)), ['git']);
      cleaned.push({ goal, number, removed: 'trees', commit });
      continue;
    }
    const isOver = named === goal || log.plan.goals.get(goal)?.status !== 'atomic';
    if (!isOver || (await isOwned(attempt))) continue;
    const work = { log, root, git: gitIn(attempt.top, variables) };
    await endMarked(token);
    await keep(work, attempt);
    await note(work, attempt, 'interrupted', 'given up');
    await log.append([{ type: 'claim_released', goal, token }], by);
    await log.publish('when_due');
    await forget(work, attempt);
    cleaned.push({ goal, number, removed: 'attempt', commit });
  }
  return cleaned;
}

/** Asks commands that work on a plan to begin nothing more; what runs is finished. */
export const pauseAttempts = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: z
    .object({ running: z.array(z.string()).readonly().describe('Numbers of goals that are still finished.') })
    .readonly(),
  examples: ['plan attempts pause'],
  mutates: false,
  async run(context, { plan }) {
    const { plan: now } = await findPlan(context, plan);
    const { environment } = context;
    const root = stateFolder(environment);
    await askForPause(root, now.header.id, environment.ids.eventId());
    const running = [];
    for (const attempt of await readAttempts(root, now.header.id)) {
      const { goal } = attempt;
      if (attempt.state === 'running' && (await isOwned(attempt)))
        running.push(goalShown({ goal, number: numberNow(now, goal) }));
    }
    return { running };
  },
});
