import { encode } from '@toon-format/toon';

import type { Plan } from '../plan/plan.js';
import { summarize } from '../plan/plan.js';
import { printable } from '../kernel/text/safe-text.js';
import { goalRows } from './goal-rows.js';

/** Token-Oriented Object Notation: the plan's main fields, then one table with a row a goal, depth-first. */
export function toToon(plan: Plan): string {
  const { id, description, status, created_at, updated_at, total_tokens } = summarize(plan);
  const head = { id, description: printable(description), status, created_at, updated_at, total_tokens };
  return `${encode({ plan: head, goals: goalRows(plan) })}\n`;
}
