import { PlanError } from '../../kernel/errors.js';
import type { Checklist } from '../../work/checklists/checklist.js';
import { readChecklist } from '../../work/checklists/read-checklist.js';

/** No checklist that people write is longer, or goes farther right. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_COLUMNS = 1000;

/** What git writes where two sides changed the same lines. */
const CONFLICT = /^(?:<{7}|\|{7}|>{7})(?: |\r?$)/m;

/** A file as a checklist. @param path for messages @throws PlanError INVALID_INPUT for one that nothing sure can be read from */
export function checkedChecklist(text: string, path: string): Checklist {
  const refuse = (message: string, hint?: string): PlanError =>
    new PlanError('INVALID_INPUT', message, { ...(hint === undefined ? {} : { hint }), details: { path } });
  if (text.length > MOST_BYTES) throw refuse(`${path} is too long for a checklist`);
  const conflict = CONFLICT.exec(text);
  if (conflict !== null)
    throw refuse(
      `${path} has the marks of a git conflict at line ${text.slice(0, conflict.index).split('\n').length}`,
      'Decide which lines count, take the marks out, and run it again.',
    );
  const checklist = readChecklist(text);
  if (checklist.deepest >= MOST_COLUMNS) throw refuse(`${path} goes too deep for a checklist`);
  if (checklist.unclosed !== null)
    throw refuse(
      `${path} opens a block of code at line ${checklist.unclosed} that nothing closes`,
      'All below it would be code, and no goal. Close it, and run it again.',
    );
  return checklist;
}
