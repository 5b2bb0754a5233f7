import { createHash } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes, as 64 hexadecimal digits. Pure: hashing is no input or output. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
