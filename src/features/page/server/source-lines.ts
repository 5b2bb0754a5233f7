import { relative, sep } from 'node:path';

import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { realFolder } from '../../../host/files/folders.js';
import { pathWithin } from '../../../host/files/path-within.js';
import { readStoredText } from '../../../host/files/text-files.js';
import type { Source } from '../../../plan/schema.js';

const MOST_BYTES = 8 * 1024 * 1024;
const AROUND = 2;
const MOST_LINES = 60;
const MOST_TEXT = 500;
/** Words that tell of something, as a rule. */
const WORD = /[\p{L}\p{N}]{3,}/gu;

/**
 * Reads the lines of a goal's document as they are now. Who wrote the plan chose the path, so nothing is read that lies
 * out of the project, is hidden or is no plain text; nor lines that tell of something else: the document may be another,
 * for its path is relative to where the plan was made.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT, REFUSED, STORAGE_FAILED
 */
export async function readSourceLines(
  { file, start_line: start, end_line: end }: Source,
  description: string,
  folder: string,
): Promise<{
  readonly file: string;
  readonly first: number;
  readonly lines: readonly string[];
  readonly cut: number;
}> {
  const path = await pathWithin(file, folder, [folder]);
  const parts = relative(realFolder(folder), path).split(sep);
  if (parts.some((part) => part.startsWith('.')))
    throw new PlanError('REFUSED', `${file} is hidden, so it is not shown`);
  const all = (await readStoredText(path, MOST_BYTES)).split(/\r?\n/);
  if (start > all.length) throw new PlanError('FILE_NOT_FOUND', `${file} ends at line ${all.length} now`);
  const first = Math.max(1, start - AROUND);
  const last = Math.min(end + AROUND, first + MOST_LINES - 1);
  if (!tellOf(description, all.slice(first - 1, end + AROUND).join('\n')))
    throw new PlanError('FILE_NOT_FOUND', `${file} has changed at these lines`);
  return {
    file,
    first,
    lines: all.slice(first - 1, last).map((line) => truncate(line, MOST_TEXT)),
    cut: Math.max(0, Math.min(end, all.length) - last),
  };
}

/** Whether lines hold at least half of the words of a goal. */
function tellOf(description: string, lines: string): boolean {
  const [wanted, there] = [wordsOf(description), wordsOf(lines)];
  const found = [...wanted].filter((word) => there.has(word));
  return found.length * 2 >= wanted.size;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(WORD));
