import { isUtf8 } from 'node:buffer';

import { messageOf } from '../../../kernel/errors.js';
import { checkTree, validatePlanFile } from '../../../plan/invariants.js';
import type { Problem } from '../../../plan/invariants.js';
import { planFromFile, planOfGoals } from '../../../plan/make-plan.js';
import type { Plan } from '../../../plan/plan.js';
import { parseJsonText, refuseUnknownVersion } from '../../../plan/snapshot/parse-plan.js';
import { planFileSchema } from '../../../plan/schema.js';
import type { LogPosition } from '../../../plan/schema.js';
import { isTooLarge } from '../../../host/files/file-identity.js';
import { readPlainBytesNow } from '../../../host/files/plain-file.js';
import { readPublished } from '../../log/published-snapshot.js';
import { hasFittingChecksum, isUnionMerge } from '../../log/checksum.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';

/** What was found where a plan file should be. */
export type PlanFileReading =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      readonly log: LogPosition | undefined;
      readonly published: boolean;
      /** Whether git put it together from the lines of both sides. */
      readonly merged: boolean;
    }
  | {
      readonly kind: 'unreadable';
      readonly problems: readonly Problem[];
      readonly merged: boolean;
      /** Whether nothing of it may be read. */
      readonly withheld: boolean;
    };

/**
 * Reads the plan file of a plan; one that holds another plan is of no use. `published` says whether it is, to the byte, what
 * was published of a log.
 * @param depth `view`: a published view of a log, whose tree is checked; `alone`: every invariant
 * @throws PlanError UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function readPlanFile(
  path: string,
  planId: string,
  depth: 'view' | 'alone',
): Promise<PlanFileReading> {
  const bytes = readBytes(path, depth);
  if (bytes === null) return { kind: 'absent' };
  if (!Buffer.isBuffer(bytes))
    return { kind: 'unreadable', problems: [bytes], merged: false, withheld: true };
  const published = depth === 'view' ? readPublished(bytes) : null;
  if (published?.header.id === planId) {
    const { header, goals, log } = published;
    return { kind: 'plan', plan: planOfGoals(header, goals), log, published: true, merged: false };
  }
  const merged = isMerged(bytes);
  const unreadable = (problems: readonly Problem[]) =>
    ({ kind: 'unreadable', problems, merged, withheld: false }) as const;
  const parsed = parseBytes(bytes);
  if ('problem' in parsed) return unreadable([parsed.problem]);
  refuseUnknownVersion(parsed.value, path);
  const { file, problems } = depth === 'alone' ? validatePlanFile(parsed.value) : readView(parsed.value);
  if (file === null || problems.length > 0) return unreadable(problems);
  if (file.id !== planId) return unreadable([ofOtherPlan(file.id)]);
  const isPublished = hasFittingChecksum(bytes);
  return { kind: 'plan', plan: planFromFile(file), log: file.log, published: isPublished, merged };
}

function ofOtherPlan(id: string): Problem {
  return { code: 'OTHER_PLAN', path: '$.id', message: `it holds plan ${id}` };
}

/** Whether git merged a plan file, line by line or with its markers: both sides are in commits then. */
function isMerged(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return isUnionMerge(text) || (/^<{7} /m.test(text) && /^>{7} /m.test(text));
}

function readView(value: unknown): ReturnType<typeof validatePlanFile> {
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) return { file: null, problems: [] };
  return { file: parsed.data, problems: checkTree(parsed.data) };
}

function parseBytes(bytes: Buffer): ReturnType<typeof parseJsonText> {
  // Such as holes, which a large text would be made of before anybody sees that it is none.
  const nothing = bytes.indexOf(0);
  if (nothing !== -1)
    return {
      problem: { code: 'NOT_JSON', path: '$', message: `the file is not JSON: a zero byte at ${nothing}` },
    };
  if (isUtf8(bytes)) return parseJsonText(bytes.toString('utf8'));
  const message = `the file is not UTF-8 text: there is no character at byte ${firstInvalidByte(bytes)}`;
  return { problem: { code: 'NOT_UTF8', path: '$', message } };
}

/** The offset of the first byte that no character begins with or goes on with. */
function firstInvalidByte(bytes: Buffer): number {
  const mended = Buffer.from(bytes.toString('utf8'));
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === mended[offset]) offset += 1;
  return offset;
}

/** What the system says of a file that is there and may not, or cannot, be read: of a view the log has it all. */
const WITHHELD: ReadonlySet<string | null> = new Set(['EACCES', 'EPERM', 'EIO']);

function readBytes(path: string, depth: 'view' | 'alone'): Buffer | Problem | null {
  try {
    // At once: whatever is read is then parsed at once, which takes many times as long.
    return readPlainBytesNow(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    if (isTooLarge(cause)) return { code: 'TOO_LARGE', path: '$', message: messageOf(cause) };
    if (depth === 'view' && WITHHELD.has(errorCode(cause)))
      return { code: 'WITHHELD', path: '$', message: storageError('read', path, cause).message };
    throw storageError('read', path, cause);
  }
}
