import { PlanError } from '../../kernel/errors.js';
import { isNestedTooDeep, MAX_NESTING } from '../../kernel/json/nesting.js';
import { jsonPath } from '../invariants.js';
import type { Problem } from '../invariants.js';
import { isKnownVersion, SCHEMA_VERSION } from './format-version.js';
import { findLostMember } from './lost-members.js';

/** Parses JSON text, a byte order mark allowed; the problem names line and column. */
export function parseJsonText(text: string): { readonly value: unknown } | { readonly problem: Problem } {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isNestedTooDeep(value)) return { problem: TOO_DEEP };
    const lost = MAY_LOSE.test(text) ? findLostMember(value) : null;
    return lost === null ? { value } : { problem: lostMember(lost) };
  } catch (cause) {
    const markers = /^(<{7}|={7}|>{7})/m.test(text) ? ' (it holds merge conflict markers)' : '';
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: { code: 'NOT_JSON', path: '$', message: `the file is not JSON${markers}: ${reason}` } };
  }
}

/**
 * Refuses to parse a plan of a format whose major number this version does not know.
 * @throws PlanError UNSUPPORTED_VERSION
 */
export function refuseUnknownVersion(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null || !('schema_version' in value)) return;
  const version = value.schema_version;
  if (typeof version !== 'string') return;
  if (isKnownVersion(version)) return;
  throw new PlanError(
    'UNSUPPORTED_VERSION',
    `${path} has format ${version}; this frctl reads format ${SCHEMA_VERSION.split('.')[0]}.x`,
    {
      hint: ['Update frctl to the version that wrote the plan.'],
      details: { path, schema_version: version },
    },
  );
}

const TOO_DEEP: Problem = {
  code: 'TOO_DEEP',
  path: '$',
  message: `arrays and objects are within each other on more than ${MAX_NESTING} levels`,
};

/** `__proto__`, also where a reader of JSON finds it spelled otherwise. */
const MAY_LOSE = /__proto__|\\u00[5-7]/i;

function lostMember(path: readonly PropertyKey[]): Problem {
  return {
    code: 'LOST_MEMBER',
    path: jsonPath(path),
    message: 'a member called __proto__ cannot be kept; give it another name',
  };
}
