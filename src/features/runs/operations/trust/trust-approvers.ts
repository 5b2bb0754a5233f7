import * as z from 'zod';

import { changedLines } from '../../../../kernel/text/changed-lines.js';
import { PlanError } from '../../../../kernel/errors.js';
import { defineOperation } from '../../../../operations/operation.js';
import { changeUserConfig } from '../../../../operations/settings/config-changes.js';
import type { UserConfig } from '../../../../operations/settings/config.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import type { Environment } from '../../../../operations/shared/environment.js';
import { text } from '../../../../operations/shared/fields.js';
import { peopleOf, readSigners, whyNoApprover } from '../../model/approvals/allowed-signers.js';
import type { Signer } from '../../model/approvals/allowed-signers.js';
import { countPeople } from '../../model/approvals/count-people.js';
import { approvedProject, readApprovers, signersNow } from '../approving/approvers.js';
import type { Approvers } from '../approving/approvers.js';
import { policyLines } from './policy-lines.js';
import { isTrustedPolicy, policyDigest, trustedPolicy, withTrustedPolicy } from './trusted-approvers.js';
import type { ApprovalPolicy } from './trusted-approvers.js';
import { readTrustedText, storeTrustedText } from './trusted-files.js';

/** So many characters of a digest name what is trusted. */
const LEAST_DIGEST = 12;

const trustSchema = z.object({
  digest: z.string().describe('Of the project, the list and `min`: another as soon as one of them changes.'),
  project: z.string().describe('Whose runs they approve.'),
  signers: z
    .string()
    .nullable()
    .describe('The allowed-signers file; null where the config names none, so that codes approve.'),
  min: z.number().describe('Signatures that a run needs; 0 where codes approve.'),
  file: z.string().describe('Your own config, where it is kept.'),
  trusted: z.boolean().describe('Whether they approve now.'),
  list: z
    .array(
      z.object({
        line: z.number(),
        names: z
          .array(z.string())
          .readonly()
          .describe('Whose key it is; its fingerprint where the list has no name, but a pattern.'),
        authority: z
          .string()
          .nullable()
          .describe('Of a certificate authority: the pattern of the names that its certificates may have.'),
        key_type: z.string(),
        fingerprint: z.string(),
        namespaces: z.string().nullable(),
        valid_after: z.string().nullable(),
        valid_before: z.string().nullable(),
        counts: z.boolean().describe('Whether it can approve now.'),
        because: z.string().nullable().describe('Why not.'),
      }),
    )
    .readonly(),
  warning: z.string().nullable().describe('What a person should know before agreeing.'),
  changes: z
    .array(z.object({ sign: z.enum(['-', '+', ' ']), line: z.number(), text: z.string() }))
    .readonly()
    .nullable()
    .describe('What is other than when it was trusted; null when nothing was, or that is not known.'),
});

type Trust = z.output<typeof trustSchema>;

/** What is trusted, or would be, and the lines of it for people. */
type TrustForPeople = Trust & { readonly lines: readonly string[] };

/**
 * Lets the current approvers, whom the list of signers names, approve runs of the project by their signatures, and as many of
 * them as the config says, given the digest of what was looked at; without it only shows them. Where the config names
 * nobody any more, the same lets codes approve again.
 * @throws PlanError FILE_NOT_FOUND when no list is named, INVALID_INPUT for one that cannot be read, REFUSED when it is another,
 *   or none of its signers counts now; STORAGE_FAILED
 */
export const trustApprovers = defineOperation({
  arguments: ['digest'],
  input: z.strictObject({
    digest: text(
      'the beginning of the digest: trusts it without asking, when it is still what you have read',
      'digest',
    ),
  }),
  output: trustSchema,
  examples: ['plan config trust-approvers', 'plan config trust-approvers 6be1f5c9d3a0'],
  mutates: true,
  async run(context, { digest: expected }): Promise<TrustForPeople> {
    const { environment } = context;
    const user = await context.userConfig();
    const approvers = await readApprovers(context);
    const policy: ApprovalPolicy = { project: approvedProject(context), approvers };
    if (approvers === null && trustedPolicy(policy.project, user) === undefined) throw noneNamed();
    if (approvers !== null) refuseWithoutSigners(approvers, environment.now());
    const digest = policyDigest(policy);
    if (expected !== undefined) refuseOther(expected, digest);
    const isTrusted = isTrustedPolicy(policy, user);
    if (expected !== undefined && !isTrusted) {
      if (approvers !== null) await storeTrustedText(approvers, environment);
      await changeUserConfig(environment, (now) => withTrustedPolicy(now, policy));
    }
    return {
      digest,
      project: policy.project,
      signers: approvers?.path ?? null,
      min: approvers?.min ?? 0,
      file: userConfigPath(environment),
      trusted: isTrusted || expected !== undefined,
      ...whoApproves(approvers, environment.now()),
      changes: await changesOf(context, policy, user, approvers),
    };
  },
  document: ({ lines: _forPeople, ...document }: TrustForPeople): Trust => document,
  exitStatus: ({ trusted }) => (trusted ? 0 : 4),
});

function noneNamed(): PlanError {
  return new PlanError('FILE_NOT_FOUND', 'the config names no approvers', {
    hint: { commandLine: 'The setting `approval` does: {"signers": ".plans/approvers", "min": 2}.' },
  });
}

function refuseWithoutSigners({ name, signers }: Approvers, now: number): void {
  const reasons = signers.map((one) => whyNoApprover(one, now));
  if (reasons.includes(null)) return;
  const [first] = reasons;
  const why = first === undefined ? 'it lists nobody' : `line ${signers[0]?.line}: ${first}`;
  throw new PlanError('REFUSED', `${name} has no signer who could approve now: ${why}`, {
    hint: { commandLine: 'Correct the list, or name another one with the setting `approval`.' },
  });
}

function refuseOther(expected: string, digest: string): void {
  if (expected.length >= LEAST_DIGEST && digest.startsWith(expected)) return;
  throw new PlanError(
    'REFUSED',
    `the approvers are not the version that you name: their digest is ${digest}`,
    {
      hint: [
        `It has changed since you read it, or fewer than ${LEAST_DIGEST} characters of its digest were given. Read it again.`,
      ],
      details: { digest },
    },
  );
}

function whoApproves(
  approvers: Approvers | null,
  now: number,
): Pick<TrustForPeople, 'list' | 'warning' | 'lines'> {
  if (approvers === null) return { list: [], warning: null, lines: [] };
  const { signers, min } = approvers;
  const counting = signersNow(approvers, now);
  const people = countPeople(peopleOf(counting), peopleOf(signers));
  const isShort = people < min && counting.every(({ isAuthority }) => !isAuthority);
  const many = people === 1 ? '1 person can' : `${people} people can`;
  return {
    list: signers.map((one) => signerReport(one, now)),
    warning: isShort ? `${many} sign now, and ${min} must: no run can be approved` : null,
    lines: policyLines(approvers, now),
  };
}

function signerReport(signer: Signer, now: number): Trust['list'][number] {
  const { line, names, isAuthority, principals, keyType, fingerprint, namespaces } = signer;
  const because = whyNoApprover(signer, now);
  return {
    line,
    names,
    authority: isAuthority ? principals : null,
    key_type: keyType,
    fingerprint,
    namespaces,
    valid_after: signer.validAfter === null ? null : new Date(signer.validAfter.at).toISOString(),
    valid_before: signer.validBefore === null ? null : new Date(signer.validBefore.at).toISOString(),
    counts: because === null,
    because,
  };
}

/** What is other than when the policy of the project was trusted last. */
async function changesOf(
  { environment }: { readonly environment: Environment },
  { project }: ApprovalPolicy,
  user: UserConfig,
  approvers: Approvers | null,
): Promise<Trust['changes']> {
  const last = trustedPolicy(project, user);
  const before = last === undefined ? null : await readTrustedText(last.list, environment);
  if (last === undefined || before === null) return null;
  const [now, old] = [environment.now(), { path: last.signers, min: last.min }];
  const was = policyLines({ ...old, signers: readSigners(before, last.signers) }, now);
  const is = approvers === null ? [] : policyLines(approvers, now);
  return changedLines(was.join('\n'), is.join('\n'), 0);
}
