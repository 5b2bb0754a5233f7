import { crc32 } from 'node:zlib';

import { PlanError } from '../../errors.js';
import { checkTree, validatePlanFile } from '../../plan/invariants.js';
import type { Problem } from '../../plan/invariants.js';
import { isNestedTooDeep, MAX_NESTING } from '../../plan/nesting.js';
import { planFileSchema, SCHEMA_VERSION } from '../../plan/schema.js';
import type { PlanFile } from '../../plan/schema.js';
import { readPlainBytes } from './plain-file.js';
import { errorCode, storageError } from './storage-error.js';

/** What was found where a plan file should be. */
export type PlanFileReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'plan'; readonly file: PlanFile; readonly published: boolean }
  | { readonly kind: 'unreadable'; readonly problems: readonly Problem[] };

/** The end of a published plan file: the CRC-32 of its bytes before it. */
const SEAL = /,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/;
const SEAL_LENGTH = ',\n  "crc": "01234567"\n}\n'.length;

/**
 * The text of a plan file with its checksum as the last member, as it is published: whatever a merge or a
 * hand makes of it is no longer what was published.
 */
export function sealPlanFile(text: string): string {
  const body = text.slice(0, -'\n}\n'.length);
  return `${body},\n  "crc": "${checksum(Buffer.from(body))}"\n}\n`;
}

function isSealed(bytes: Buffer): boolean {
  const seal = SEAL.exec(bytes.subarray(-SEAL_LENGTH).toString('latin1'));
  return seal !== null && checksum(bytes.subarray(0, bytes.length - SEAL_LENGTH)) === seal[1];
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

/**
 * Reads a plan file. `published` says whether it is, to the byte, what was published of a log.
 * @param depth `view`: a published view of a log, whose tree is checked; `alone`: every invariant
 * @throws PlanError UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function readPlanFile(path: string, depth: 'view' | 'alone'): Promise<PlanFileReading> {
  const bytes = await readBytes(path);
  if (bytes === null) return { kind: 'absent' };
  const parsed = parseJson(bytes.toString('utf8'));
  if ('problem' in parsed) return { kind: 'unreadable', problems: [parsed.problem] };
  refuseUnknownVersion(parsed.value, path);
  const { file, problems } = depth === 'alone' ? validatePlanFile(parsed.value) : readView(parsed.value);
  if (file === null || problems.length > 0) return { kind: 'unreadable', problems };
  return { kind: 'plan', file, published: isSealed(bytes) };
}

function readView(value: unknown): ReturnType<typeof validatePlanFile> {
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) return { file: null, problems: [] };
  return { file: parsed.data, problems: checkTree(parsed.data) };
}

/**
 * Refuses a plan of a format whose major number this version does not know.
 * @throws PlanError UNSUPPORTED_VERSION
 */
export function refuseUnknownVersion(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null || !('schema_version' in value)) return;
  const version = value.schema_version;
  if (typeof version !== 'string') return;
  const known = SCHEMA_VERSION.split('.')[0];
  if (version.split('.')[0] === known) return;
  throw new PlanError(
    'UNSUPPORTED_VERSION',
    `${path} has format ${version}; this frctl reads format ${known}.x`,
    {
      hint: 'Update frctl to the version that wrote the plan.',
      details: { path, schema_version: version },
    },
  );
}

const TOO_DEEP: Problem = {
  code: 'TOO_DEEP',
  path: '$',
  message: `arrays and objects are within each other on more than ${MAX_NESTING} levels`,
};

/** Parses JSON text, a byte order mark allowed; the problem names line and column. */
export function parseJson(text: string): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isNestedTooDeep(value) ? { problem: TOO_DEEP } : { value };
  } catch (cause) {
    const markers = /^(<{7}|={7}|>{7})/m.test(text) ? ' (it holds merge conflict markers)' : '';
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: { code: 'NOT_JSON', path: '$', message: `the file is not JSON${markers}: ${reason}` } };
  }
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    return await readPlainBytes(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}
