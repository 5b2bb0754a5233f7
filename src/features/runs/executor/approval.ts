import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { RunPayloadOf } from '../model/run-events.js';
import { scopeOfStep } from '../model/steps/instance-names.js';
import type { FileState } from '../model/tool.js';
import type { StepInstance } from './step-instance.js';
import { argsDigest } from './arguments.js';
import { storedArgs } from './call-tool.js';
import { Halted } from './session.js';
import type { Session } from './session.js';

/**
 * Goes on only when people have given their approval of the step with just these arguments, where they must.
 * @throws Halted
 */
export async function refuseUnapproved(
  session: Session,
  { step, name }: StepInstance,
  args: JsonObject,
): Promise<void> {
  if (!step.step.requires_approval) return;
  const tool = step.nested === null ? session.toolbox.tools.get(step.step.tool) : undefined;
  const files = (await tool?.named?.({ args, later: new Set() })) ?? [];
  const named = files.map(({ path, sha256 }) => ({ path, sha256 }));
  const digest = argsDigest(args, named);
  if (await isAgreedTo(session, name, 'before', digest)) return;
  await askForApproval(session, name, `${name} needs approval: ${step.step.tool}`, { args, named, digest });
}

/** Whether a step has the approval of enough people, to begin with it or to go on after it failed. */
export async function isAgreedTo(
  session: Session,
  name: string,
  phase: 'before' | 'after',
  digest: string | undefined,
): Promise<boolean> {
  const ids = session.instance(name).approved[phase];
  const given = session.log.run.approvals.filter(
    (one) => ids.includes(one.approval) && one.scope === scopeOfStep(name) && one.args_digest === digest,
  );
  return session.approvals === undefined ? given.length > 0 : session.approvals.areEnough(given);
}

/**
 * Ends the executor with a question to a person.
 * @param call what the step would be called with, the files that this names, and the digest of both; undefined where it is not about a call
 * @throws Halted, always
 */
export async function askForApproval(
  session: Session,
  name: string,
  summary: string,
  call:
    { readonly args: JsonObject; readonly named: readonly FileState[]; readonly digest: string } | undefined,
): Promise<never> {
  const { args, named = [], digest } = call ?? {};
  const asked = await session.approvals?.ask(scopeOfStep(name), digest ?? '');
  const drawn = asked?.drawn ?? undefined;
  const note = asked?.note ?? undefined;
  const ask: RunPayloadOf<'waiting'> = {
    type: 'waiting',
    step: name,
    for: 'approval',
    summary: note === undefined ? summary : `${summary} (${note})`,
    // Nothing is left out of what a person is asked about: what is not shown runs all the same.
    ...(args === undefined ? {} : await storedArgs(session, args)),
    ...(named.length === 0 ? {} : { named: named.map((one) => ({ ...one })) }),
    ...(digest === undefined ? {} : { args_digest: digest }),
    ...(asked === undefined ? {} : { expires_at: asked.expires_at }),
    ...(drawn === undefined ? {} : { code: drawn.stored, code_key: drawn.key }),
    ...(session.approvals === undefined ? {} : { needed: session.approvals.needed }),
  };
  if (drawn !== undefined)
    session.emit({
      type: 'approval_asked',
      step: name,
      summary,
      code: drawn.code,
      expires_at: drawn.expires_at,
    });
  throw new Halted('waiting', [ask]);
}
