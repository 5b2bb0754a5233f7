import type { RunPayloadOf } from '../run-events.js';
import type { AtPlace } from './at-place.js';
import { Halted } from './session.js';
import type { Session } from './session.js';

/** Goes on only when a person has agreed to the step with just these arguments, where one must. @throws Halted */
export async function refuseUnapproved(
  session: Session,
  { step, name }: AtPlace,
  digest: string,
): Promise<void> {
  if (!step.step.requires_approval) return;
  const { before } = session.instance(name).approved;
  const given = session.log.run.approvals.find((one) => one.approval === before && one.scope === name);
  const isGiven =
    given !== undefined &&
    given.args_digest === digest &&
    (session.approvals === undefined || (await session.approvals.confirms(given)));
  if (!isGiven) await askForApproval(session, name, `${name} needs approval: ${step.step.tool}`, digest);
}

/** Ends the executor with a question to a person. @throws Halted, always */
export async function askForApproval(
  session: Session,
  name: string,
  summary: string,
  digest: string | undefined,
): Promise<never> {
  const asked = await session.approvals?.ask(name, digest ?? '');
  const ask: RunPayloadOf<'waiting'> = {
    type: 'waiting',
    step: name,
    for: 'approval',
    summary,
    ...(digest === undefined ? {} : { args_digest: digest }),
    ...(asked === undefined ? {} : { code: asked.stored, expires_at: asked.expires_at }),
  };
  if (asked !== undefined)
    session.emit({
      type: 'approval_asked',
      step: name,
      summary,
      code: asked.code,
      expires_at: asked.expires_at,
    });
  throw new Halted('waiting', [ask]);
}
