import { isObject } from '../../../plan/snapshot/shape-checks.js';
import type { Members } from '../../../plan/snapshot/shape-checks.js';

/**
 * Sizes in bytes and times in milliseconds of the files a summary was made from. The times are those of the last
 * change of anything about the file, which the system alone sets: a repository or an archive cannot bring them.
 */
export interface FilesStamp {
  readonly plan: readonly [number, number] | null;
  readonly log: readonly [number, number] | null;
}

/** What an index holds, as far as it is looked at as a whole. */
export interface IndexShape {
  readonly plans: readonly unknown[];
  readonly archived: readonly unknown[];
  readonly stamps: Members;
}

/** Whether JSON has the shape of an index. Its checksum finds accidents; this is for one that was forged. */
export function isIndex(value: unknown): value is IndexShape {
  return (
    isObject(value) && Array.isArray(value.plans) && Array.isArray(value.archived) && isObject(value.stamps)
  );
}

/** Whether a value in the index has the shape of a stamp of a plan's files. */
export function isStamp(value: unknown): value is FilesStamp {
  return isObject(value) && isFileStamp(value.plan) && isFileStamp(value.log);
}

function isFileStamp(value: unknown): boolean {
  return (
    value === null ||
    (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number'))
  );
}
