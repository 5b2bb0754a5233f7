import { PlanError } from '../../errors.js';
import { checkTree, validatePlanFile } from '../../plan/invariants.js';
import type { Problem } from '../../plan/invariants.js';
import { isNestedTooDeep, MAX_NESTING } from '../../plan/nesting.js';
import { planFileSchema, SCHEMA_VERSION } from '../../plan/schema.js';
import type { PlanFile } from '../../plan/schema.js';
import { readPlainFile } from './plain-file.js';
import { errorCode, storageError } from './storage-error.js';

/** What was found where a plan file should be. */
export type PlanFileReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'plan'; readonly file: PlanFile }
  | { readonly kind: 'unreadable'; readonly problems: readonly Problem[] };

/**
 * Reads a plan file.
 * @param depth `view`: a published view of a log, whose tree is checked; `alone`: every invariant
 * @throws PlanError UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function readPlanFile(path: string, depth: 'view' | 'alone'): Promise<PlanFileReading> {
  const text = await readText(path);
  if (text === null) return { kind: 'absent' };
  const parsed = parseJson(text);
  if ('problem' in parsed) return { kind: 'unreadable', problems: [parsed.problem] };
  refuseUnknownVersion(parsed.value, path);
  return depth === 'alone' ? readAlone(parsed.value) : readView(parsed.value);
}

function readAlone(value: unknown): PlanFileReading {
  const { file, problems } = validatePlanFile(value);
  return file !== null && problems.length === 0 ? { kind: 'plan', file } : { kind: 'unreadable', problems };
}

function readView(value: unknown): PlanFileReading {
  const parsed = planFileSchema.safeParse(value);
  if (!parsed.success) return { kind: 'unreadable', problems: [] };
  const problems = checkTree(parsed.data);
  return problems.length === 0 ? { kind: 'plan', file: parsed.data } : { kind: 'unreadable', problems };
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

async function readText(path: string): Promise<string | null> {
  try {
    return await readPlainFile(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}
