import { lstatSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import type { Summary } from '../../plan/schema.js';
import type { PlanPaths } from './layout.js';
import { readPlainBytesNow } from './plain-file.js';
import { replaceFile } from './replace-file.js';
import type { FilesThere } from './shelf-files.js';

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

/** A hundred thousand plans. */
export const MOST_INDEX_BYTES = 64 * 1024 * 1024;

/** What an index holds when this version wrote it; to be raised when a summary changes. */
const KIND = 'summaries 2';
const CRC = /,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/;

/**
 * Reads the listing cache. It is believed only when its checksum says that this version wrote it just so;
 * anything else is as if it were not there, since the cache can always be made anew.
 */
export function readIndex(path: string): Index {
  const text = textOf(path);
  const crc = CRC.exec(text.slice(-40));
  if (crc === null || checksum(text.slice(0, text.length - crc[0].length)) !== crc[1]) return new Map();
  const value: unknown = JSON.parse(text);
  if (!isOwnIndex(value)) return new Map();
  const index = new Map<string, Entry>();
  for (const summary of value.plans) {
    const stamp = value.stamps[summary.id];
    if (stamp !== undefined) index.set(summary.id, { summary, stamp });
  }
  return index;
}

/** Writes the listing cache as a whole. @throws PlanError STORAGE_FAILED */
export async function writeIndex(path: string, index: Index, now: string): Promise<void> {
  const plans = Array.from(index.values(), ({ summary }) => summary);
  const stamps = Object.fromEntries(Array.from(index, ([id, { stamp }]) => [id, stamp]));
  const body = JSON.stringify({ plans, last_updated: now, stamps }, null, 2).slice(0, -'\n}'.length);
  await replaceFile(path, `${body},\n  "crc": "${checksum(body)}"\n}\n`);
}

/** What a plan's files look like now. Synchronous: a thousand plans cost a few milliseconds. */
export function stampOf(paths: PlanPaths): FilesStamp {
  return { plan: fileStamp(paths.planFile), log: fileStamp(paths.eventLog) };
}

/**
 * Whether a summary with this stamp is still right. Of a plan that has a log the log alone decides, since the
 * plan is what it says, whatever was done to the plan file; looking at one file a plan is half of the work.
 */
export function stampHolds(stamp: FilesStamp, there: FilesThere, paths: PlanPaths): boolean {
  if (there.strange || there.plan !== (stamp.plan !== null) || there.log !== (stamp.log !== null))
    return false;
  return there.log
    ? isSame(stamp.log, fileStamp(paths.eventLog))
    : isSame(stamp.plan, fileStamp(paths.planFile));
}

function textOf(path: string): string {
  try {
    return readPlainBytesNow(path, MOST_INDEX_BYTES).toString('utf8');
  } catch {
    return '';
  }
}

// The checksum has vouched for what is inside.
function isOwnIndex(value: unknown): value is {
  readonly plans: readonly Summary[];
  readonly stamps: Readonly<Record<string, FilesStamp>>;
} {
  return typeof value === 'object' && value !== null && 'plans' in value && 'stamps' in value;
}

function checksum(body: string): string {
  return crc32(`${KIND}\n${body}`).toString(16).padStart(8, '0');
}

function isSame(a: FilesStamp['plan'], b: FilesStamp['plan']): boolean {
  return a === null || b === null ? a === b : a[0] === b[0] && a[1] === b[1];
}

function fileStamp(path: string): FilesStamp['plan'] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : [found.size, found.mtimeMs];
}
