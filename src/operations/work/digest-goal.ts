import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { goalInWords, statusInWords } from '../../plan/goal-in-words.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { digestSchema, summarySchema } from '../../plan/schema.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors, numberOf, subtree } from '../../plan/tree.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import { goalsAskedAbout } from './digest-history.js';
import { createDigestWork } from './digest-work.js';
import type { MadeDigest } from './digest-work.js';
import type { PlanningFlags } from '../planning/choose-planning.js';
import { modelFields, planningFlags } from '../planning/planning-fields.js';
import { defineOperation } from '../operation.js';
import type { StopSignals } from '../operation.js';
import { choice, planOption, text, toggle } from '../shared/fields.js';
import { findGoalByName, findPlan } from '../shared/find-plan.js';
import { chooseModel } from '../planning/model-choice.js';
import type { Emit } from '../planning/planning-progress.js';
import { refuseArchived } from '../shared/find-to-change.js';
import { summaryNow } from '../shared/summary-now.js';

const inputSchema = z.strictObject({
  goal: text('goal id, its suffix (k3f9x2, root) or its number (1.2.3)', 'goal'),
  refresh: toggle('make existing digests again'),
  expander: choice(['model', 'rules'], 'what makes them', { value: 'kind' }),
  ...modelFields(),
  plan: planOption(),
});

const namedGoal = z.object({ goal: z.string(), number: z.string(), description: z.string() });

/** A digest with what was measured of it. */
const digestedGoalSchema = namedGoal.extend({
  digest: digestSchema,
  made_by: z
    .enum(['model', 'extraction'])
    .nullable()
    .describe('null for a digest that was there and was left as it is.'),
  facts: z.number().nullable().describe('Facts of its source; null where the source is not in the log.'),
  missing: z
    .array(z.object({ kind: z.string(), text: z.string() }))
    .readonly()
    .describe('The facts that it has lost.'),
});

const digestReportSchema = z.object({
  plan: summarySchema,
  digests: z.array(digestedGoalSchema).readonly(),
  without: z
    .array(namedGoal)
    .readonly()
    .describe('Finished goals that no digest can be made of, because nothing was submitted with them.'),
  notices: z.array(z.string()).readonly().describe('What the user should know, such as a model that failed.'),
});

type DigestedGoal = z.output<typeof digestedGoalSchema>;
export type DigestReport = z.output<typeof digestReportSchema>;

export interface DigestOptions extends PlanningFlags, StopSignals {
  readonly plan?: string | undefined;
  /** Only this goal, and what below it its digest is made of; every finished goal when left out. */
  readonly goal?: string | undefined;
  /** Make digests again that are there already. */
  readonly refresh?: boolean | undefined;
}

/**
 * Makes the digests that finished goals lack, from the leaves up; with `refresh` those that are there too. Without a
 * model they are extracted; with one the better of both is kept.
 * @throws PlanError WRONG_STATE for a goal that is not finished, GOAL_NOT_FOUND, PLAN_NOT_FOUND; INTERRUPTED, and what the
 *   model failed with where one was asked for outright (what was made is stored by then)
 */
export const digestPlan = defineOperation({
  arguments: ['goal'],
  input: inputSchema,
  output: digestReportSchema,
  examples: ['plan digest', 'plan digest root', 'plan digest 1.2 --refresh --expander rules'],
  mutates: true,
  interruptible: 'in steps',
  run: async (context, { goal, refresh, plan, ...flags }) => {
    const { signal, dropSignal } = context;
    return digestGoals(context, { ...planningFlags(flags), goal, refresh, plan, signal, dropSignal });
  },
});

/**
 * Makes the digests that goals lack, as {@link digestPlan} does, for `complete`, which digests what it finishes.
 */
export async function digestGoals(context: Context, options: DigestOptions): Promise<DigestReport> {
  const { log, goal } = await whatToDigest(context, options);
  refuseArchived(log);
  const notices: string[] = [];
  const emit: Emit = (event) => {
    if (event.type === 'notice') notices.push(event.message);
  };
  const refresh = options.refresh === true;
  const connect = await chooseModel(context, options, log.plan);
  const work = createDigestWork(log, {
    connect,
    emit,
    signal: options.signal,
    dropSignal: options.dropSignal,
  });
  const improvable = connect === null ? new Set<string>() : await losingGoals(log);
  const wanted = goalsToDigest(log.plan, goal, (one) => refresh || improvable.has(one.id));
  const made = await work.run(wanted);
  await extractAbove(log, made, emit);
  await log.publish('when_due');
  const { stopped } = work;
  if (stopped?.code === 'INTERRUPTED') throw stopped;
  if (stopped !== null && options.settings?.expander === 'model') throw stopped;
  const asked = goal === null || wanted.includes(goal.id) ? made : [...made, await work.measure(goal.id)];
  // Another process may have taken a goal away meanwhile.
  const shown = asked.filter((each) => log.plan.goals.has(each.goal));
  return {
    plan: summaryNow(context, log.plan),
    digests: shown.flatMap((each) => digested(log.plan, each)),
    without: shown.flatMap((each) => (each.digest === null ? [named(log.plan, each.goal)] : [])),
    notices,
  };
}

async function whatToDigest(
  context: Context,
  options: DigestOptions,
): Promise<{ readonly log: PlanLog; readonly goal: Goal | null }> {
  if (options.goal === undefined) return { log: await findPlan(context, options.plan, 'change'), goal: null };
  const { log, goal } = await findGoalByName(context, options.goal, options.plan, 'change');
  if (goal.status === 'complete') return { log, goal };
  throw new PlanError(
    'WRONG_STATE',
    `goal ${goalInWords(log.plan, goal)} is ${statusInWords(goal)}; only finished work has a digest`,
    {
      hint: { commandLine: '`plan complete` finishes a goal and digests what is submitted with it.' },
      details: { goal: goal.id, status: goal.status },
    },
  );
}

/** Finished goals that lack a digest or want another one; of a goal that is named, those below it that lack what its own is made of. */
function goalsToDigest(
  plan: Plan,
  goal: Goal | null,
  wantsAnother: (goal: Goal) => boolean,
): readonly string[] {
  const within = goal === null ? [...plan.goals.values()] : subtree(plan, goal);
  return within
    .filter(({ status }) => status === 'complete')
    .filter((one) => one.digest === null || ((goal === null || one.id === goal.id) && wantsAnother(one)))
    .map(({ id }) => id);
}

/** Goals whose digest has lost something, and that no model was asked about since it was made. */
export async function losingGoals(log: PlanLog): Promise<ReadonlySet<string>> {
  const losing = [...log.plan.goals.values()].filter(({ digest }) => (digest?.fidelity_score ?? 1) < 1);
  if (losing.length === 0) return new Set();
  const asked = await goalsAskedAbout(log);
  return new Set(losing.map(({ id }) => id).filter((id) => !asked.has(id)));
}

/** What is above a digest that a model made better gains from it as far as that takes no model. */
async function extractAbove(log: PlanLog, made: readonly MadeDigest[], emit: Emit): Promise<void> {
  const { plan } = log;
  const done = new Set(made.map(({ goal }) => goal));
  const above = made
    .filter(({ madeBy }) => madeBy === 'model')
    .flatMap(({ goal }) => plan.goals.get(goal) ?? [])
    .flatMap((goal) => ancestors(plan, goal))
    .filter(({ id, status }) => status === 'complete' && !done.has(id));
  const ids = [...new Set(above.map(({ id }) => id))];
  await createDigestWork(log, { emit, connect: null }).run(ids);
}

function digested(plan: Plan, { goal, digest, madeBy, fidelity }: MadeDigest): readonly DigestedGoal[] {
  if (digest === null) return [];
  return [
    {
      ...named(plan, goal),
      digest,
      made_by: madeBy,
      facts: fidelity?.facts ?? null,
      missing: (fidelity?.missing ?? []).map(({ kind, text }) => ({ kind, text })),
    },
  ];
}

function named(plan: Plan, id: string) {
  const goal = goalOf(plan, id);
  return { goal: id, number: numberOf(plan, goal), description: goal.description };
}
