import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import type { Summary } from '../../plan/schema.js';
import type { PlanPaths } from './layout.js';
import { readPlainFile } from './plain-file.js';
import { replaceFile } from './replace-file.js';

/** Sizes in bytes and times in milliseconds of the files a summary was made from. */
export interface FilesStamp {
  readonly plan: readonly [number, number] | null;
  readonly log: readonly [number, number] | null;
}

interface Entry {
  readonly summary: Summary;
  readonly stamp: FilesStamp;
}

/** Summaries of plans with the stamp of the files each was made from. */
export type Index = ReadonlyMap<string, Entry>;

/** What an index holds when this version wrote it; to be raised when a summary changes. */
const KIND = 'summaries 1';
const CRC = /,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/;

/**
 * Reads the listing cache. It is believed only when its checksum says that this version wrote it just so;
 * anything else is as if it were not there, since the cache can always be made anew.
 */
export async function readIndex(path: string): Promise<Index> {
  const text = await readPlainFile(path).catch(() => '');
  const crc = CRC.exec(text.slice(-40));
  if (crc === null || checksum(text.slice(0, text.length - crc[0].length)) !== crc[1]) return new Map();
  const value: unknown = JSON.parse(text);
  if (!isOwnIndex(value)) return new Map();
  return new Map(value.plans.map(({ stamp, ...summary }) => [summary.id, { summary, stamp }]));
}

/** Writes the listing cache as a whole. @throws PlanError STORAGE_FAILED */
export async function writeIndex(path: string, index: Index, now: string): Promise<void> {
  const plans = [...index.values()].map(({ summary, stamp }) => ({ ...summary, stamp }));
  const body = JSON.stringify({ plans, last_updated: now }, null, 2).slice(0, -'\n}'.length);
  await replaceFile(path, `${body},\n  "crc": "${checksum(body)}"\n}\n`);
}

/** What a plan's files look like now. Synchronous: a thousand plans cost a few milliseconds. */
export function stampOf(paths: PlanPaths): FilesStamp {
  return { plan: fileStamp(paths.planFile), log: fileStamp(paths.eventLog) };
}

export function isSameStamp(a: FilesStamp, b: FilesStamp): boolean {
  return isSame(a.plan, b.plan) && isSame(a.log, b.log);
}

// The checksum has vouched for what is inside.
function isOwnIndex(
  value: unknown,
): value is { readonly plans: readonly (Summary & { readonly stamp: FilesStamp })[] } {
  return typeof value === 'object' && value !== null && 'plans' in value && Array.isArray(value.plans);
}

function checksum(body: string): string {
  return crc32(`${KIND}\n${body}`).toString(16).padStart(8, '0');
}

function isSame(a: FilesStamp['plan'], b: FilesStamp['plan']): boolean {
  return a === null || b === null ? a === b : a[0] === b[0] && a[1] === b[1];
}

function fileStamp(path: string): FilesStamp['plan'] {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : [found.size, found.mtimeMs];
}
