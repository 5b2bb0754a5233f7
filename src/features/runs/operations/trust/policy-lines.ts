import { quantityOf } from '../../../../kernel/text/quantity-of.js';
import { whyNoApprover } from '../../model/approvals/allowed-signers.js';
import type { Signer } from '../../model/approvals/allowed-signers.js';
import type { Approvers } from '../approving/approvers.js';

/**
 * Who approves, a line each, for people and for comparing. What a list can make up stands last on its line. Not safe
 * to print yet.
 * @param now milliseconds since 1970
 */
export function policyLines(
  { path, min, signers }: Pick<Approvers, 'path' | 'min' | 'signers'>,
  now: number,
): readonly string[] {
  return [
    `${quantityOf(min, 'signature')}${min === 1 ? '' : ' of different people'} of those in ${path}:`,
    ...signers.map((one) => signerLine(one, now)),
  ];
}

function signerLine(signer: Signer, now: number): string {
  const { fingerprint, keyType, isAuthority, names, principals, validAfter, validBefore } = signer;
  const why = whyNoApprover(signer, now);
  const notes = [
    ...(why === null ? [] : [`does not count: ${why}`]),
    ...(validAfter === null ? [] : [`from ${new Date(validAfter.at).toISOString()}`]),
    ...(validBefore === null ? [] : [`until ${new Date(validBefore.at).toISOString()}`]),
  ];
  const who = isAuthority ? `certifies ${principals}` : names.join(', ');
  return `${fingerprint} ${keyType} ${notes.length === 0 ? '' : `(${notes.join('; ')}) `}${who}`;
}
