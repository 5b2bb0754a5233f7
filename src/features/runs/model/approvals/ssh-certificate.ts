import { fieldAt, fieldsIn, KEY_FIELDS } from './key-fields.js';

/** What is signed with, as a signature of SSH says it: a key, or a certificate of one. */
export interface SigningKey {
  /** The signature in the one form in which ssh-keygen writes it, so that it reads what was read here. */
  readonly armored: string;
  /** Of a certificate: everybody whom it names; null for a key. */
  readonly principals: readonly string[] | null;
  /** Of a certificate: whether it holds only under conditions, such as an address or a command. */
  readonly hasConditions: boolean;
}

const ARMOUR = /^-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]*)\s-----END SSH SIGNATURE-----/;
const PREAMBLE = 'SSHSIG';
const CERTIFICATE = '-cert-v01@openssh.com';

/**
 * Reads with what an SSH signature was made, before anybody has verified it (PROTOCOL.sshsig and PROTOCOL.certkeys of
 * OpenSSH). @returns null for what is no signature that can be read
 */
export function signingKeyOf(armored: string): SigningKey | null {
  const [, text] = ARMOUR.exec(armored) ?? [];
  const blob = Buffer.from(text ?? '', 'base64');
  if (blob.toString('latin1', 0, PREAMBLE.length) !== PREAMBLE) return null;
  const [key] = fieldsOf(blob, [PREAMBLE.length + 4]) ?? [];
  const said = key === undefined ? null : certified(key);
  return said === null ? null : { armored: armour(blob), ...said };
}

function armour(blob: Buffer): string {
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n');
}

function certified(key: Buffer): Omit<SigningKey, 'armored'> | null {
  const type = fieldsOf(key, [0])?.[0]?.toString('latin1') ?? '';
  if (KEY_FIELDS.has(type)) return { principals: null, hasConditions: false };
  const plain = type.endsWith(CERTIFICATE) ? type.slice(0, -CERTIFICATE.length) : '';
  const count = KEY_FIELDS.get(plain) ?? KEY_FIELDS.get(`${plain}@openssh.com`);
  if (count === undefined) return null;
  // Its type, a nonce and the key; a serial number and a kind; id and names; two times; conditions.
  const fields = fieldsOf(key, [...Array.from({ length: count + 1 }, () => 0), 12, 0, 16]);
  const [names, conditions] = fields?.slice(-2) ?? [];
  const principals = names === undefined ? null : fieldsIn(names);
  if (principals === null || conditions === undefined) return null;
  return {
    principals: principals.map((name) => name.toString('utf8')),
    hasConditions: conditions.length > 0,
  };
}

/** The fields at the beginning of bytes. @param skips bytes before each that are of none */
function fieldsOf(bytes: Buffer, skips: readonly number[]): readonly Buffer[] | null {
  const fields: Buffer[] = [];
  let at = 0;
  for (const skip of skips) {
    const field = fieldAt(bytes, at + skip);
    if (field === null) return null;
    fields.push(field);
    at += skip + 4 + field.length;
  }
  return fields;
}
