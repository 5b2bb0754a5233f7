import { canonicalJson } from '../../../../kernel/json/canonical-json.js';
import { isJsonObject } from '../../../../kernel/json/json-value.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { PreparedRun } from '../prepared-run.js';

/**
 * The digest of all that was prepared, as the log has it: whoever changes a file that is written, the policy, the goal
 * or a time in the log has another run, to which nobody has agreed. SHA-256 over RFC 8785, in hex.
 */
export function preparedDigest(prepared: PreparedRun): string {
  const plain: unknown = JSON.parse(JSON.stringify(prepared));
  return sha256(canonicalJson(isJsonObject(plain) ? plain : null));
}
