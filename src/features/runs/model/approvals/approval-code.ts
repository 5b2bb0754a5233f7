import { createHmac, timingSafeEqual } from 'node:crypto';

/** Crockford's base32: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Bytes of chance that a code is made of. */
export const CODE_BYTES = 5;

/** What a code approves: a run, or one instance of a step with just these arguments. */
export interface CodeScope {
  readonly run: string;
  /** `run`, or an instance. */
  readonly scope: string;
  /** Of the arguments of the instance; empty for the run. */
  readonly args_digest: string;
}

/** A code of 40 bits, as it is shown once. @param bytes five of them, from a source that cannot be guessed */
export function approvalCode(bytes: Uint8Array): string {
  const number = bytes.slice(0, CODE_BYTES).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const digits = Array.from({ length: LENGTH }, (_one, index) =>
    Number((number >> BigInt(5 * (LENGTH - 1 - index))) & 31n),
  );
  return digits.map((digit) => ALPHABET.charAt(digit)).join('');
}

/**
 * The code that somebody typed: in any case, with hyphens and spaces, O for 0 and I or L for 1.
 * @returns null for what is no code
 */
export function parseApprovalCode(text: string): string | null {
  if (text.length > 40) return null;
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return CODE.test(plain) ? plain : null;
}

/** What is stored of a code: a keyed hash that says nothing without the key. In hex. */
export function storedCode(key: Uint8Array, code: string, { run, scope, args_digest }: CodeScope): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['frctl/approval-code/1', run, scope, args_digest, code]))
    .digest('hex');
}

/** What tells the codes of one key from those of another, and says nothing of the key. 32 hexadecimal digits. */
export function codeKeyId(key: Uint8Array): string {
  return createHmac('sha256', key).update('frctl/approval-code-key/1').digest('hex').slice(0, 32);
}

/** Whether a code is the one of which this is stored, in a time that does not tell how much of it is right. */
export function isStoredCode(key: Uint8Array, code: string, scope: CodeScope, stored: string): boolean {
  return isEqualInConstantTime(storedCode(key, code, scope), stored);
}

/** Whether two texts of hexadecimal digits are the same, in constant time. */
export function isEqualInConstantTime(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'hex'), Buffer.from(given, 'hex')];
  return a.length === b.length && given.length === expected.length && timingSafeEqual(a, b);
}
