import * as z from 'zod';

import type { PayloadOf } from '../../plan/events.js';
import { rootGoalId } from '../../plan/ids.js';
import { NO_USAGE } from '../../plan/plan.js';
import { SCHEMA_VERSION } from '../../plan/snapshot/format-version.js';
import { namedNeeds } from '../../planning/link/named-needs.js';
import { mayNeed } from '../../planning/link/said-in-goals.js';
import type { LeftOut } from '../../planning/documents/section-choice.js';
import type { LineAccount } from '../../kernel/text/line-account.js';
import type { Account } from '../maintenance/account.js';
import { createMemoryStore } from '../../storage/memory/memory-store.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import type { RunContext } from '../operation.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { field, text, texts, toggle } from '../shared/fields.js';
import { choosePlanner } from './choose-planner.js';
import { choosePlanning, rememberOwnSettings, withTriage } from './choose-planning.js';
import type { PlanningChoice, PlanningFlags } from './choose-planning.js';
import type { NotStored } from './init/not-stored.js';
import { archiveFailedTry } from './init/failed-try.js';
import { decidedBeforehand } from './init/decided-beforehand.js';
import { planningFields, planningFlags } from './planning-fields.js';
import { planningDocument } from './planning-result.js';
import type { PlanningResult } from './planning-progress.js';
import { readContextFiles, readSource } from './init/plan-source.js';
import type { SourceOptions } from './init/plan-source.js';
import { initReport } from './init/init-report.js';
import { reviewerOf } from './init/review-planning.js';
import { tellDraft } from './init/tell-draft.js';

/** What a plan is made from, and how it is planned. */
export interface InitOptions extends PlanningFlags, SourceOptions {
  /** Files about the project that the model is told in every prompt. */
  readonly context?: readonly string[] | undefined;
  /** Decisions for the whole plan, each as `what=choice`. */
  readonly decide?: readonly string[] | undefined;
  /** What such a file holds that is `-`. */
  readonly contextText?: string | undefined;
  /** Whether somebody looks at each level. */
  readonly review?: boolean | undefined;
  /** Whether workers are to plan it. */
  readonly workers?: boolean | undefined;
}

/** A plan before it is stored: how it is to be planned, and the events that make it. */
interface PlanDraft {
  readonly choice: PlanningChoice;
  readonly first: PayloadOf<'plan_created'>;
  readonly outline: readonly PayloadOf<'goal_expanded'>[];
  /** The numbers that the document gives its goals, by their ids. */
  readonly numbers: ReadonlyMap<string, readonly string[]>;
  /** Ids of the goals that have a box there. */
  readonly boxes: readonly string[];
  /** What the user decided beforehand. */
  readonly decided: readonly PayloadOf<'decision_made'>[];
  /** What of the document is no goal. */
  readonly leftOut: readonly LeftOut[];
  /** The document, where it is prose in which no goal was found; else null. */
  readonly prose: string | null;
  /** What happened to each line of the document; null without one. */
  readonly account: LineAccount | null;
  /** Whether it is worth to ask a model which of the goals are work. */
  readonly isDoubtful: boolean;
}

/** What `init` came to; with `dry` when nothing was stored. */
export interface InitResult extends PlanningResult {
  readonly dry?: NotStored | undefined;
  readonly account?: Account;
}

/**
 * Makes a plan of a goal or a document and decomposes it. The plan is durable before anything is asked.
 * @throws PlanError INVALID_INPUT, FILE_NOT_FOUND, UNTRUSTED_BASE_URL, INVALID_CONFIG, STORAGE_FAILED; USAGE where a
 * review is asked for and nobody can be asked
 */
export const initPlan = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: text('what to accomplish, with or without quotes', 'goal', { words: true }),
    from: text(
      'plan from a Markdown document, or from the tasks.json of Task Master; - reads standard input',
      'file',
    ),
    text: field(z.string().optional(), 'what such a document would hold', { textOf: 'from' }),
    all: field(z.boolean().optional(), 'plan what the document says as context too'),
    only: texts('plan these sections of the document alone', 'heading'),
    skip: texts('leave these sections of the document out', 'heading'),
    decide: texts('a decision that holds for the whole plan, such as "database=PostgreSQL"', 'what=choice'),
    context: texts('files that tell the model about the project; - reads standard input', 'file'),
    contextText: field(z.string().optional(), 'what such a file would hold', { textOf: 'context' }),
    decompose: field(z.boolean().optional(), 'only make the plan', { negated: true }),
    dryRun: toggle('only show the plan; nothing is written, and no model is asked'),
    review: toggle('look at each level on the terminal, and accept, edit or drop it before it is stored'),
    workers: toggle('leave it to workers (`plan worker`), on any number of machines'),
    ...planningFields(),
  }),
  output: initReport,
  examples: [
    'plan init "Build a REST API with authentication"',
    'plan init Move the blog to a static site',
    'plan init --from PRD.md --dry-run',
    'plan init --from PRD.md --budget-usd 0.50',
    'plan init "Port the app to Postgres" --base-url http://localhost:11434/v1 --model qwen3',
  ],
  mutates: true,
  async run(context, input): Promise<InitResult> {
    const isDry = input.dryRun === true;
    const review = reviewerOf(context, input, '; --dry-run shows the plan first');
    const draft = await draftPlan(context, { ...input, ...planningFlags(input) });
    const { decompose, workers } = input;
    const planner = await choosePlanner(context, draft.choice, {
      decompose,
      workers: workers === true && !isDry,
      review,
    });
    const outline = await planner.review(draft);
    const log = await storeDraft(context, { ...draft, outline }, isDry);
    await tellDraft(context, { draft, plan: log.plan, isDry });
    const result = isDry
      ? await planner.preview(log)
      : await archiveFailedTry(context, await planner.plan(log));
    return draft.account === null ? result : { ...result, account: { ...draft.account, changed: [] } };
  },
  document: ({ dry, account, ...result }) => ({
    ...planningDocument(result),
    ...(account === undefined ? {} : { account }),
    ...(dry === undefined ? {} : { dry_run: true, goals: dry.goals, estimate: dry.estimate }),
  }),
});

/**
 * Reads the goal or document of which a plan is to be made (`init`), and decides how it would be planned, without
 * storing or asking anything.
 */
export async function draftPlan(context: Context, options: InitOptions): Promise<PlanDraft> {
  const contextTexts = await readContextFiles(context, options.context ?? [], options.contextText);
  const chosen = await choosePlanning(context, options, { contextTexts });
  const planId = context.environment.ids.planId();
  const { root, ...read } = await readSource(context, options, planId, chosen.settings);
  // A person who reviews it says himself which goals are work; workers divide goals and ask nothing before.
  const asksFirst = read.isDoubtful && options.review !== true && options.workers !== true;
  const choice = asksFirst ? withTriage(chosen) : chosen;
  const first: PayloadOf<'plan_created'> = {
    type: 'plan_created',
    plan: {
      id: planId,
      description: root.description,
      schema_version: SCHEMA_VERSION,
      settings: choice.settings,
    },
    root,
  };
  const decided = decidedBeforehand(options.decide ?? [], rootGoalId(planId));
  return { choice, first, decided, ...read };
}

/** Returns an outline with the change by which its goals wait for those that they name; none where nothing is named. */
async function withNeeds(
  context: RunContext,
  { first, outline, numbers }: Pick<PlanDraft, 'first' | 'outline' | 'numbers'>,
): Promise<readonly (PayloadOf<'goal_expanded'> | PayloadOf<'dependencies_changed'>)[]> {
  if (!outline.some(({ sub_goals: goals }) => goals.some(mayNeed))) return outline;
  const { plan } = await createMemoryStore(context.stamp).create(first, outline);
  const { changes, freed } = namedNeeds(plan, timeNow(context.environment), numbers, (words) =>
    context.emit({ type: 'notice', message: `${words}.` }),
  );
  // What is on hold for a goal that it waits for is not on hold.
  const freely = outline.map((event) => ({
    ...event,
    sub_goals: event.sub_goals.map(({ on_hold: hold, ...goal }) =>
      hold === undefined || freed.has(goal.id) ? goal : { ...goal, on_hold: hold },
    ),
  }));
  if (changes.length === 0) return freely;
  const each = changes.map(({ goal, add, remove }) => ({ goal, add: [...add], remove: [...remove] }));
  return [...freely, { type: 'dependencies_changed', changes: each }];
}

/** Says of the goals with a box that they are work, where that would be asked first: a box is a task. */
function settled(
  boxes: readonly string[],
  { settings }: Pick<PlanningChoice, 'settings'>,
): readonly PayloadOf<'usage_added'>[] {
  if (settings.triage !== true || boxes.length === 0) return [];
  const because = 'took the boxes of the document as work';
  return [{ type: 'usage_added', because, usage: NO_USAGE, triaged: [...boxes] }];
}

/** Makes the plan, in memory alone where nothing is to be written, and tells its events. */
async function storeDraft(
  context: RunContext,
  { choice, decided, ...draft }: PlanDraft,
  dry: boolean,
): Promise<PlanLog> {
  const store = dry ? createMemoryStore(context.stamp) : await context.storeToWrite();
  if (!dry) await rememberOwnSettings(context, draft.first.plan.id, choice);
  const outline = await withNeeds(context, draft);
  const log = await store.create(draft.first, [...decided, ...outline, ...settled(draft.boxes, choice)]);
  const { plan } = log;
  for (const event of await log.events()) context.emit({ type: 'changed', event, refused: null, plan });
  await log.publish('now');
  if (!dry) await context.noteChanged(plan.header.id);
  return log;
}
