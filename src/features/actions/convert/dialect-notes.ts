import * as z from 'zod';

import type { ActionPlan } from '../model/action-plan.js';
import type { DialectName } from '../model/dialect.js';
import { treeDifferenceSchema } from './tree-difference.js';

/** What a plan notes of the document in some dialect that it came from. */
const notesSchema = z.strictObject({
  /** Which of the dialect's spellings it was. */
  variant: z.string().optional(),
  layout: z.strictObject({ indent: z.string(), end: z.string() }).optional(),
  /** What the plan was wrapped in, null in its place, and the keys to it. */
  wrapper: z.strictObject({ keys: z.array(z.string()), text: z.string() }).optional(),
  /** How the document differs from what is written of the plan. */
  difference: treeDifferenceSchema.optional(),
  /** Of frctl’s own form: what the plan has lost, which `lost-before.ts` reads. */
  lost: z.unknown().optional(),
});

/** Notes of a document. */
export type DialectNotes = z.infer<typeof notesSchema>;

/** What a plan notes of a dialect; null where it notes nothing, or what is there is not such notes. */
export function dialectNotes(plan: ActionPlan, dialect: DialectName): DialectNotes | null {
  return notesSchema.safeParse(plan.extensions?.[dialect]).data ?? null;
}
