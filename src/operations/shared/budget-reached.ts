import { PlanError } from '../../kernel/errors.js';

/** What stopped, and what is said beside the limit. */
export interface BudgetStop {
  /** `calls`, `tokens`, `usd` or `seconds`. */
  readonly limit: string;
  /** How high it was, where that is known. */
  readonly value?: number | undefined;
  /** What became of the work: `the plan is paused`. */
  readonly so?: string;
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The error BUDGET_REACHED: the next call to a model is not made, because it might cost more than is allowed. */
export function budgetReached({ limit, value, so, hint, details }: BudgetStop): PlanError {
  const budget = value === undefined ? limit : `${value} ${value === 1 ? limit.replace(/s$/, '') : limit}`;
  const rest = so === undefined ? '' : `; ${so}`;
  return new PlanError('BUDGET_REACHED', `the next call might exceed the budget of ${budget}${rest}`, {
    hint: { commandLine: hint },
    details: { ...details, limit },
  });
}
