import process from 'node:process';

/**
 * SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 hexadecimal digits. Pure: hashing is no input or output. Node's cryptography is
 * loaded when something is first hashed, for that takes a tenth of what a short command may take.
 */
export function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex');
}
