import { parseSettings } from '../../operations/settings/config.js';
import type { PlanningFlags } from '../../operations/front-end.js';
import { PlanError } from '../../kernel/errors.js';

/** Flags that are settings, by the name commander gives them. */
const SETTINGS: Readonly<Record<string, string>> = {
  model: 'model',
  baseUrl: 'base_url',
  maxDepth: 'max_depth',
  maxChildren: 'max_children',
  maxGoals: 'max_goals',
  concurrency: 'concurrency',
  maxRetries: 'max_retries',
  assess: 'assess',
  order: 'order',
  promptVariant: 'prompt_variant',
};
const BUDGET: Readonly<Record<string, string>> = {
  budgetCalls: 'calls',
  budgetTokens: 'tokens',
  budgetUsd: 'usd',
  budgetSeconds: 'seconds',
};

/** How to plan, from the options of `init` and `resume`. @throws PlanError INVALID_INPUT, USAGE */
export function planningFlags(options: Readonly<Record<string, unknown>>): PlanningFlags {
  const { expander } = options;
  const record = text(options.record);
  const replay = text(options.replay);
  if (expander === 'replay' && replay === undefined)
    throw new PlanError('USAGE', '--expander replay needs --replay FILE');
  const budget = renamed(options, BUDGET);
  const settings = parseSettings({
    ...renamed(options, SETTINGS),
    ...(expander === undefined || expander === 'replay' ? {} : { expander }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(typeof options.timeout === 'number' ? { timeout_ms: Math.ceil(options.timeout * 1000) } : {}),
  });
  return { settings, record, replay };
}

/** An option that is a text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function renamed(
  options: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const given = Object.entries(names).filter(([option]) => options[option] !== undefined);
  return Object.fromEntries(given.map(([option, name]) => [name, options[option]]));
}
