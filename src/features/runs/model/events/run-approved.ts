import * as z from 'zod';

import { countPeople, isSamePerson } from '../approvals/count-people.js';
import {
  agreeingInLog,
  approvalsOfStep,
  instanceInRun,
  isCodeVoid,
  noLongerWaiting,
  withInstance,
} from '../run.js';
import type { Run, RunApproval } from '../run.js';
import { RUN_SCOPE, stepOfScope } from '../steps/instance-names.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import type { RunTransition } from './define-run-event.js';
import { hash, time } from './run-fields.js';

/** A person agrees to the run, or to one step of it. Whether the proof holds is for whoever starts the run to find out. */
export const runApproved = defineRunChange({
  type: 'run_approved',
  fields: {
    approval: z.string().min(1).max(64).describe('Its id.'),
    digest: z.string(),
    tools_digest: z.string(),
    workspace: z.looseObject({ id: z.string(), root: z.string() }),
    scope: z.string().min(1).describe('`run`, or an instance of a step.'),
    args_digest: hash.optional().describe('Of the arguments that a step was approved with.'),
    granted_with: z
      .string()
      .optional()
      .describe('Of a step that was approved before it asked: the approval of the run that grants it.'),
    via: z.enum(['terminal', 'page', 'ssh']),
    signer: z.string().optional(),
    signer_key: z.string().optional().describe('The fingerprint of the key that signed: `SHA256:…`.'),
    expires_at: time,
    proof: z.string().min(1),
  },
  apply(run, event) {
    const approval: RunApproval = {
      approval: event.approval,
      scope: event.scope,
      via: event.via,
      signer: event.signer,
      signer_key: event.signer_key,
      at: event.at,
      by: event.by,
      expires_at: event.expires_at,
      args_digest: event.args_digest,
      granted_with: event.granted_with,
      proof: event.proof,
      used: false,
    };
    const asked = event.granted_with === undefined ? event.scope : RUN_SCOPE;
    if (isCodeVoid(run, keyOfCode(run, asked))) return refuseRunEvent({ code: 'voided' });
    const { digest, tools_digest, workspace } = run.prepared;
    if (event.digest !== digest) return refuseRunEvent({ code: 'other_digest', of: 'plan' });
    if (event.tools_digest !== tools_digest) return refuseRunEvent({ code: 'other_digest', of: 'tools' });
    if (event.workspace.id !== workspace.id || event.workspace.root !== workspace.root)
      return refuseRunEvent({ code: 'other_digest', of: 'workspace' });
    if (event.scope === RUN_SCOPE) return ofRun(run, approval);
    return event.granted_with === undefined ? ofStep(run, approval) : granted(run, approval);
  },
  describe: ({ scope, via, signer }) =>
    `${scope === 'run' ? 'approved' : `approved ${scope}`} (${signer === undefined ? via : `${via}, ${signer}`})`,
});

/** Whose key has drawn the code that a scope was asked about with. */
function keyOfCode({ prepared, waiting }: Run, scope: string): string | undefined {
  if (scope === RUN_SCOPE) return prepared.code_key;
  return waiting.find(({ step }) => step === stepOfScope(scope))?.code_key;
}

function ofRun(run: Run, approval: RunApproval): RunTransition {
  if (run.executor !== null) return refuseRunEvent({ code: 'run_taken' });
  const { expires_at } = run.prepared;
  if (Date.parse(expires_at) < Date.parse(approval.at))
    return refuseRunEvent({ code: 'expired', expires_at });
  const isLive = (one: RunApproval) =>
    one.scope === 'run' &&
    isSamePerson(agreeingInLog(one), agreeingInLog(approval)) &&
    !one.used &&
    Date.parse(one.expires_at) >= Date.parse(approval.at);
  if (run.approvals.some(isLive)) return refuseRunEvent({ code: 'approval_exists', scope: 'run' });
  return acceptRunEvent({ ...run, approvals: [...run.approvals, approval] });
}

/** A step is granted before it asks, with the approval of the run and by whoever gave that. */
function granted(run: Run, approval: RunApproval): RunTransition {
  if (run.executor !== null) return refuseRunEvent({ code: 'run_taken' });
  const isGiven = run.approvals.some(
    (one) =>
      one.approval === approval.granted_with &&
      one.scope === RUN_SCOPE &&
      !one.used &&
      isSamePerson(agreeingInLog(one), agreeingInLog(approval)),
  );
  if (!isGiven || approval.args_digest === undefined) return refuseRunEvent({ code: 'not_approved' });
  return acceptRunEvent({ ...run, approvals: [...run.approvals, { ...approval, used: true }] });
}

/** What is asked decides what was agreed to: to begin with the step, or to go on after it failed. */
function ofStep(run: Run, approval: RunApproval): RunTransition {
  const step = stepOfScope(approval.scope);
  const asked = run.waiting.find((one) => one.step === step && one.for === 'approval');
  if (asked === undefined) return refuseRunEvent({ code: 'not_waiting', step });
  if (asked.expires_at !== undefined && Date.parse(asked.expires_at) < Date.parse(approval.at))
    return refuseRunEvent({ code: 'expired', expires_at: asked.expires_at });
  if (asked.args_digest !== approval.args_digest) return refuseRunEvent({ code: 'other_digest', of: 'plan' });
  const instance = instanceInRun(run, step);
  const phase = instance.state === 'failed' ? 'after' : 'before';
  const ids = [...instance.approved[phase], approval.approval];
  const approved = { ...instance.approved, [phase]: ids };
  const approvals = [...run.approvals, { ...approval, used: true }];
  const next = withInstance({ ...run, approvals }, step, { approved });
  const given = approvalsOfStep(next, step, phase, asked.args_digest);
  const people = countPeople(given.map(agreeingInLog));
  return acceptRunEvent(people < asked.needed ? next : noLongerWaiting(next, step));
}
