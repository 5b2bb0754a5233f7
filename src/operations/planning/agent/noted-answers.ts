import * as z from 'zod';

import { readStoredTextIfAny, writeTextFile } from '../../../host/files/text-files.js';
import type { Context } from '../../shared/context.js';
import { notesPath } from './hand-outs.js';

const MOST_BYTES = 1024 * 1024;
/** The latest are kept; one that is forgotten is asked again. */
const MOST_KEPT = 10_000;

/**
 * Returns the fingerprints of the questions of the kinds `check` and `dependencies` that were answered, latest last. They are a note beside those
 * of who has which question; where it cannot be read, none was answered.
 */
export async function notedAnswers(context: Context, planId: string): Promise<readonly string[]> {
  try {
    const text = await readStoredTextIfAny(pathOf(context, planId), MOST_BYTES);
    return z.array(z.string()).parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}

/** Notes that such questions were answered, so that they are not asked again. */
export async function noteAnswers(
  context: Context,
  planId: string,
  questions: readonly string[],
): Promise<void> {
  if (questions.length === 0) return;
  const all = [...new Set([...(await notedAnswers(context, planId)), ...questions])].slice(-MOST_KEPT);
  // Without it the same is asked again, which costs an answer and no more.
  await writeTextFile(pathOf(context, planId), JSON.stringify(all), 'make').catch(() => undefined);
}

function pathOf(context: Context, planId: string): string {
  return notesPath(context.environment, context.store().location, planId).replace(/\.json$/, '.checked.json');
}
