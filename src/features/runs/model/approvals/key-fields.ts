/** How many fields the public keys have that OpenSSH signs with, their type among them. */
export const KEY_FIELDS: ReadonlyMap<string, number> = new Map([
  ['ssh-ed25519', 2],
  ['ssh-rsa', 3],
  ['ecdsa-sha2-nistp256', 3],
  ['ecdsa-sha2-nistp384', 3],
  ['ecdsa-sha2-nistp521', 3],
  ['sk-ssh-ed25519@openssh.com', 3],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 4],
]);

/** All fields of bytes in SSH’s wire format, each behind its length; null for bytes that are not such. */
export function fieldsIn(bytes: Buffer): readonly Buffer[] | null {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const field = fieldAt(bytes, at);
    if (field === null) return null;
    fields.push(field);
    at += 4 + field.length;
  }
  return fields;
}

/** The field that begins at a place with its length; null where it is cut off. */
export function fieldAt(bytes: Buffer, at: number): Buffer | null {
  if (at + 4 > bytes.length) return null;
  const end = at + 4 + bytes.readUInt32BE(at);
  return end > bytes.length ? null : bytes.subarray(at + 4, end);
}
