import { resolve } from 'node:path';

import * as z from 'zod';

import { previewText } from '../../../action-plans/preview.js';
import { parseApprovalCode } from '../../../execution/approvals/approval-code.js';
import { approvalProof, approvalText } from '../../../execution/approvals/approval-proof.js';
import type { ApprovalStatement } from '../../../execution/approvals/approval-proof.js';
import { RUN_ID_PATTERN } from '../../../execution/ids.js';
import { wordRunRefusal } from '../../../execution/run-refusals.js';
import { MOST_WRONG_CODES } from '../../../execution/run.js';
import type { RunApproval } from '../../../execution/run.js';
import { privateKey, readPrivateKey } from '../../../host/files/private-key.js';
import { realFolder } from '../../../host/files/folders.js';
import { signerOf, signWithSsh } from '../../../host/ssh-signature.js';
import { PlanError } from '../../../kernel/errors.js';
import { sha256 } from '../../../kernel/sha256.js';
import { defineOperation } from '../../operation.js';
import type { Context } from '../../shared/context.js';
import { field, text, toggle } from '../../shared/fields.js';
import { checkedPlan } from '../preflight.js';
import { keyPath } from '../run-approvals.js';
import { APPROVAL_NAMESPACE, statementOf } from './approval-statement.js';
import { trustedApprovers } from './approvers.js';
import type { Approvers } from './approvers.js';
import { askedByCode, askedOfRun } from './find-asked.js';
import type { Asked } from './find-asked.js';

const reportSchema = z.object({
  run: z.string(),
  scope: z.string().describe('`run`, or the step that is approved.'),
  approval: z.string().nullable().describe('Its id; null when nothing was approved.'),
  via: z.enum(['terminal', 'page', 'ssh']).nullable(),
  signer: z.string().nullable(),
  signatures: z
    .object({ given: z.number(), needed: z.number() })
    .nullable()
    .describe('Where signatures approve: how many of them there are now, and how many a start needs.'),
  expires_at: z.string(),
  digest: z.string().describe('Of the plan.'),
  tools_digest: z.string(),
  workspace: z.object({ id: z.string(), root: z.string() }),
  args_digest: z.string().nullable().describe('Of the arguments of the step.'),
  summary: z.string().nullable().describe('What the step asks.'),
  because: z.array(z.string()).readonly().describe('Why a person must agree.'),
  tools: z
    .array(z.object({ name: z.string(), effects: z.string(), binding: z.record(z.string(), z.unknown()) }))
    .readonly(),
  inputs: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).readonly(),
  shown: z.string().describe('The digest of all of this: whoever agrees agrees to just what was shown.'),
  commit_command: z.string(),
});

/** What is approved, or would be, and the plan for people. */
export interface ApprovalReport extends z.output<typeof reportSchema> {
  readonly text: string;
}

const inputSchema = z.strictObject({
  code: field(z.string(), 'the code that `plan prepare` or `plan run` printed; with --sign the run will do', {
    value: 'code',
  }),
  step: text('the step of the run that is approved, with --sign', 'step'),
  sign: text('approve by a signature with this SSH key', 'key'),
  dryRun: toggle('only look whether it could be approved, and show what would be'),
  agreed: field(
    z.strictObject({ via: z.enum(['terminal', 'page']), shown: z.string() }).optional(),
    'for programs: what a person has been shown and has agreed to, and where',
    { hidden: true },
  ),
});

type ApproveInput = z.output<typeof inputSchema>;

/**
 * Approves a run, or a step of one, with its code and a person’s yes, or with a signature.
 * @throws PlanError E_APPROVAL_NOT_FOUND, E_WRONG_WORKSPACE, E_APPROVAL_CONSUMED, E_APPROVAL_EXPIRED, in this order;
 *   WRONG_STATE after too many wrong codes, E_PLAN_HASH_MISMATCH, REFUSED without a person or a signature that counts
 */
export const approveRun = defineOperation({
  arguments: ['code'],
  input: inputSchema,
  output: reportSchema,
  examples: [
    'plan approve K3F9-X2W8',
    'plan approve run-k3f9x2w8 --sign ~/.ssh/id_ed25519',
    'plan approve K3F9X2W8 --dry-run',
  ],
  mutates: true,
  async run(context, input): Promise<ApprovalReport> {
    const asked = await findAsked(context, input);
    refuseUnlessOpen(context, asked);
    const approvers = await trustedApprovers(context);
    // What runs is what is shown: the bytes in the log, digested anew.
    const { steps } = await checkedPlan(asked.log.run, true);
    const report = reportOf(asked, previewText(steps.root.plan), approvers);
    if (input.dryRun === true) return report;
    const statement = newStatement(context, asked, input);
    const proven =
      input.sign === undefined
        ? await agreed(context, { input, report, approvers, statement })
        : await signed(context, { key: input.sign, approvers, statement });
    return approved(report, await append(asked, { ...statement, ...proven }), approvers);
  },
  document: ({ text: _forPeople, ...document }) => document,
});

async function findAsked(
  context: Context,
  { code: given, step, sign, dryRun }: ApproveInput,
): Promise<Asked> {
  const runs = await context.runs();
  if (RUN_ID_PATTERN.test(given)) {
    if (sign === undefined && dryRun !== true)
      throw new PlanError('REFUSED', `${given} is approved with its code, or with a signature`, {
        hint: '`plan approve CODE` takes the code that `plan prepare` printed; --sign KEY signs.',
      });
    return askedOfRun(await runs.open(given), step);
  }
  const code = parseApprovalCode(given);
  if (code === null)
    throw new PlanError('INVALID_INPUT', 'this is neither a code nor a run', {
      hint: 'A code has eight letters and digits, such as K3F9-X2W8.',
    });
  const { environment } = context;
  return askedByCode(runs, code, await readPrivateKey(keyPath(environment)), environment.now());
}

/** In the order in which wa looks. */
function refuseUnlessOpen(context: Context, { log, scope, isConsumed, expires_at }: Asked): void {
  const { run } = log;
  const { root } = run.prepared.workspace;
  const here = realFolder(context.projectFolder() ?? context.environment.workingFolder);
  if (root !== here)
    throw refused('E_WRONG_WORKSPACE', run.id, `it was prepared in ${root}`, 'Approve it there.');
  const isApproved =
    scope === 'run' &&
    run.approvals.some(
      (one) =>
        one.scope === 'run' && one.via !== 'ssh' && Date.parse(one.expires_at) >= context.environment.now(),
    );
  if (isConsumed || isApproved)
    throw refused(
      'E_APPROVAL_CONSUMED',
      run.id,
      `${scope === 'run' ? 'it' : scope} was approved before`,
      `\`plan runs show ${run.id}\` shows how far it is.`,
    );
  if (Date.parse(expires_at) < context.environment.now())
    throw refused(
      'E_APPROVAL_EXPIRED',
      run.id,
      `it could be approved until ${expires_at}`,
      'Prepare it again.',
    );
  if (run.wrong_codes >= MOST_WRONG_CODES)
    throw refused('WRONG_STATE', run.id, 'too many wrong codes were given', 'Prepare it again.');
}

function refused(code: PlanError['code'], run: string, why: string, hint: string): PlanError {
  return new PlanError(code, `${run} is not approved: ${why}`, { hint, details: { run } });
}

function newStatement(
  { environment }: Context,
  { log, scope, args_digest, expires_at }: Asked,
  { sign, agreed: by }: ApproveInput,
): ApprovalStatement {
  return statementOf(log.run.prepared, {
    approval: `approval-${environment.ids.eventId()}`,
    scope,
    args_digest,
    expires_at,
    via: sign === undefined ? (by?.via ?? 'terminal') : 'ssh',
  });
}

interface Proven {
  readonly proof: string;
  readonly signer?: string;
}

interface Agreeing {
  readonly input: ApproveInput;
  readonly report: ApprovalReport;
  readonly approvers: Approvers | null;
  readonly statement: ApprovalStatement;
}

/** @throws PlanError REFUSED where nobody has agreed to what was shown, or signatures are asked for */
async function agreed(
  { environment }: Context,
  { input, report, approvers, statement }: Agreeing,
): Promise<Proven> {
  if (approvers !== null)
    throw refused(
      'REFUSED',
      report.run,
      `${approvers.name} asks for signatures`,
      '--sign KEY approves with one.',
    );
  if (input.agreed === undefined)
    throw refused(
      'REFUSED',
      report.run,
      'a person has to agree on a terminal',
      'Run the command on a terminal: it shows what would run and asks.',
    );
  if (input.agreed.shown !== report.shown)
    throw refused('REFUSED', report.run, 'what was shown is not what would run', 'Look at it again.');
  return { proof: approvalProof(await privateKey(keyPath(environment)), statement) };
}

interface Signing {
  readonly key: string;
  readonly approvers: Approvers | null;
  readonly statement: ApprovalStatement;
}

/** @throws PlanError REFUSED for a signature that would not count */
async function signed({ environment }: Context, { key, approvers, statement }: Signing): Promise<Proven> {
  if (approvers === null)
    throw refused(
      'REFUSED',
      statement.run,
      'nobody is named whose signature counts',
      'Name an allowed-signers file with the setting `approval`, as docs/running.md shows.',
    );
  const about = {
    text: approvalText(statement),
    namespace: APPROVAL_NAMESPACE,
    variables: environment.variables,
  };
  const proof = await signWithSsh(
    resolve(environment.workingFolder, key.replace(/^~(?=\/)/, environment.homeFolder)),
    about,
  );
  const signer = await signerOf(proof, approvers.text, about);
  if (signer === null)
    throw refused(
      'REFUSED',
      statement.run,
      `${approvers.name} does not list the key ${key}`,
      'Sign with a key that it lists.',
    );
  return { proof, signer };
}

async function append({ log }: Asked, proven: ApprovalStatement & Proven): Promise<RunApproval> {
  const { run: _run, args_digest, ...rest } = proven;
  const [outcome] = await log.append([
    { type: 'run_approved', ...rest, ...(args_digest === null ? {} : { args_digest }) },
  ]);
  if (outcome?.refused != null)
    throw refused(
      codeOf(outcome.refused.code),
      log.run.id,
      wordRunRefusal(outcome.refused),
      `\`plan runs show ${log.run.id}\` shows how far it is.`,
    );
  const found = log.run.approvals.find(({ approval }) => approval === proven.approval);
  if (found === undefined) throw new PlanError('INTERNAL', `the approval of ${log.run.id} is not in its log`);
  return found;
}

function codeOf(refusal: string): PlanError['code'] {
  if (refusal === 'expired') return 'E_APPROVAL_EXPIRED';
  return refusal === 'voided' || refusal === 'ended' ? 'WRONG_STATE' : 'E_APPROVAL_CONSUMED';
}

function reportOf(
  { log, scope, args_digest, expires_at, summary }: Asked,
  plan: string,
  approvers: Approvers | null,
): ApprovalReport {
  const { run } = log;
  const { digest, tools_digest, workspace, tools, inputs, approval_because: because = [] } = run.prepared;
  const given = new Set(
    run.approvals
      .filter((one) => one.scope === scope && one.via === 'ssh' && !one.used)
      .map(({ signer }) => signer),
  );
  const report = {
    run: run.id,
    scope,
    approval: null,
    via: null,
    signer: null,
    signatures:
      approvers === null ? null : { given: given.size, needed: scope === 'run' ? approvers.min : 1 },
    expires_at,
    digest,
    tools_digest,
    workspace: { id: workspace.id, root: workspace.root },
    args_digest: args_digest ?? null,
    summary,
    because,
    tools: tools.map(({ name, effects, binding }) => ({ name, effects, binding })),
    inputs: inputs.map(({ path, sha256: hash }) => ({ path, sha256: hash })),
    commit_command: `plan run ${run.id}`,
    text: plan,
  };
  return { ...report, shown: sha256(JSON.stringify(report)) };
}

function approved(
  report: ApprovalReport,
  { approval, via, signer }: RunApproval,
  approvers: Approvers | null,
): ApprovalReport {
  const { signatures } = report;
  return {
    ...report,
    approval,
    via,
    signer: signer ?? null,
    signatures:
      approvers === null || signatures === null ? null : { ...signatures, given: signatures.given + 1 },
  };
}
