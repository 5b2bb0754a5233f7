/** What each of these members of a plan may be. Without zod, for whatever is read without it checks the same words. */

/** How far a goal is. */
export const GOAL_STATUSES = ['pending', 'decomposing', 'atomic', 'complete', 'failed'] as const;

/** How far a plan is. */
export const PLAN_STATUSES = ['in_progress', 'complete', 'paused', 'failed'] as const;

/** How it stands with a plan; follows from the plan and is never stored. */
export const PLAN_PROGRESS = [
  'to_plan',
  'planning',
  'paused',
  'failed',
  'planned',
  'working',
  'done',
] as const;

/** How it stands with a goal at a moment; follows from the plan and is never stored. */
export const GOAL_STATES = [
  'to_plan',
  'divided',
  'ready',
  'waiting',
  'claimed',
  'on_hold',
  'done',
  'failed',
] as const;

/** Why a plan is paused. */
export const PAUSE_CAUSES = ['user', 'budget', 'model', 'agent'] as const;

/** Who expands the goals of a plan. */
export const EXPANDERS = ['model', 'rules', 'replay', 'agent'] as const;

/** Those of them that a config may name: a recording is of one plan. */
export const CONFIG_EXPANDERS = [
  'model',
  'rules',
  'agent',
] as const satisfies readonly (typeof EXPANDERS)[number][];

/** What failed of a goal: expanding it or doing it. */
export const PHASES = ['planning', 'work'] as const;

/** Whether a sub-goal's own verdict is taken, or each is asked about. */
export const ASSESS_MODES = ['inline', 'each'] as const;

/** Which goals are expanded first: level by level, or the deepest. */
export const EXPANSION_ORDERS = ['breadth', 'depth'] as const;

/** Prompts of full length, or plain ones for small models. */
export const PROMPT_VARIANTS = ['standard', 'plain'] as const;
