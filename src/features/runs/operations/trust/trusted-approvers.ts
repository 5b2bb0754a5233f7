import { canonicalJson } from '../../../../kernel/json/canonical-json.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { UserConfig } from '../../../../operations/settings/config.js';

/** Who approves the runs of a project; nobody by a signature where that is null. */
export interface ApprovalPolicy {
  /** The real path of its folder: the same list lets nobody approve elsewhere. */
  readonly project: string;
  readonly approvers: {
    /** The real path of the list of signers. */
    readonly path: string;
    readonly text: string;
    /** How many of them must sign. */
    readonly min: number;
  } | null;
}

type Trusted = NonNullable<UserConfig['trusted_approvers']>[number];

/** The digest by which a policy of approvals is trusted: of the project, the list as it is, and how many must sign. In hex. */
export function policyDigest(policy: ApprovalPolicy): string {
  const { project } = policy;
  return sha256(canonicalJson({ ...recordOf(policy), project }));
}

/** What the user has trusted for a project last; undefined for nothing. */
export function trustedPolicy(
  project: string,
  { trusted_approvers: trusted = [] }: UserConfig,
): Trusted | undefined {
  return trusted.find((one) => one.project === project);
}

/** Whether the user has trusted a policy just as it is; that a code approves is trusted until it was once another. */
export function isTrustedPolicy(policy: ApprovalPolicy, user: UserConfig): boolean {
  const trusted = trustedPolicy(policy.project, user);
  const now = recordOf(policy);
  if (trusted === undefined || now === null) return trusted === undefined && now === null;
  return trusted.signers === now.signers && trusted.list === now.list && trusted.min === now.min;
}

/** The user's config with a policy trusted, and none that was before for the project. */
export function withTrustedPolicy(user: UserConfig, policy: ApprovalPolicy): UserConfig {
  const others = (user.trusted_approvers ?? []).filter(({ project }) => project !== policy.project);
  const now = recordOf(policy);
  return { ...user, trusted_approvers: now === null ? others : [...others, now] };
}

function recordOf({ project, approvers }: ApprovalPolicy): Trusted | null {
  if (approvers === null) return null;
  const { path, text, min } = approvers;
  return { project, signers: path, list: sha256(text), min };
}
