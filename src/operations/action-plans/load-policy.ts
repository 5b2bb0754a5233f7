import { dirname, relative, resolve } from 'node:path';

import type { PreparedPolicy } from '../../action-plans/policy/prepared-policy.js';
import { compatPolicyOf, readCompatPolicy, usablePolicy } from '../../action-plans/policy/compat-policy.js';
import type { CompatPolicy } from '../../action-plans/policy/compat-policy.js';
import { readPolicy } from '../../action-plans/policy/read-policy.js';
import { PlanError } from '../../kernel/errors.js';
import { pathWithin } from '../../host/files/path-within.js';
import { readStoredText, readTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';

/** No policy that people write is longer. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads a policy with what it extends. What it extends must lie in the working folder or in the folder of the policy, so
 * that a policy from elsewhere cannot have other files read.
 * @throws PlanError FILE_NOT_FOUND, POLICY_INVALID with file, line and column
 */
export async function loadPolicy({ environment }: Context, file: string): Promise<PreparedPolicy> {
  const { workingFolder } = environment;
  const path = resolve(workingFolder, file);
  const text = await readTextFile(path, MOST_BYTES);
  const real = await pathWithin(path, workingFolder, null);
  const shown = (one: string) => (one.startsWith(workingFolder) ? relative(workingFolder, one) : one);
  const folders = [workingFolder, dirname(real)];
  return readPolicy(text, shown(real), {
    resolve: async (name, from) =>
      shown(await pathWithin(name, dirname(resolve(workingFolder, from)), folders)),
    // The path has no link any more; a pipe is not waited for, because nobody named it.
    read: (one) => readStoredText(resolve(workingFolder, one), MOST_BYTES),
  });
}

/** A policy as it is read here, and as the original Plan-Lint reads it. */
export interface BothPolicies {
  readonly policy: PreparedPolicy;
  readonly compat: CompatPolicy;
}

/**
 * Reads a policy for `--compat`: where it is refused here, as the original reads it, and of the rest what can be used.
 * @throws PlanError FILE_NOT_FOUND, POLICY_INVALID where neither can read it
 */
export async function loadBothPolicies(context: Context, file: string): Promise<BothPolicies> {
  try {
    const policy = await loadPolicy(context, file);
    return { policy, compat: compatPolicyOf(policy) };
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'POLICY_INVALID') throw thrown;
    const text = await readTextFile(resolve(context.environment.workingFolder, file), MOST_BYTES);
    return { compat: readCompatPolicy(text, file), policy: usablePolicy(text, file) };
  }
}
