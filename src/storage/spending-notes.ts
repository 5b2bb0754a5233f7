import * as z from 'zod';

import { usageSchema } from '../plan/schema.js';
import type { Usage } from '../plan/schema.js';

/** What somebody may have used of models for a plan, of which its log says nothing yet. */
export interface SpendingNote {
  /** Of whoever has noted it; letters and digits. */
  readonly id: string;
  /** The process that has; null for one that others see to. */
  readonly by: NotedProcess | null;
  readonly usage: Usage;
}

/** The process that has noted something, and when, in milliseconds since 1970. */
export interface NotedProcess {
  readonly host: string;
  readonly pid: number;
  readonly process_start?: string | undefined;
  readonly at: number;
}

/**
 * Notes of what calls may have used, each kept before the call is made, so that it outlives the process that makes it. It need
 * not outlive the machine.
 */
export interface SpendingNotes {
  /** Keeps a note in place of the one of that id. @throws PlanError STORAGE_FAILED */
  keep(planId: string, note: SpendingNote & { readonly by: NotedProcess }): Promise<void>;
  /** Removes one; one that is gone already is none. @throws PlanError STORAGE_FAILED */
  drop(planId: string, id: string): Promise<void>;
  /** All of a plan; what cannot be read is none. @throws PlanError STORAGE_FAILED */
  of(planId: string): Promise<readonly SpendingNote[]>;
  /** Removes all of a plan. @throws PlanError STORAGE_FAILED */
  dropAll(planId: string): Promise<void>;
}

export const notedProcessSchema = z.object({
  host: z.string(),
  pid: z.int(),
  process_start: z.string().optional(),
  at: z.number(),
});

/** What a note is as a text. */
export const spendingNoteSchema = z.object({ by: notedProcessSchema, usage: usageSchema });
