import { crc32 } from 'node:zlib';

/** The end of a published plan file: the CRC-32 of its bytes before it. */
const SEAL = /,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/;
const SEAL_LENGTH = ',\n  "crc": "01234567"\n}\n'.length;

/**
 * The text of a plan file with its checksum as the last member, as it is published: whatever a merge or a
 * hand makes of it is no longer what was published.
 */
export function sealPlanFile(text: string): string {
  const body = text.slice(0, -'\n}\n'.length);
  return `${body},\n  "crc": "${checksum(Buffer.from(body))}"\n}\n`;
}

/** Whether the bytes of a plan file are, each of them, what was published. */
export function isSealed(bytes: Buffer): boolean {
  const seal = SEAL.exec(bytes.subarray(-SEAL_LENGTH).toString('latin1'));
  return seal !== null && checksum(bytes.subarray(0, bytes.length - SEAL_LENGTH)) === seal[1];
}

/** CRC-32 as eight hexadecimal digits. */
export function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
