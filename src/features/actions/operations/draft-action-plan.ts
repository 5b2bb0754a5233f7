import * as z from 'zod';

import type { Tool } from '../tools/tools-file.js';
import { PlanError } from '../../../kernel/errors.js';
import { addUsage, NO_USAGE } from '../../../plan/plan.js';
import { summaryNow } from '../../../operations/shared/summary-now.js';
import type { Warning } from '../../../plan/schema.js';
import { defineOperation } from '../../../operations/operation.js';
import type { RunContext } from '../../../operations/operation.js';
import { replaceSettings } from '../../../operations/planning/replace-settings.js';
import { modelFields, planningFlags } from '../../../operations/planning/planning-fields.js';
import type { Context } from '../../../operations/shared/context.js';
import { choice, planOption, text, toggle } from '../../../operations/shared/fields.js';
import { createDraftCheck } from './draft-check.js';
import { noDraftError, refuseUnlessAtomic } from './draft-errors.js';
import type { NoDraft } from './draft-errors.js';
import { draftByRules, draftRequest, draftWithModel } from './draft-goal.js';
import type { Drafting } from './draft-goal.js';
import { draftReportSchema } from './draft-report.js';
import type { Draft, DraftReport } from './draft-report.js';
import { toolsFrom } from './tools-from.js';
import { completedDraft, countSpending, storeDraft, shownDraft, titleOf } from './store-draft.js';
import { choosePlanning, rememberOwnSettings } from '../../../operations/planning/choose-planning.js';
import type { PlanningChoice, PlanningFlags } from '../../../operations/planning/choose-planning.js';
import type { FoundGoal } from '../../../operations/shared/find-plan.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { tellEffects, toolsInEffect } from '../../../operations/planning/repository-effects.js';
import { goalToChange } from '../../../operations/shared/find-to-change.js';

const inputSchema = z.strictObject({
  goal: text('goal id, its suffix or its number; leave it out to draft only a request', 'goal'),
  request: text('read this as a request to a browser, without a model'),
  tools: text('the tools that steps may use, as JSON or YAML', 'file'),
  policy: text('also check the plan against a policy, as plan lint does', 'file'),
  force: toggle('store the plan even if it has errors'),
  expander: choice(['model', 'rules', 'replay'], 'who drafts', { value: 'kind' }),
  ...modelFields(),
  plan: planOption(),
});

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
  output: draftReportSchema,
  examples: [
    'plan draft 1.2 --tools tools.yaml',
    'plan draft k3f9x2 --tools tools.yaml --model gpt-4.1',
    'plan draft --request "open https://example.com; click Docs"',
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
  if (tools !== null) tellEffects([toolsInEffect(options.tools ?? '', tools.length)], emit);
  const drafting = { check: await createDraftCheck(context, tools, options.policy), emit };
  const { request } = options;
  if (request !== undefined && (options.settings?.expander === 'model' || options.replay !== undefined))
    throw new PlanError(
      'INVALID_INPUT',
      'only the rules read a request; a model drafts the steps of a goal',
      {
        hint: { commandLine: 'Leave --request out to have the model draft the goal.' },
      },
    );
  if (goalName === undefined) return draftAlone(context, request, drafting);
  const found = await goalToChange(context, goalName, { plan: options.plan });
  refuseUnlessAtomic(found.log.plan, found.goal);
  if (request === undefined) return draftFound(context, found, options, { ...drafting, tools });
  return storeDraft(context, found, await draftRequest(context, request, drafting), {
    by: 'rules',
    ...options,
  });
}

async function draftAlone(context: Context, request: string | undefined, drafting: Drafting): Promise<Draft> {
  if (request === undefined)
    throw new PlanError('INVALID_INPUT', 'neither a goal nor a request was given', {
      hint: {
        commandLine:
          'plan draft 1.2 --tools tools.yaml, or plan draft --request "open https://example.com; click Docs"',
      },
    });
  const drafted = await draftRequest(context, request, drafting);
  const plan = await completedDraft(context, drafted.plan, { title: titleOf(request), goal: request });
  const { findings, usage, notes } = drafted;
  return {
    plan: null,
    goal: null,
    id: null,
    file: null,
    by: 'rules',
    ...(await shownDraft(plan)),
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
    if (outcome.kind !== 'draft') throw noDraftError(outcome, found, undefined);
    return storeDraft(context, found, outcome, { by: 'agent', ...options });
  }
  const choice = await choosePlanning(context, options, { plan: about.plan });
  if (choice.connect === null)
    return storeDraft(context, found, await draftByRules(context, about, drafting), {
      by: 'rules',
      ...options,
    });
  await rememberOwnSettings(context, about.plan.header.id, choice);
  const signal = context.signal ?? new AbortController().signal;
  const began = context.environment.now();
  const outcome = await draftWithModel(choice.connect, { ...about, tools }, check, { emit, signal });
  const seconds = (context.environment.now() - began) / 1000;
  const usage = addUsage(outcome.usage, { ...NO_USAGE, seconds });
  if (outcome.kind !== 'draft')
    throw await withoutDraft(found, { ...outcome, usage }, choice.settings.budget);
  const by = choice.settings.expander;
  const kept = await storeDraft(context, found, { ...outcome, usage }, { by, ...options });
  if (!choice.switched || choice.notice === null) return kept;
  await replaceSettings(context, { log: found.log, settings: choice.settings, emit });
  emit({ type: 'notice', message: choice.notice });
  return { ...kept, plan: summaryNow(context, found.log.plan) };
}

/** Counts what the calls cost, and says why there is no plan. */
async function withoutDraft({ log, goal }: FoundGoal, outcome: NoDraft, budget: unknown): Promise<PlanError> {
  const error = noDraftError(outcome, { log, goal }, budget);
  if (outcome.usage.calls > 0) await countSpending(log, goal, outcome.usage, error.message);
  return error;
}
