import { readFile } from 'node:fs/promises';
import { statSync } from 'node:fs';
import * as z from 'zod';

import { summarySchema } from '../../plan/schema.js';
import type { Summary } from '../../plan/schema.js';
import type { PlanPaths } from './layout.js';
import { replaceFile } from './replace-file.js';

/** Sizes in bytes and times in milliseconds of the files a summary was made from. */
const fileStampSchema = z.tuple([z.number(), z.number()]).nullable();
const stampSchema = z.object({ plan: fileStampSchema, log: fileStampSchema });
const entrySchema = summarySchema.extend({ stamp: stampSchema });
/** Each entry is read for itself, so that a bad one spoils no other. */
const entriesSchema = z.looseObject({ plans: z.array(z.unknown()) });

export type FilesStamp = z.infer<typeof stampSchema>;

/** Summaries of plans with the stamp of the files each was made from. */
export type Index = ReadonlyMap<string, { readonly summary: Summary; readonly stamp: FilesStamp }>;

/** Reads the listing cache. Whatever is wrong with it, or with an entry, is as if it were not there. */
export async function readIndex(path: string): Promise<Index> {
  const index = new Map<string, { summary: Summary; stamp: FilesStamp }>();
  try {
    const parsed = entriesSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    for (const plan of parsed.data?.plans ?? []) {
      const entry = entrySchema.safeParse(plan);
      if (!entry.success) continue;
      const { stamp, ...summary } = entry.data;
      index.set(summary.id, { summary, stamp });
    }
  } catch {
    return new Map();
  }
  return index;
}

/** Writes the listing cache as a whole. @throws PlanError STORAGE_FAILED */
export async function writeIndex(path: string, index: Index, now: string): Promise<void> {
  const plans = [...index.values()].map(({ summary, stamp }) => ({ ...summary, stamp }));
  await replaceFile(path, `${JSON.stringify({ plans, last_updated: now }, null, 2)}\n`);
}

/** What a plan's files look like now. Synchronous: a thousand plans cost a few milliseconds. */
export function stampOf(paths: PlanPaths): FilesStamp {
  return { plan: fileStamp(paths.planFile), log: fileStamp(paths.eventLog) };
}

export function isSameStamp(a: FilesStamp, b: FilesStamp): boolean {
  return isSame(a.plan, b.plan) && isSame(a.log, b.log);
}

function isSame(a: FilesStamp['plan'], b: FilesStamp['plan']): boolean {
  return a === null || b === null ? a === b : a[0] === b[0] && a[1] === b[1];
}

function fileStamp(path: string): FilesStamp['plan'] {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : [found.size, found.mtimeMs];
}
