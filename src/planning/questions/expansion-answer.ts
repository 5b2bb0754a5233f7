import * as z from 'zod';

import type { PayloadOf } from '../../plan/events.js';
import type { Expansion } from '../../plan/expansion.js';
import { NO_USAGE } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal, Settings } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import type { Expander } from '../expander.js';
import { contradictions } from '../model/model-expander.js';
import { proposeReplanning } from '../replanning.js';
import type { ReplanningOptions } from '../replanning.js';
import { withoutFillerGoals } from '../sanitize/filler.js';
import { NOTHING_THERE, sanitizeExpansion } from '../sanitize/sanitize-expansion.js';
import { countedFromOne } from '../sanitize/counted-from-one.js';
import { newSubGoals } from '../sub-goals.js';

const subGoalSchema = z.object({
  description: z.string().describe('What to accomplish, in one line that can be understood on its own.'),
  reasoning: z.string().optional().describe('Why it is atomic or not.'),
  atomic: z.boolean().describe('Whether this sub-goal is atomic itself.'),
  acceptance: z
    .array(z.string())
    .optional()
    .describe('One to three checks, one line each, that show that it is done.'),
  size: z.enum(['S', 'M', 'L']).optional().describe('S: up to an hour; M: half a day; L: a day or more.'),
  touches: z
    .array(z.string())
    .optional()
    .describe('Paths, globs or `area:NAME` that it changes, at most eight.'),
  depends_on: z
    .array(z.int().min(0).max(999))
    .optional()
    .describe('Numbers of earlier sub_goals, counted from 1, that must be complete before this one.'),
});

const decisionSchema = z.object({
  what: z.string().describe('What is decided, such as “web framework”.'),
  choice: z.string().nullable().optional().describe('What is chosen; null when a sub-goal makes the choice.'),
  decided_by: z
    .int()
    .min(0)
    .max(999)
    .nullable()
    .optional()
    .describe('Number of the sub-goal that makes the choice, counted from 1.'),
});

/** What answers the question whether a goal is atomic, and into what it is divided if it is not. */
export const expansionAnswerSchema = z
  .object({
    goal: z.string().describe('Id of the goal that was asked about.'),
    reasoning: z.string().optional().describe('Why it is atomic or not, in one or two sentences.'),
    atomic: z.boolean().describe('Whether it can be done in one sitting without planning further.'),
    decisions: z
      .array(decisionSchema)
      .optional()
      .describe('Choices that more than one sub-goal builds on, at most seven.'),
    sub_goals: z.array(subGoalSchema).optional().describe('In order of work; none when the goal is atomic.'),
  })
  .meta({ title: 'Answer' });

export type ExpansionAnswer = z.output<typeof expansionAnswerSchema>;

/** An answer as a change of the plan, or what is wrong with it, by path. */
export type AnsweredExpansion =
  { readonly event: PayloadOf<'goal_expanded'> } | { readonly faults: readonly string[] };

/** Nobody was paid for an answer, and what it cost whoever gave it is not known. */
const USAGE = { ...NO_USAGE, cost_usd: null };

/**
 * Turns an answer into a change, by the same guards as a model's reply: no more sub-goals than `maxChildren`, none that is
 * empty or restates another, no dependency that is out of range, none deeper than the plan may be. Pure.
 */
export function answeredExpansion(
  plan: Plan,
  goal: Goal,
  answer: ExpansionAnswer,
  options: {
    readonly settings: Settings;
    readonly maxChildren: number;
    readonly newGoalId: () => string;
    /** What was moved out of it. */
    readonly moved: readonly Goal[];
  },
): AnsweredExpansion {
  const proposed = proposedBy(plan, goal, answer);
  if ('faults' in proposed) return proposed;
  const { expansion, warnings: filler } = proposed;
  const { maxChildren, moved } = options;
  const guarded = sanitizeExpansion(expansion, plan, goal, maxChildren, { ...NOTHING_THERE, moved });
  const {
    subGoals,
    decided,
    warnings: forced,
  } = newSubGoals(goal, guarded, { ...options, expanderKind: 'agent' });
  const warnings = [
    ...[...filler, ...guarded.warnings].map((warning) => ({ ...warning, goal_id: goal.id })),
    ...forced,
  ];
  return {
    event: {
      type: 'goal_expanded',
      goal: goal.id,
      atomic: guarded.atomic,
      reasoning: saidOrNull(guarded.reasoning),
      sub_goals: subGoals.map((each) => ({ ...each, reasoning: saidOrNull(each.reasoning) })),
      ...decided,
      usage: USAGE,
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}

/**
 * Turns an answer about a goal that was divided before into a change that keeps the sub-goals that it repeats in the same
 * words, with all that is below them, and lets what was moved out of it stand where it is; null where there is neither.
 * @param plan in which the goal still has its former sub-goals
 */
export async function answeredReplanning(
  plan: Plan,
  goal: Goal,
  answer: ExpansionAnswer,
  options: Omit<ReplanningOptions, 'plan' | 'goal' | 'expander'>,
): Promise<PayloadOf<'goal_replanned'> | null> {
  const proposed = proposedBy(plan, goal, answer);
  if ('faults' in proposed) return null;
  const expander: Expander = {
    kind: 'agent',
    expand: async () => ({ kind: 'expansion', ...proposed, usage: USAGE }),
  };
  const never = new AbortController().signal;
  const outcome = await proposeReplanning({ ...options, plan, goal, expander }, never);
  if (outcome.kind !== 'proposed') return null;
  if (outcome.payload.keep === undefined && options.moved.length === 0) return null;
  const { reasoning, sub_goals } = outcome.payload;
  return {
    ...outcome.payload,
    reasoning: saidOrNull(reasoning),
    sub_goals: sub_goals.map((each) => ({ ...each, reasoning: saidOrNull(each.reasoning) })),
  };
}

/** What an answer proposes, without goals that say nothing, or what it says against itself, by path. */
function proposedBy(plan: Plan, goal: Goal, answer: ExpansionAnswer) {
  const proposed = expansionOf(answer);
  const faults = contradictions(proposed);
  if (faults.length > 0) return { faults };
  const above = [...ancestors(plan, goal), goal].map(({ description }) => description);
  return withoutFillerGoals(countedFromOne(proposed), above);
}

function expansionOf({ atomic, reasoning = '', decisions = [], sub_goals = [] }: ExpansionAnswer): Expansion {
  return {
    atomic,
    reasoning,
    decisions: decisions.map(({ what, choice = null, decided_by = null }) => ({ what, choice, decided_by })),
    sub_goals: sub_goals.map(
      ({
        description,
        atomic: verdict,
        reasoning: why = '',
        acceptance = [],
        size = null,
        touches = [],
        depends_on = [],
      }) => ({
        description,
        reasoning: why,
        atomic: verdict,
        acceptance,
        size,
        touches,
        depends_on,
      }),
    ),
  };
}

function saidOrNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
