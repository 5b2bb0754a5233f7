import { dirname, relative, resolve } from 'node:path';

import type { PreparedPolicy } from '../policy/prepared-policy.js';
import { compatPolicyOf, readCompatPolicy, usablePolicy } from '../policy/compat-policy.js';
import type { CompatPolicy } from '../policy/compat-policy.js';
import { readPolicy } from '../policy/read-policy.js';
import { PlanError } from '../../../kernel/errors.js';
import { pathWithin } from '../../../host/files/path-within.js';
import { readStoredText } from '../../../host/files/text-files.js';
import type { Context } from '../../../operations/shared/context.js';
import { calledFile, readNamedFile } from '../../../operations/shared/named-file.js';

/** No policy that people write is longer. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads a policy with what it extends. What it extends must lie in the working folder or in the folder of the policy, so
 * that a policy from elsewhere cannot have other files read.
 * @throws PlanError FILE_NOT_FOUND, POLICY_INVALID with file, line and column
 */
export async function loadPolicy(context: Context, file: string): Promise<PreparedPolicy> {
  return policyOfText(context, file, await readNamedFile(context, file, MOST_BYTES));
}

async function policyOfText({ environment }: Context, file: string, text: string): Promise<PreparedPolicy> {
  const { workingFolder } = environment;
  // What standard input extends is looked for in the working folder.
  const isNamed = file !== '-';
  const real = isNamed
    ? await pathWithin(resolve(workingFolder, file), workingFolder, null)
    : resolve(workingFolder, calledFile(file));
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
  const text = await readNamedFile(context, file, MOST_BYTES);
  try {
    const policy = await policyOfText(context, file, text);
    return { policy, compat: compatPolicyOf(policy) };
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'POLICY_INVALID') throw thrown;
    const name = calledFile(file);
    return { compat: readCompatPolicy(text, name), policy: usablePolicy(text, name) };
  }
}
