import { relative, resolve } from 'node:path';

import { ACTION_PLAN_VERSION } from '../../action-plans/action-plan.js';
import type { ActionPlan } from '../../action-plans/action-plan.js';
import type { JsonObject } from '../../kernel/json/json-value.js';
import type { DraftFinding } from '../../action-plans/tools/draft-finding.js';
import type { Tool } from '../../action-plans/tools/tools-file.js';
import { PlanError } from '../../kernel/errors.js';
import { addUsage, isWaiting, NO_USAGE, summarize } from '../../plan/plan.js';
import type { Goal, Summary, Usage, Warning } from '../../plan/schema.js';
import { actionPlanPath, dropActionPlan, keepActionPlan } from '../../storage/file/action-plan-files.js';
import { readTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';
import { createDraftCheck } from './draft-check.js';
import { draftByRules, draftRequest, draftWithModel } from './draft-goal.js';
import type { Drafted, Drafting } from './draft-goal.js';
import { choosePlanning, rememberOwn } from '../planning/expanders.js';
import type { PlanningFlags } from '../planning/expanders.js';
import type { FoundGoal } from '../shared/find-plan.js';
import type { Emit } from '../planning/planning-run.js';
import { sayEffects, toolsInEffect } from '../planning/repository-effects.js';
import { goalToWorkOn } from '../work/work-event.js';
import { wordRefusal } from '../../plan/refusals.js';
import { truncate } from '../../kernel/text/truncate.js';

const LARGEST_TOOLS = 4 * 1024 * 1024;

export interface DraftOptions extends PlanningFlags {
  /** The plan, when it is not the one changed last. */
  readonly plan?: string | undefined;
  /** A browser request to read in place of the goal's description, by the rules. */
  readonly request?: string | undefined;
  /** A file of the tools that steps may use. */
  readonly tools?: string | undefined;
  /** A policy to hold the plan against. */
  readonly policy?: string | undefined;
  /** Store the plan also with errors. */
  readonly force?: boolean | undefined;
  /** When aborted, the call in flight is dropped. */
  readonly signal?: AbortSignal | undefined;
  /** Told what the user should know meanwhile. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

export interface DraftReport {
  /** The plan that the goal is of; null without a goal. */
  readonly plan: Summary | null;
  readonly goal: string | null;
  /** Null when it was not stored. */
  readonly id: string | null;
  readonly file: string | null;
  readonly by: 'model' | 'rules' | 'replay';
  readonly action_plan: JsonObject;
  readonly findings: readonly DraftFinding[];
  readonly usage: Usage;
  /** What happened on the way, such as a repair. */
  readonly notes: readonly string[];
  /** What the repository has decided, such as methods of its own. */
  readonly warnings: readonly Warning[];
  /** The plan for people. */
  readonly text: string;
}

/**
 * Drafts the action plan of an atomic goal, checks it, and keeps it under the goal unless it has errors. A request without a
 * goal is only read.
 * @throws PlanError NOT_UNDERSTOOD, WRONG_STATE, INVALID_INPUT, MODEL_FAILED, BUDGET_REACHED, INTERRUPTED, STORAGE_FAILED
 */
export async function draftActionPlan(
  context: Context,
  goalName: string | undefined,
  options: DraftOptions,
): Promise<DraftReport> {
  const warnings: Warning[] = [];
  const emit: Emit = (event) => {
    if (event.type !== 'notice') return;
    if (event.warning !== undefined) warnings.push(event.warning);
    options.onNotice?.(event.message);
  };
  return { ...(await draft(context, goalName, options, emit)), warnings };
}

type Draft = Omit<DraftReport, 'warnings'>;

async function draft(
  context: Context,
  goalName: string | undefined,
  options: DraftOptions,
  emit: Emit,
): Promise<Draft> {
  const tools = await toolsFrom(context, options.tools);
  if (tools !== null) sayEffects([toolsInEffect(options.tools ?? '', tools.length)], emit);
  const drafting = { check: await createDraftCheck(context, tools, options.policy), emit };
  const { request } = options;
  if (request !== undefined && (options.settings?.expander === 'model' || options.replay !== undefined))
    throw new PlanError(
      'INVALID_INPUT',
      'a request is read by the rules; a model is asked about a goal alone',
      {
        hint: 'Leave --request out to have the model draft the goal.',
      },
    );
  if (goalName === undefined) return draftAlone(context, request, drafting);
  const found = await goalToWorkOn(context, goalName, { plan: options.plan });
  refuseUnlessAtomic(found.goal);
  if (request === undefined) return draftFound(context, found, options, { ...drafting, tools });
  return keep(context, found, await draftRequest(context, request, drafting), { by: 'rules', ...options });
}

async function draftAlone(context: Context, request: string | undefined, drafting: Drafting): Promise<Draft> {
  if (request === undefined)
    throw new PlanError('INVALID_INPUT', 'neither a goal nor a request was given', {
      hint: 'plan draft 1.2 --tools tools.yaml, or plan draft --request "open https://example.com; click Docs"',
    });
  const drafted = await draftRequest(context, request, drafting);
  const plan = await completed(context, drafted.plan, { title: titleOf(request), goal: request });
  const { findings, usage, notes } = drafted;
  return {
    plan: null,
    goal: null,
    id: null,
    file: null,
    by: 'rules',
    ...(await shownAs(plan)),
    findings,
    usage,
    notes,
  };
}

async function draftFound(
  context: Context,
  found: FoundGoal,
  options: DraftOptions,
  { tools, ...drafting }: Drafting & { readonly tools: readonly Tool[] | null },
): Promise<Draft> {
  const { check, emit } = drafting;
  const about = { plan: found.log.plan, goal: found.goal };
  const choice = await choosePlanning(context, options, { plan: about.plan });
  if (choice.connect === null)
    return keep(context, found, await draftByRules(context, about, drafting), { by: 'rules', ...options });
  await rememberOwn(context, about.plan.header.id, choice);
  const signal = options.signal ?? new AbortController().signal;
  const began = context.environment.now();
  const outcome = await draftWithModel(choice.connect, { ...about, tools }, check, { emit, signal });
  const seconds = (context.environment.now() - began) / 1000;
  const usage = addUsage(outcome.usage, { ...NO_USAGE, seconds });
  if (outcome.kind !== 'draft')
    throw await withoutDraft(found, { ...outcome, usage }, choice.settings.budget);
  const by = choice.settings.expander;
  return keep(context, found, { ...outcome, usage }, { by, ...options });
}

type NoDraft = Exclude<Awaited<ReturnType<typeof draftWithModel>>, { kind: 'draft' }>;

/** Counts what the calls cost, and says why there is no plan. */
async function withoutDraft({ log, goal }: FoundGoal, outcome: NoDraft, budget: unknown): Promise<PlanError> {
  const error = errorOf(outcome, goal, budget);
  if (outcome.usage.calls > 0) await spend(log, goal, outcome.usage, error.message);
  return error;
}

function errorOf(outcome: NoDraft, goal: Goal, budget: unknown): PlanError {
  switch (outcome.kind) {
    case 'rejected':
      return new PlanError(
        'MODEL_FAILED',
        `the model gave no action plan for ${goal.id}: ${outcome.reason}`,
        {
          hint: 'Draft again, perhaps with another --model.',
          details: { goal: goal.id, code: outcome.code, reason: outcome.reason },
        },
      );
    case 'budget':
      return new PlanError('BUDGET_REACHED', `the next call might exceed the budget of ${outcome.limit}`, {
        hint: `--budget-${outcome.limit} N sets a larger one.`,
        details: { limit: outcome.limit, budget },
      });
    case 'unavailable':
      return outcome.error;
    case 'aborted':
      return new PlanError('INTERRUPTED', 'drafting was interrupted; nothing was stored', {
        hint: 'Run the same command again.',
      });
  }
}

async function spend(log: FoundGoal['log'], goal: Goal, usage: Usage, because: string): Promise<void> {
  await log.append([{ type: 'usage_added', goal: goal.id, because, usage }]);
  await log.publish('when_due');
}

interface Keeping {
  readonly by: DraftReport['by'];
  readonly force?: boolean | undefined;
}

/** Stores a draft under its goal unless it has errors; what it cost is counted either way. */
async function keep(
  context: Context,
  { log, goal }: FoundGoal,
  { plan: drafted, findings, usage, warnings, notes }: Drafted,
  { by, force }: Keeping,
): Promise<Draft> {
  const plan = await completed(context, drafted, { goal: goal.description, goal_id: goal.id });
  const report = { goal: goal.id, by, findings, usage, notes };
  const folder = context.storeFolder();
  const isBad = findings.some(({ severity }) => severity === 'error');
  if (folder === null || (isBad && force !== true)) {
    if (usage.calls > 0) await spend(log, goal, usage, isBad ? 'the draft has errors' : 'it is kept nowhere');
    return { plan: summarize(log.plan), id: null, file: null, ...(await shownAs(plan)), ...report };
  }
  const texts = await textsOf(plan);
  const id = await keepActionPlan(
    folder,
    texts,
    () => `ap-${context.environment.ids.eventId().slice(0, 10)}`,
  );
  const [outcome] = await log.append([
    {
      type: 'action_plan_linked',
      goal: goal.id,
      action_plan: id,
      ...(usage.calls > 0 ? { usage } : {}),
      ...(warnings.length > 0 ? { warnings: warnings.map((one) => ({ ...one, goal_id: goal.id })) } : {}),
    },
  ]);
  if (outcome !== undefined && outcome.refused !== null) {
    await dropActionPlan(folder, id);
    if (usage.calls > 0) await spend(log, goal, usage, wordRefusal(outcome.refused));
    throw new PlanError('REFUSED', `the action plan was not stored: ${wordRefusal(outcome.refused)}`, {
      details: { goal: goal.id, refusal: outcome.refused },
    });
  }
  await log.publish('when_due');
  const file = relative(context.environment.workingFolder, actionPlanPath(folder, id));
  return { plan: summarize(log.plan), id, file, ...(await shownAs({ ...plan, id })), ...report };
}

function refuseUnlessAtomic(goal: Goal): void {
  if (goal.child_ids.length === 0 && !isWaiting(goal)) return;
  throw new PlanError(
    'WRONG_STATE',
    `goal ${goal.id} is ${goal.status}; only an atomic goal has action plans`,
    {
      hint:
        goal.child_ids.length > 0
          ? 'Draft its sub-goals, which `plan show` lists.'
          : '`plan resume` goes on dividing the plan until its goals are atomic.',
      details: { goal: goal.id, status: goal.status },
    },
  );
}

async function toolsFrom(
  { environment }: Context,
  file: string | undefined,
): Promise<readonly Tool[] | null> {
  if (file === undefined) return null;
  const { readTools } = await import('../../action-plans/tools/read-tools.js');
  return readTools(await readTextFile(resolve(environment.workingFolder, file), LARGEST_TOOLS), file);
}

/** A draft with what every stored plan says of itself. */
async function completed(
  { environment }: Context,
  plan: ActionPlan,
  about: Pick<ActionPlan, 'title' | 'goal' | 'goal_id'>,
): Promise<ActionPlan> {
  const { riskOf } = await import('../../action-plans/risk.js');
  return {
    schema_version: ACTION_PLAN_VERSION,
    title: titleOf(about.goal ?? ''),
    ...about,
    created_at: new Date(environment.now()).toISOString(),
    risk: riskOf(plan),
    ...plan,
  };
}

/** Columns of a title. */
const LONGEST_TITLE = 100;

/** A goal on one line that is short enough for a title. */
function titleOf(goal: string): string {
  return truncate(goal.replaceAll(/\s+/g, ' ').trim(), LONGEST_TITLE);
}

async function shownAs(plan: ActionPlan): Promise<Pick<DraftReport, 'action_plan' | 'text'>> {
  const { frctl } = await import('../../action-plans/dialects/frctl.js');
  const { previewText } = await import('../../action-plans/preview.js');
  return { action_plan: frctl.write(plan, null), text: previewText(plan) };
}

/** The text of the file for each id it may get. */
async function textsOf(plan: ActionPlan): Promise<(id: string) => string> {
  const { frctl } = await import('../../action-plans/dialects/frctl.js');
  const { textOfJson } = await import('../../kernel/json/json-tree.js');
  return (id) => `${textOfJson(frctl.write({ ...plan, id }, null), '  ')}\n`;
}
