import * as z from 'zod';

import { parseApprovalCode } from '../../model/approvals/approval-code.js';
import type { ApprovalStatement } from '../../model/approvals/approval-proof.js';
import { RUN_ID_PATTERN } from '../../../../plan/run-ids.js';
import { wordRunRefusal } from '../../model/run-refusals.js';
import { RUN_SCOPE, scopeOfStep } from '../../model/steps/instance-names.js';
import { agreeingInLog, isCodeVoid } from '../../model/run.js';
import type { Run, RunApproval } from '../../model/run.js';
import { readPrivateKey } from '../../../../host/files/private-key.js';
import { realFolder } from '../../../../host/files/folders.js';
import { PlanError } from '../../../../kernel/errors.js';
import { numbersAsText } from '../../../../kernel/json/numbers-as-text.js';
import { defineOperation } from '../../../../operations/operation.js';
import type { Context } from '../../../../operations/shared/context.js';
import type { Environment } from '../../../../operations/shared/environment.js';
import { field, text, toggle } from '../../../../operations/shared/fields.js';
import { RUNS } from '../../parts.js';
import { checkedPlan } from '../preflight.js';
import { keyPath, whoAgreed } from '../run-approvals.js';
import { peopleOf } from '../../model/approvals/allowed-signers.js';
import { isSamePerson } from '../../model/approvals/count-people.js';
import { approvalReport, approvedReport, signaturesFor } from './approval-report.js';
import { approvalReportSchema } from './approval-shape.js';
import type { ApprovalReport } from './approval-shape.js';
import { statementOf } from './approval-statement.js';
import { askedSteps, NO_STEPS } from './granted-steps.js';
import { approversOfRun } from './approvers.js';
import type { Approvers } from './approvers.js';
import { askedByCode, askedOfRun } from './find-asked.js';
import type { Asked } from './find-asked.js';
import { provenBySignature, provenByYes, notApproved } from './proving.js';
import type { Proven } from './proving.js';
import type { Signature } from './ssh-signature.js';

const inputSchema = z.strictObject({
  code: field(
    z.string(),
    'the code that `plan prepare`, `plan run` or a worker printed; with --sign, or the run’s id',
    {
      value: 'code',
    },
  ),
  step: text('the step of the run that is approved, with --sign', 'step'),
  steps: toggle('also approve the steps that ask and whose arguments are known, so that they ask no more'),
  sign: text('approve by a signature with this SSH key', 'key'),
  dryRun: toggle('only check whether it could be approved, and show what would run'),
  agreed: field(
    z.strictObject({ via: z.enum(['terminal', 'page']), shown: z.string() }).optional(),
    'for programs: what a person has been shown and has agreed to, and where',
    { hidden: true },
  ),
});

type ApproveInput = z.output<typeof inputSchema>;

/**
 * Approves a run, or a step of one, with its code and a person’s yes, or with a signature.
 * @throws PlanError E_PLAN_NOT_FOUND for a run that there is not; E_APPROVAL_NOT_FOUND, E_WRONG_WORKSPACE, E_APPROVAL_CONSUMED, E_APPROVAL_EXPIRED, in this order;
 *   WRONG_STATE after too many wrong codes, E_PLAN_HASH_MISMATCH, REFUSED without a person or a signature that counts
 */
export const approveRun = defineOperation({
  arguments: ['code'],
  input: inputSchema,
  output: approvalReportSchema,
  examples: [
    'plan approve K3F9-X2W8',
    'plan approve K3F9-X2W8 --steps',
    'plan approve run-k3f9x2w8 --sign ~/.ssh/id_ed25519',
    'plan approve K3F9X2W8 --dry-run',
  ],
  mutates: true,
  async run(context, input): Promise<ApprovalReport> {
    const asked = await findAsked(context, input);
    refuseUnlessOpen(context, asked);
    if (input.steps === true && asked.scope !== RUN_SCOPE)
      throw new PlanError('INVALID_INPUT', `this approves one step: ${asked.scope}`, {
        hint: { commandLine: 'Leave out --steps, which goes with the approval of a run.' },
      });
    const approvers = await approversOfRun(context, asked.log.run.prepared);
    // What runs is what is shown: the bytes in the log, digested anew.
    const { steps } = await checkedPlan(asked.log.run, true);
    const asking =
      asked.scope === RUN_SCOPE
        ? await askedSteps(asked.log.run.prepared, steps, input.steps === true)
        : NO_STEPS;
    const report = await approvalReport(asked, steps.root.plan, approvers, asking);
    if (input.dryRun === true) return report;
    const prove = async (what: Pick<Asked, 'log' | 'scope' | 'args_digest' | 'expires_at'>) => {
      const statement = newStatement(context, what, input);
      const agreeing = { given: input.agreed, report, approvers, statement };
      const proven =
        input.sign === undefined
          ? await provenByYes(context, agreeing)
          : await provenBySignature(context, { ...agreeing, key: input.sign });
      return { ...statement, ...proven };
    };
    const first = await prove(asked);
    if (approvers !== null) await refuseSecond(asked, first, { approvers, environment: context.environment });
    const grants: Approving[] = [];
    for (const { step, args_digest } of report.granted)
      grants.push({
        ...(await prove({ ...asked, scope: scopeOfStep(step), args_digest })),
        granted_with: first.approval,
      });
    return approvedReport(report, await append(asked, [first, ...grants]), approvers);
  },
  document: ({ text: _plan, parts: _forPeople, plan, args, granted, ...document }) => ({
    ...document,
    granted: granted.map((one) => ({ ...one, args: numbersAsText(one.args) })),
    plan: numbersAsText(plan),
    args: numbersAsText(args),
  }),
});

async function findAsked(
  context: Context,
  { code: given, step, sign, dryRun }: ApproveInput,
): Promise<Asked> {
  const runs = await context.part(RUNS);
  if (RUN_ID_PATTERN.test(given)) {
    const log = await runs.open(given);
    if (sign === undefined && dryRun !== true)
      throw new PlanError('REFUSED', `${given} is approved with its code, or with a signature`, {
        hint: {
          commandLine: '`plan approve CODE` takes the code that `plan prepare` printed; --sign KEY signs.',
        },
      });
    return askedOfRun(log, step);
  }
  const code = parseApprovalCode(given);
  if (code === null)
    throw new PlanError('INVALID_INPUT', 'this is neither a code nor a run', {
      hint: ['A code has eight letters and digits, such as K3F9-X2W8.'],
    });
  const { environment } = context;
  return askedByCode(runs, code, await readPrivateKey(keyPath(environment)), environment.now());
}

/** In the order in which wa looks. */
function refuseUnlessOpen(context: Context, { log, scope, isConsumed, expires_at, code_key }: Asked): void {
  const { run } = log;
  const { root } = run.prepared.workspace;
  const here = realFolder(context.projectFolder() ?? context.environment.workingFolder);
  if (root !== here)
    throw notApproved('E_WRONG_WORKSPACE', run.id, `it was prepared in ${root}`, 'Approve it there.');
  const isApproved =
    scope === 'run' &&
    run.approvals.some(
      (one) =>
        one.scope === 'run' && one.via !== 'ssh' && Date.parse(one.expires_at) >= context.environment.now(),
    );
  if (isConsumed || isApproved) throw approvedBefore(run, scope);
  if (Date.parse(expires_at) < context.environment.now())
    throw notApproved(
      'E_APPROVAL_EXPIRED',
      run.id,
      `it could be approved until ${expires_at}`,
      'Prepare it again.',
    );
  if (isCodeVoid(run, code_key))
    throw notApproved('WRONG_STATE', run.id, 'too many wrong codes were given', 'Prepare it again.');
}

/** What was agreed to before needs no other yes; its code counts once. */
function approvedBefore({ id, ended }: Run, scope: string): PlanError {
  const what = scope === 'run' ? id : `${scope} of ${id}`;
  return new PlanError('E_APPROVAL_CONSUMED', `${what} is already approved, and a code works once`, {
    hint: {
      commandLine:
        ended === null
          ? `\`plan run ${id}\` carries it out, \`plan runs show ${id}\` shows how far it is.`
          : `The run ${ended.outcome === 'aborted' ? 'was aborted' : ended.outcome}; \`plan runs show ${id}\` shows what it did.`,
    },
    details: { run: id },
  });
}

function newStatement(
  { environment }: Context,
  { log, scope, args_digest, expires_at }: Pick<Asked, 'log' | 'scope' | 'args_digest' | 'expires_at'>,
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

/** Of one person one signature counts. @throws PlanError E_APPROVAL_CONSUMED */
async function refuseSecond(
  { log, scope, args_digest }: Asked,
  { by }: Proven,
  { approvers, environment }: { readonly approvers: Approvers; readonly environment: Environment },
): Promise<void> {
  if (by === undefined) return;
  const { run } = log;
  const listed = peopleOf(approvers.signers);
  for (const before of signaturesFor(run, scope, args_digest)) {
    // What signed says more of who that was than the log.
    const who = await whoAgreed(before, { prepared: run.prepared, approvers, environment });
    if (isSamePerson(who ?? agreeingInLog(before), by, listed)) throw approvedBySame(run, before, by);
  }
}

function approvedBySame(run: Run, before: RunApproval, by: Signature): PlanError {
  const same = before.signer === by.signer ? '' : ', under this or another name';
  return notApproved(
    'E_APPROVAL_CONSUMED',
    run.id,
    `${before.signer ?? by.signer} has approved it before${same}`,
    'Somebody else may.',
  );
}

type Approving = ApprovalStatement & Proven & { readonly granted_with?: string };

/** @returns the first of these approvals, as the log has it now */
async function append({ log }: Asked, approvals: readonly [Approving, ...Approving[]]): Promise<RunApproval> {
  const outcomes = await log.append(
    approvals.map(({ run: _run, prepared: _prepared, args_digest, by, ...rest }) => ({
      type: 'run_approved',
      ...rest,
      ...(args_digest === null ? {} : { args_digest }),
      ...(by === undefined ? {} : { signer: by.signer, signer_key: by.key }),
    })),
  );
  const outcome = outcomes.find(({ refused }) => refused !== null);
  if (outcome?.refused != null)
    throw notApproved(
      codeOf(outcome.refused.code),
      log.run.id,
      wordRunRefusal(outcome.refused),
      `\`plan runs show ${log.run.id}\` shows how far it is.`,
    );
  const found = log.run.approvals.find(({ approval }) => approval === approvals[0].approval);
  if (found === undefined) throw new PlanError('INTERNAL', `the approval of ${log.run.id} is not in its log`);
  return found;
}

function codeOf(refusal: string): PlanError['code'] {
  if (refusal === 'expired') return 'E_APPROVAL_EXPIRED';
  return refusal === 'voided' || refusal === 'ended' ? 'WRONG_STATE' : 'E_APPROVAL_CONSUMED';
}
