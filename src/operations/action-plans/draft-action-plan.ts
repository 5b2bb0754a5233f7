import { relative, resolve } from 'node:path';

import * as z from 'zod';

import { ACTION_PLAN_VERSION } from '../../action-plans/action-plan.js';
import type { ActionPlan } from '../../action-plans/action-plan.js';
import type { JsonObject } from '../../kernel/json/json-value.js';
import type { Tool } from '../../action-plans/tools/tools-file.js';
import { PlanError } from '../../kernel/errors.js';
import { goalInWords, namedGoal, statusInWords } from '../../plan/in-words.js';
import { addUsage, isWaiting, NO_USAGE, summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { summarySchema, usageSchema, warningSchema } from '../../plan/schema.js';
import type { Goal, Usage, Warning } from '../../plan/schema.js';
import { readTextFile } from '../../host/files/text-files.js';
import { defineOperation } from '../operation.js';
import type { RunContext } from '../operation.js';
import { keepSettings } from '../planning/keep-settings.js';
import { modelFields, planningFlags } from '../planning/planning-fields.js';
import type { Context } from '../shared/context.js';
import { choice, planOption, text, toggle } from '../shared/fields.js';
import { createDraftCheck } from './draft-check.js';
import { draftByRules, draftRequest, draftWithModel } from './draft-goal.js';
import type { Drafted, Drafting } from './draft-goal.js';
import { choosePlanning, rememberOwn } from '../planning/expanders.js';
import type { PlanningChoice, PlanningFlags } from '../planning/expanders.js';
import type { FoundGoal } from '../shared/find-plan.js';
import type { Emit } from '../planning/planning-run.js';
import { sayEffects, toolsInEffect } from '../planning/repository-effects.js';
import { goalToChange } from '../shared/find-to-change.js';
import { wordRefusal } from '../../plan/refusals.js';
import { truncate } from '../../kernel/text/truncate.js';
import { timeNow } from '../shared/environment.js';
import { budgetReached } from '../shared/budget-reached.js';

const LARGEST_TOOLS = 4 * 1024 * 1024;

const findingSchema = z.object({
  rule: z.string().describe('A rule of `plan lint`, or `UNKNOWN_TOOL` or `INVALID_ARGUMENT`.'),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  pointer: z.string().describe('Where in the plan.'),
  step: z.string().nullable().describe('Id of the step; null for the plan as a whole.'),
});

const reportSchema = z.object({
  plan: summarySchema.nullable().describe('The plan that the goal is of; null without a goal.'),
  goal: z.string().nullable(),
  id: z.string().nullable().describe('Null when it was not stored.'),
  file: z.string().nullable(),
  by: z.enum(['model', 'rules', 'replay', 'agent']),
  action_plan: z.record(z.string(), z.unknown()).describe('In frctl’s own form (action-plan-v1).'),
  findings: z.array(findingSchema).readonly(),
  usage: usageSchema,
  notes: z.array(z.string()).readonly().describe('What happened on the way, such as a repair.'),
  warnings: z
    .array(warningSchema)
    .readonly()
    .describe('What the repository has decided, such as methods of its own.'),
});

const inputSchema = z.strictObject({
  goal: text('goal id, its suffix or its number; none with only a request', 'goal'),
  request: text('read this as a request to a browser, without a model'),
  tools: text('the tools that steps may use, as JSON or YAML', 'file'),
  policy: text('hold the plan against a policy too, as plan lint does', 'file'),
  force: toggle('store the plan also with errors'),
  expander: choice(['model', 'rules', 'replay'], 'who drafts', { value: 'kind' }),
  ...modelFields(),
  plan: planOption(),
});

/** What drafting came to. */
export interface DraftReport extends z.output<typeof reportSchema> {
  readonly action_plan: JsonObject;
  /** The plan for people. */
  readonly text: string;
}

type DraftOptions = PlanningFlags &
  Omit<z.output<typeof inputSchema>, 'goal' | 'expander'> & {
    /** Who is asked instead of the plan's own model: somebody who has answered already. */
    readonly answered?: PlanningChoice['connect'];
  };

/**
 * Drafts the action plan of an atomic goal, checks it, and keeps it under the goal unless it has errors. A request without a
 * goal is only read. The signal drops the call in flight.
 * @throws PlanError NOT_UNDERSTOOD, WRONG_STATE, INVALID_INPUT, MODEL_FAILED, BUDGET_REACHED, INTERRUPTED, STORAGE_FAILED
 */
export const draftActionPlan = defineOperation({
  arguments: ['goal'],
  input: inputSchema,
  output: reportSchema,
  examples: [
    'plan draft 1.2 --tools tools.yaml',
    'plan draft k3f9x2 --tools tools.yaml --model gpt-4.1',
    `plan draft --request 'open https://example.com, then type "rust" into search and press enter'`,
  ],
  mutates: true,
  interruptible: true,
  async run(context, { goal, ...input }): Promise<DraftReport> {
    const warnings: Warning[] = [];
    const emit: Emit = (event) => {
      if (event.type === 'notice' && event.warning !== undefined) warnings.push(event.warning);
      context.emit(event);
    };
    const drafted = await draft({ ...context, emit }, goal, { ...input, ...planningFlags(input) });
    return { ...drafted, warnings };
  },
  document: ({ text: _forPeople, ...document }) => document,
  exitStatus: ({ findings }) => (findings.some(({ severity }) => severity === 'error') ? 1 : 0),
});

type Draft = Omit<DraftReport, 'warnings'>;

/** Keeps what an agent has answered, by the same checks as a model's draft. @throws PlanError as `draft` does */
export async function draftAsAnswered(
  context: RunContext,
  goal: string,
  options: Pick<DraftOptions, 'tools' | 'policy' | 'plan' | 'force' | 'answered'>,
): Promise<Draft> {
  return draft(context, goal, options);
}

async function draft(
  context: RunContext,
  goalName: string | undefined,
  options: DraftOptions,
): Promise<Draft> {
  const { emit } = context;
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
  const found = await goalToChange(context, goalName, { plan: options.plan });
  refuseUnlessAtomic(found.log.plan, found.goal);
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
  context: RunContext,
  found: FoundGoal,
  options: DraftOptions,
  { tools, ...drafting }: Drafting & { readonly tools: readonly Tool[] | null },
): Promise<Draft> {
  const { check, emit } = drafting;
  const about = { plan: found.log.plan, goal: found.goal };
  const answered = options.answered ?? null;
  if (answered !== null) {
    const signal = new AbortController().signal;
    const outcome = await draftWithModel(answered, { ...about, tools }, check, { emit, signal });
    if (outcome.kind !== 'draft') throw errorOf(outcome, found, undefined);
    return keep(context, found, outcome, { by: 'agent', ...options });
  }
  const choice = await choosePlanning(context, options, { plan: about.plan });
  if (choice.connect === null)
    return keep(context, found, await draftByRules(context, about, drafting), { by: 'rules', ...options });
  await rememberOwn(context, about.plan.header.id, choice);
  const signal = context.signal ?? new AbortController().signal;
  const began = context.environment.now();
  const outcome = await draftWithModel(choice.connect, { ...about, tools }, check, { emit, signal });
  const seconds = (context.environment.now() - began) / 1000;
  const usage = addUsage(outcome.usage, { ...NO_USAGE, seconds });
  if (outcome.kind !== 'draft')
    throw await withoutDraft(found, { ...outcome, usage }, choice.settings.budget);
  const by = choice.settings.expander;
  const kept = await keep(context, found, { ...outcome, usage }, { by, ...options });
  if (!choice.switched || choice.notice === null) return kept;
  await keepSettings(context, { log: found.log, settings: choice.settings, emit });
  emit({ type: 'notice', message: choice.notice });
  return { ...kept, plan: summarize(found.log.plan) };
}

type NoDraft = Exclude<Awaited<ReturnType<typeof draftWithModel>>, { kind: 'draft' }>;

/** Counts what the calls cost, and says why there is no plan. */
async function withoutDraft({ log, goal }: FoundGoal, outcome: NoDraft, budget: unknown): Promise<PlanError> {
  const error = errorOf(outcome, { log, goal }, budget);
  if (outcome.usage.calls > 0) await spend(log, goal, outcome.usage, error.message);
  return error;
}

function errorOf(outcome: NoDraft, { log, goal }: FoundGoal, budget: unknown): PlanError {
  switch (outcome.kind) {
    case 'rejected':
      return new PlanError(
        'MODEL_FAILED',
        `the model gave no action plan for ${goalInWords(log.plan, goal)}: ${outcome.reason}`,
        {
          hint: 'Draft again, perhaps with another --model.',
          details: { goal: goal.id, code: outcome.code, reason: outcome.reason },
        },
      );
    case 'budget':
      return budgetReached({
        limit: outcome.limit,
        hint: `--budget-${outcome.limit} N sets a larger one.`,
        details: { budget },
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
  const actionPlans = (await context.documents())?.actionPlans;
  const isBad = findings.some(({ severity }) => severity === 'error');
  if (actionPlans === undefined || (isBad && force !== true)) {
    if (usage.calls > 0) await spend(log, goal, usage, isBad ? 'the draft has errors' : 'it is kept nowhere');
    return { plan: summarize(log.plan), id: null, file: null, ...(await shownAs(plan)), ...report };
  }
  const texts = await textsOf(plan);
  const id = await actionPlans.keep(texts, () => `ap-${context.environment.ids.eventId().slice(0, 10)}`);
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
    await actionPlans.drop(id);
    if (usage.calls > 0)
      await spend(
        log,
        goal,
        usage,
        wordRefusal(outcome.refused, (id) => namedGoal(log.plan, id)),
      );
    throw new PlanError(
      'REFUSED',
      `the action plan was not stored: ${wordRefusal(outcome.refused, (id) => namedGoal(log.plan, id))}`,
      {
        details: { goal: goal.id, refusal: outcome.refused },
      },
    );
  }
  await log.publish('when_due');
  const path = actionPlans.locate(id);
  const file = path === null ? null : relative(context.environment.workingFolder, path);
  return { plan: summarize(log.plan), id, file, ...(await shownAs({ ...plan, id })), ...report };
}

/** Refuses a goal that cannot have an action plan. @throws PlanError WRONG_STATE */
export function refuseUnlessAtomic(plan: Plan, goal: Goal): void {
  if (goal.child_ids.length === 0 && !isWaiting(goal)) return;
  throw new PlanError(
    'WRONG_STATE',
    `goal ${goalInWords(plan, goal)} is ${statusInWords(goal)}; only an atomic goal has action plans`,
    {
      hint:
        goal.child_ids.length > 0
          ? 'Draft its sub-goals, which `plan show` lists.'
          : '`plan resume` goes on dividing the plan until its goals are atomic.',
      details: { goal: goal.id, status: goal.status },
    },
  );
}

/** The tools of a file; null where none is named. @throws PlanError FILE_NOT_FOUND, INVALID_INPUT */
export async function toolsFrom(
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
    created_at: timeNow(environment),
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
