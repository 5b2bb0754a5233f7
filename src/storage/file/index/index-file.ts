import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

import { parseOrNull } from '../../../kernel/json/parse-or-null.js';
import type { KeptSummary } from '../../../plan/schema.js';
import { isSummary, SUMMARY_KIND } from '../../log/summary-shape.js';
import { isIndex, isStamp } from './index-shape.js';
import type { FilesStamp } from './index-shape.js';
import type { PlanPaths } from '../store-paths.js';
import { readPlainBytesNow } from '../../../host/files/plain-file.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import type { FilesThere } from '../plans-on-disk.js';

/** What the index has of a plan. */
export interface IndexEntry {
  readonly summary: KeptSummary;
  readonly stamp: FilesStamp;
  readonly archived: boolean;
}

/** Summaries of plans with the stamp of the files each was made from. */
export type Index = ReadonlyMap<string, IndexEntry>;

/** A hundred thousand plans. */
export const MOST_INDEX_BYTES = 64 * 1024 * 1024;

const CRC = /^,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/;
const CRC_LENGTH = ',\n  "crc": "01234567"\n}\n'.length;

/**
 * Reads the index file, which caches the listing of plans. It is believed only when its checksum says that this
 * version wrote it just so; anything else is as if it were not there, since the cache can always be made anew.
 */
export function readIndex(path: string): Index {
  const bytes = bytesOf(path);
  const crc = CRC.exec(bytes.subarray(-CRC_LENGTH).toString('latin1'));
  if (crc === null || checksum(bytes.subarray(0, -CRC_LENGTH)) !== crc[1]) return new Map();
  const value = parseOrNull(bytes.toString('utf8'));
  if (!isIndex(value)) return new Map();
  const { plans, archived, stamps } = value;
  const entryOf = (summary: unknown, isArchived: boolean): readonly (readonly [string, IndexEntry])[] => {
    if (!isSummary(summary)) return [];
    const stamp = Object.hasOwn(stamps, summary.id) ? stamps[summary.id] : null;
    return isStamp(stamp) ? [[summary.id, { summary, stamp, archived: isArchived }]] : [];
  };
  return new Map([
    ...plans.flatMap((summary) => entryOf(summary, false)),
    ...archived.flatMap((summary) => entryOf(summary, true)),
  ]);
}

/** Writes the index file as a whole, without waiting for the disk. @throws PlanError STORAGE_FAILED */
export async function writeIndex(path: string, index: Index, now: string): Promise<void> {
  const entries = [...index.values()];
  const summaries = (archived: boolean) =>
    entries.filter((entry) => entry.archived === archived).map(({ summary }) => summary);
  const [plans, archived] = [summaries(false), summaries(true)];
  const stamps = Object.fromEntries(Array.from(index, ([id, { stamp }]) => [id, stamp]));
  const content = { plans, archived, last_updated: now, stamps };
  // Without a line a member: it is read by every command that lists plans.
  const body = JSON.stringify(content).slice(0, -'}'.length);
  await replaceFile(path, `${body},\n  "crc": "${checksum(Buffer.from(body))}"\n}\n`, {
    like: dirname(path),
    isDurable: false,
  });
}

/**
 * The stamp of a plan's files in the index: what they look like now. Synchronous: a thousand plans cost a few
 * milliseconds.
 */
export function stampOf(paths: PlanPaths): FilesStamp {
  return { plan: fileStamp(paths.planFile), log: fileStamp(paths.eventLog) };
}

/**
 * Whether a summary in the index file with this stamp is still right. Of a plan that has a log the log alone
 * decides, since the plan is what it says, whatever was done to the plan file; looking at one file a plan is half of
 * the work.
 */
export function indexStampHolds(stamp: FilesStamp, there: FilesThere, paths: PlanPaths): boolean {
  if (there.strange || there.plan !== (stamp.plan !== null) || there.log !== (stamp.log !== null))
    return false;
  return there.log
    ? isSame(stamp.log, fileStamp(paths.eventLog))
    : isSame(stamp.plan, fileStamp(paths.planFile));
}

function bytesOf(path: string): Buffer {
  try {
    return readPlainBytesNow(path, MOST_INDEX_BYTES);
  } catch {
    return Buffer.of();
  }
}

function checksum(body: Buffer): string {
  return crc32(body, crc32(`${SUMMARY_KIND}\n`))
    .toString(16)
    .padStart(8, '0');
}

function isSame(a: FilesStamp['plan'], b: FilesStamp['plan']): boolean {
  return a === null || b === null ? a === b : a[0] === b[0] && a[1] === b[1];
}

function fileStamp(path: string): FilesStamp['plan'] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : [found.size, found.ctimeMs];
}
