import { stringify } from 'csv-stringify/sync';

import type { Plan } from '../plan/plan.js';
import { goalRows } from './goal-rows.js';

/**
 * RFC 4180 with "\n" between records: a header, then one record a goal, depth-first. A cell that a
 * spreadsheet would take for a formula (it starts with `=`, `+`, `-` or `@`) gets an apostrophe in front.
 */
export function toCsv(plan: Plan): string {
  return stringify(goalRows(plan), { header: true, escape_formulas: true });
}
