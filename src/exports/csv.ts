import { stringify } from 'csv-stringify/sync';

import type { Plan } from '../plan/plan.js';
import { goalRows } from './goal-rows.js';

/**
 * RFC 4180 with "\n" between records: a header, then one record a goal, depth-first. A cell that a
 * spreadsheet would take for a formula (it starts with `=`, `+`, `-` or `@`, behind what is not seen as well) gets an
 * apostrophe in front.
 */
export function toCsv(plan: Plan): string {
  return stringify(goalRows(plan), {
    header: true,
    escape_formulas: true,
    cast: { string: (text) => (HIDDEN_FORMULA.test(text) ? `'${text}` : text) },
  });
}

const HIDDEN_FORMULA = /^[\s\p{Cf}]+[=+\-@＝＋－＠]/u;
