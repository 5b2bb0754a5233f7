import { PlanError, messageOf } from '../../kernel/errors.js';
import type { Result } from '../../plan/events/result.js';
import { goalOf, summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Digest, Goal, Summary } from '../../plan/schema.js';
import { ancestors, numberOf, subtree } from '../../plan/tree.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import { goalsAskedAbout } from './digest-history.js';
import { createDigestWork } from './digest-work.js';
import type { MadeDigest } from './digest-work.js';
import type { PlanningFlags } from '../planning/expanders.js';
import { findGoalByName, findPlan } from '../shared/find-plan.js';
import { chooseModel } from '../planning/model-choice.js';
import type { Emit } from '../planning/planning-run.js';
import { refuseArchived } from '../shared/refuse-archived.js';

export interface DigestOptions extends PlanningFlags {
  readonly plan?: string | undefined;
  /** Only this goal, and what below it its digest is made of; every finished goal when left out. */
  readonly goal?: string | undefined;
  /** Make digests again that are there already. */
  readonly refresh?: boolean | undefined;
  /** When aborted, the model is asked nothing further; what the calls in flight bring is stored. */
  readonly signal?: AbortSignal | undefined;
  /** When aborted, the calls in flight are dropped, and the digests made without a model stay. */
  readonly dropSignal?: AbortSignal | undefined;
}

/** A digest with what was measured of it. */
export interface DigestedGoal {
  readonly goal: string;
  readonly number: string;
  readonly description: string;
  readonly digest: Digest;
  /** null for a digest that was there and was left as it is. */
  readonly made_by: 'model' | 'extraction' | null;
  /** Facts of its source; null where the source is not in the log. */
  readonly facts: number | null;
  /** The facts that it has lost. */
  readonly missing: readonly { readonly kind: string; readonly text: string }[];
}

export interface DigestReport {
  readonly plan: Summary;
  readonly digests: readonly DigestedGoal[];
  /** Finished goals that no digest can be made of, because nothing was submitted with them. */
  readonly without: readonly {
    readonly goal: string;
    readonly number: string;
    readonly description: string;
  }[];
  /** What the user should know, such as a model that failed. */
  readonly notices: readonly string[];
}

/**
 * Makes the digests that finished goals lack, from the leaves up; with `refresh` those that are there too. Without a
 * model they are extracted; with one the better of both is kept.
 * @throws PlanError WRONG_STATE for a goal that is not finished, GOAL_NOT_FOUND, PLAN_NOT_FOUND; INTERRUPTED, and what the
 *   model failed with where one was asked for outright (what was made is stored by then)
 */
export async function digestPlan(context: Context, options: DigestOptions): Promise<DigestReport> {
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
    plan: summarize(log.plan),
    digests: shown.flatMap((each) => digested(log.plan, each)),
    without: shown.flatMap((each) => (each.digest === null ? [named(log.plan, each.goal)] : [])),
    notices,
  };
}

export interface CompletedOptions {
  /** Leaves that were just completed; the goals above them that this completed are found here. */
  readonly goals: readonly string[];
  /** What was submitted with them, by goal; read from the log where it is not given. */
  readonly results?: ReadonlyMap<string, Result> | undefined;
  readonly emit: Emit;
}

/**
 * Digests what a completion finished: the leaves that have no digest yet, and every goal above them that is complete
 * now. No model is asked, so that nobody who finishes work waits for one. Never throws: what goes wrong is told as a
 * notice.
 */
export async function digestCompleted(
  log: PlanLog,
  { goals, results, emit }: CompletedOptions,
): Promise<void> {
  try {
    const around = finishedAround(log.plan, goals);
    const lacking = around.filter((id) => log.plan.goals.get(id)?.digest === null);
    await createDigestWork(log, { emit, results, connect: null }).run(lacking);
    await log.publish('when_due');
  } catch (thrown) {
    emit({ type: 'notice', message: `no digest was made: ${messageOf(thrown)}` });
  }
}

async function whatToDigest(
  context: Context,
  options: DigestOptions,
): Promise<{ readonly log: PlanLog; readonly goal: Goal | null }> {
  if (options.goal === undefined) return { log: await findPlan(context.store(), options.plan), goal: null };
  const { log, goal } = await findGoalByName(context.store(), options.goal, options.plan);
  if (goal.status === 'complete') return { log, goal };
  throw new PlanError('WRONG_STATE', `goal ${goal.id} is ${goal.status}; only finished work has a digest`, {
    hint: '`plan complete` finishes a goal and digests what is submitted with it.',
    details: { goal: goal.id, status: goal.status },
  });
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
async function losingGoals(log: PlanLog): Promise<ReadonlySet<string>> {
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

/** The leaves with the complete goals above them, and the goals beside those that another process has yet to digest. */
function finishedAround(plan: Plan, leaves: readonly string[]): readonly string[] {
  const found = leaves.flatMap((id) => plan.goals.get(id) ?? []);
  const above = found.flatMap((leaf) => ancestors(plan, leaf)).filter(({ status }) => status === 'complete');
  const finished = new Set([...found, ...above].map(({ id }) => id));
  const beside = above
    .flatMap(({ child_ids }) => child_ids.map((child) => goalOf(plan, child)))
    .filter(
      ({ id, status, child_ids }) => status === 'complete' && child_ids.length > 0 && !finished.has(id),
    );
  return [...new Set([...finished, ...beside.map(({ id }) => id)])];
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
