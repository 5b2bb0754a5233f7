import { actionPlanSchema } from '../model/action-plan.js';
import type { ActionPlan } from '../model/action-plan.js';
import { referencesWithin } from '../model/references.js';
import type { DraftFinding } from '../tools/draft-finding.js';
import type { Tool } from '../tools/tools-file.js';
import { PlanError } from '../../../kernel/errors.js';
import { groupedNumber } from '../../../kernel/text/quantity-of.js';
import type { DraftOutcome } from '../draft/model-drafter.js';
import type { KnownSteps, StepSource } from '../draft/step-source.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import type { Plan } from '../../../plan/plan.js';
import { NO_USAGE, usageWithBegun } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { ancestors, numberOf } from '../../../plan/tree.js';
import type { Context } from '../../../operations/shared/context.js';
import type { PlanningChoice } from '../../../operations/planning/choose-planning.js';
import { stepsOfRules } from '../rules/steps-of-rules.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';

/** A plan that was drafted, whoever drafted it. */
export type Drafted = Extract<DraftOutcome, { kind: 'draft' }>;

export type DraftCheck = (plan: ActionPlan) => readonly DraftFinding[];

/** Tokens that must be left for what a prompt says besides the tools. */
const LEAST_CONTEXT = 1000;

/** What a draft is checked against, and who is told what the user should know. */
export interface Drafting {
  readonly check: DraftCheck;
  readonly emit: Emit;
}

/** What knows the steps of goals without a model. */
const SOURCES: readonly StepSource[] = [stepsOfRules];

/** Reads a text as a browser request. @throws PlanError NOT_UNDERSTOOD, INVALID_METHOD */
export async function draftRequest(
  context: Context,
  request: string,
  { check, emit }: Drafting,
): Promise<Drafted> {
  const [source] = SOURCES;
  const steps = await source?.ofRequest(context, request, emit);
  if (steps === undefined) throw new PlanError('NOT_UNDERSTOOD', 'nothing here reads a request');
  return draftOf(steps, check);
}

/** Drafts a goal by rules: the steps that a method has for it. @throws PlanError NOT_UNDERSTOOD, INVALID_METHOD */
export async function draftByRules(
  context: Context,
  { plan, goal }: { readonly plan: Plan; readonly goal: Goal },
  { check, emit }: Drafting,
): Promise<Drafted> {
  const above = ancestors(plan, goal).map(({ description }) => description);
  const [source] = SOURCES;
  const steps = (await source?.ofGoal(context, { description: goal.description, above }, emit)) ?? null;
  if (steps !== null) return draftOf(steps, check);
  throw new PlanError(
    'NOT_UNDERSTOOD',
    `no method has steps for goal ${goalInWords(plan, goal)}, and no model is asked`,
    {
      hint: { commandLine: whoElseDrafts(numberOf(plan, goal) || 'root') },
      details: { goal: goal.id },
    },
  );
}

/** The ways to an action plan where no rule knows the steps. @param goal as a command takes it */
function whoElseDrafts(goal: string): string {
  return [
    `Write the steps yourself, and \`plan prepare STEPS.json --goal ${goal}\` prepares them (\`plan schema action-plan-v1\` prints their form).`,
    `\`plan ask --kind action_plan --goal ${goal} --tools FILE\` asks a coding agent.`,
    'To ask a model, give --base-url URL --model NAME --tools FILE, or set OPENAI_API_KEY.',
  ].join(' ');
}

/**
 * Asks the model. @throws PlanError INVALID_INPUT without tools or with more than fit, INVALID_PROMPT
 */
export async function draftWithModel(
  connect: NonNullable<PlanningChoice['connect']>,
  about: { readonly plan: Plan; readonly goal: Goal; readonly tools: readonly Tool[] | null },
  check: DraftCheck,
  { emit, signal }: { readonly emit: Emit; readonly signal: AbortSignal },
): Promise<DraftOutcome> {
  const { plan, goal, tools } = about;
  if (tools === null)
    throw new PlanError('INVALID_INPUT', 'a model needs a list of tools', {
      hint: {
        commandLine:
          'Name a file of tools with --tools FILE (docs/drafting.md), or draft with --expander rules.',
      },
    });
  const { draftByModel, toolLines } = await import('../draft/model-drafter.js');
  const { countTokens } = await import('../../../llm/spend/tokens.js');
  const { model, prompts, promptTokens } = await connect(usageWithBegun(plan.header), emit);
  const room = promptTokens - (await countTokens(toolLines(tools)));
  if (room < LEAST_CONTEXT)
    throw new PlanError(
      'INVALID_INPUT',
      `the tools do not fit into the prompt of ${groupedNumber(promptTokens)} tokens`,
      {
        hint: [
          'Leave out tools that the goal does not need, shorten their descriptions, or raise context_tokens if the model reads more.',
        ],
      },
    );
  return draftByModel({ model, prompts, promptTokens: room, tools, check }, { plan, goal }, signal);
}

/** The plan that rules have written. @throws PlanError NOT_UNDERSTOOD naming each clause */
function draftOf(found: KnownSteps, check: DraftCheck): Drafted {
  if (found.kind === 'problems') throw notUnderstood(found.problems);
  const plan = actionPlanSchema.parse({ rationale: [found.reasoning], steps: found.steps });
  const findings = [...(found.isRequest ? accidentalReferences(plan) : []), ...check(plan)];
  return { kind: 'draft', plan, findings, usage: NO_USAGE, warnings: [], notes: [] };
}

/** Texts of a request that would be taken for references when the plan runs. */
function accidentalReferences({ steps }: ActionPlan): readonly DraftFinding[] {
  return steps.flatMap((step, index) =>
    referencesWithin(step.args).map(({ reference, pointer }) => ({
      rule: 'REFERENCE_IN_TEXT',
      severity: 'error' as const,
      message: `${reference.text} is text, but would be read as a reference when the plan runs`,
      pointer: `/steps/${index}/args${pointer}`,
      step: step.id,
    })),
  );
}

function notUnderstood(problems: Extract<KnownSteps, { kind: 'problems' }>['problems']): PlanError {
  const said = problems.map(({ number, clause, message }) => `${number}. “${clause}”: ${message}`);
  return new PlanError(
    'NOT_UNDERSTOOD',
    `${problems.length === 1 ? 'a clause is' : `${problems.length} clauses are`} not understood, so there is no plan:\n${said.join('\n')}`,
    {
      hint: ['docs/drafting.md shows what can be said; names and texts go into quotation marks.'],
      details: { clauses: problems },
    },
  );
}
