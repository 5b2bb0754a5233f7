import { isAscii } from 'node:buffer';

import { parseOrNull } from '../../kernel/json/parse-or-null.js';
import { publishedPlan } from '../../plan/snapshot/published-plan.js';
import type { PublishedPlan } from '../../plan/snapshot/published-plan.js';
import { hasFittingChecksum } from './checksum.js';

/** The plan in the bytes of a plan file that are just as they were published; null for any others. */
export function readPublished(bytes: Buffer): PublishedPlan | null {
  if (!hasFittingChecksum(bytes)) return null;
  return publishedPlan(parseOrNull(textOf(bytes)));
}

/** What is ASCII alone, as most plans are, is a text at once; UTF-8 must be decoded. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
