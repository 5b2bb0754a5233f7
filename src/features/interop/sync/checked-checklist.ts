import { extname } from 'node:path';

import { isJson } from '../../../kernel/json/is-json.js';
import { PlanError } from '../../../kernel/errors.js';
import { otherToolError } from '../../../operations/shared/other-tool.js';
import { toolOf } from '../tool-of.js';
import type { Checklist } from '../checklists/checklist.js';
import { readChecklist } from '../checklists/read-checklist.js';

/** No checklist that people write is longer, or goes farther right. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_COLUMNS = 1000;
/** Levels of a plan that a checklist can show. */
export const DEEPEST = 200;

/** What files of Markdown or plain text are called. */
const TEXT_ENDINGS: ReadonlySet<string> = new Set(
  [''].concat('md markdown mdown mkd mdx qmd rmd txt text todo'.split(' ').map((ending) => `.${ending}`)),
);

/** What git writes where two sides changed the same lines. */
const CONFLICT = /^(?:<{7}|\|{7}|>{7})(?: |\r?$)/m;

/** A file as a checklist. @param path for messages @throws PlanError INVALID_INPUT for one that nothing sure can be read from */
export function checkedChecklist(text: string, path: string): Checklist {
  const refuse = (message: string, hint?: string): PlanError =>
    new PlanError('INVALID_INPUT', message, {
      ...(hint === undefined ? {} : { hint: { commandLine: hint } }),
      details: { path },
    });
  const other = notAChecklist(text, path);
  const tool = other === null ? null : toolOf(text);
  if (tool !== null) throw otherToolError('INVALID_INPUT', path, tool);
  if (other !== null)
    throw refuse(`${path} is not Markdown: ${other}`, 'Name a Markdown file, such as TODO.md.');
  if (text.length > MOST_BYTES) throw refuse(`${path} is too long for a checklist`);
  const conflict = CONFLICT.exec(text);
  if (conflict !== null)
    throw refuse(
      `${path} has the marks of a git conflict at line ${text.slice(0, conflict.index).split('\n').length}`,
      'Resolve the conflict, and run the command again.',
    );
  const checklist = readChecklist(text);
  if (checklist.deepest >= MOST_COLUMNS || checklist.levels > DEEPEST)
    throw refuse(`${path} is nested too deep for a checklist: at most ${DEEPEST} levels`);
  if (checklist.unclosed !== null)
    throw refuse(
      `${path} opens ${BLOCKS[checklist.unclosed.kind]} at line ${checklist.unclosed.lineNumber} that nothing closes`,
      'Everything below it would be part of it. Close it, and run the command again.',
    );
  return checklist;
}

const BLOCKS = { code: 'a block of code', html: 'a comment or a block of HTML' } as const;

/** What a file is that lines of a checklist have no place in; null for text. */
export function notAChecklist(text: string, path: string): string | null {
  const ending = extname(path).toLowerCase();
  if (!TEXT_ENDINGS.has(ending)) return `its name ends with ${ending}`;
  if (text.includes('\0')) return 'it holds null characters';
  // A byte order mark is white space, which JSON knows nothing of.
  return /^\s*[[{]/.test(text) && isJson(text.trim()) ? 'it is JSON' : null;
}
