import { crc32 } from 'node:zlib';

/** The end of a published plan file: the CRC-32 of its bytes before it. */
const CHECKSUM = /,\n {2}"crc": "([0-9a-f]{8})"\n\}\n$/;
const CHECKSUM_LENGTH = ',\n  "crc": "01234567"\n}\n'.length;

/** Characters of a piece. */
const PIECE_LENGTH = 1 << 16;

/**
 * A plan file with its checksum as the last member, as it is published: whatever a merge or a hand makes of it
 * is no longer what was published.
 * @param pieces the text in pieces, without its last brace
 * @returns the bytes in pieces, of which few are small
 */
export function* withFileChecksum(
  pieces: Generator<string> | readonly string[],
): Generator<Buffer, void, undefined> {
  let crc = 0;
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_LENGTH) continue;
    const bytes = bytesOf(text);
    crc = crc32(bytes, crc);
    text = '';
    yield bytes;
  }
  yield bytesOf(`${text},\n  "crc": "${digits(crc32(bytesOf(text), crc))}"\n}\n`);
}

/** Whether the bytes of a plan file are, each of them, what was published. */
export function hasFittingChecksum(bytes: Buffer): boolean {
  const found = CHECKSUM.exec(bytes.subarray(-CHECKSUM_LENGTH).toString('latin1'));
  return found !== null && checksum(bytes.subarray(0, bytes.length - CHECKSUM_LENGTH)) === found[1];
}

/** Whether git merged a plan file by union: both sides' checksums stand in it, a line each. */
export function isUnionMerge(text: string): boolean {
  return (text.match(/^ {2}"crc": "[0-9a-f]{8}"\r?$/gm) ?? []).length > 1;
}

/** CRC-32 as eight hexadecimal digits. */
export function checksum(bytes: Buffer): string {
  return digits(crc32(bytes));
}

function digits(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** UTF-8. A text with a byte a character is plain ASCII, which is copied several times as fast as it is encoded. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8');
}
