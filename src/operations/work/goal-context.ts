import { PlanError } from '../../kernel/errors.js';
import type { Context } from '../shared/context.js';
import { findGoalByName } from '../shared/find-plan.js';
import { withNumber } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';

const DEFAULT_TOKENS = 4000;
const FEWEST_TOKENS = 100;
const MOST_TOKENS = 1_000_000;

export interface GoalContextOptions {
  readonly plan?: string | undefined;
  /** The most tokens of the Markdown (default: 4000; at least 100). */
  readonly maxTokens?: number | undefined;
}

/** What somebody must know to do a goal, and nothing else. */
export interface GoalContext {
  readonly goal: GoalWithNumber;
  /** All of it, as one text. */
  readonly markdown: string;
  /** Of the Markdown, in the o200k_base encoding. */
  readonly tokens: number;
  readonly max_tokens: number;
  /** Most important first: `goal`, `why`, `done`, `detail`, `project`, `siblings`, `dependents`, `farther`. */
  readonly parts: readonly {
    readonly name: string;
    readonly text: string;
    readonly tokens: number;
    /** Whether something of it is missing. */
    readonly cut: boolean;
  }[];
  /** What is missing: items or files of a part; `missing` is 0 where what is there was shortened. */
  readonly left_out: readonly { readonly name: string; readonly missing: number; readonly of: number }[];
}

/**
 * Everything that an agent needs to do a goal, within a number of tokens that is never exceeded.
 * @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND, INVALID_INPUT for a limit that is none
 */
export async function goalContext(
  context: Context,
  name: string,
  { plan, maxTokens = DEFAULT_TOKENS }: GoalContextOptions,
): Promise<GoalContext> {
  if (!Number.isInteger(maxTokens) || maxTokens < FEWEST_TOKENS || maxTokens > MOST_TOKENS) {
    throw new PlanError(
      'INVALID_INPUT',
      `--max-tokens takes a whole number from ${FEWEST_TOKENS} to ${MOST_TOKENS}, not ${maxTokens}`,
    );
  }
  const { log, goal } = await findGoalByName(context.store(), name, plan);
  const { workContext } = await import('../../work/context/work-context.js');
  const { markdown, tokens, parts, left_out } = await workContext(log.plan, goal, maxTokens);
  return {
    goal: withNumber(log.plan, goal),
    markdown,
    tokens,
    max_tokens: maxTokens,
    parts: parts.map(({ name, text, tokens, cut }) => ({ name, text, tokens, cut })),
    left_out,
  };
}
