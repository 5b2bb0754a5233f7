import * as z from 'zod';

import type { Goal } from './schema.js';

/** Returns what must not be done for some goals: the member `out_of_scope`, a text or a list of texts, each text once. */
export function outOfScopeTexts(goals: readonly Goal[]): readonly string[] {
  return [...new Set(goals.flatMap(({ out_of_scope }) => outOfScopeSchema.parse(out_of_scope)))];
}

const outOfScopeSchema = z
  .union([z.string().transform((text) => [text]), z.array(z.string())])
  .catch([])
  .transform((texts) => texts.filter((text) => text.trim() !== ''));
