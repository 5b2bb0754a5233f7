import { checksum } from './checksum.js';

const CRC_PATTERN = /,"crc":"([0-9a-f]{8})"\}\r?$/;
const CRC_LENGTH = ',"crc":"01234567"}'.length;

/** More than any event has, and less than the longest text there can be. A longer line is damage. */
export const MOST_LINE_BYTES = 256 * 1024 * 1024;
const TOO_LONG = 'the line is longer than any event';
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** How a line begins that this program writes. */
const BEGINNING = '{"id":"';
/** What the end of a line looks like, and of how many bytes so much must be there that it was once whole. */
const END_TEMPLATE = ',"crc":"hhhhhhhh"}';
const LEAST_ALIKE = 12;

/** The JSON of a line of an event log, without its checksum, when that fits; else what is wrong. */
export type CheckedLine = { readonly text: string } | { readonly damage: string };

/** Checks a line, without its newline, against the checksum at its end. */
export function checkLine(line: Buffer): CheckedLine {
  if (line.length > MOST_LINE_BYTES) return { damage: TOO_LONG };
  const tail = line.subarray(Math.max(0, line.length - CRC_LENGTH - 1)).toString('latin1');
  const crc = CRC_PATTERN.exec(tail);
  if (crc === null) return { damage: 'the line is cut off or is not an event' };
  const body = line.subarray(0, line.length - crc[0].length);
  if (checksum(body) !== crc[1]) return { damage: 'the line’s checksum does not fit its text' };
  return { text: `${body.toString('utf8')}}` };
}

/** Whether the checksum at the end of a line fits; quicker than {@link checkLine}, which also makes its text. */
export function isIntact(line: Buffer): boolean {
  const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
  const start = end - CRC_LENGTH;
  if (start < 0 || line.length > MOST_LINE_BYTES) return false;
  const crc = CRC_PATTERN.exec(line.toString('latin1', start, end));
  return crc !== null && checksum(line.subarray(0, start)) === crc[1];
}

/**
 * Whether a line that is no event is what a writer left that was stopped, so that its change was never acknowledged:
 * the beginning of a line and nothing that looks like its end. Of what is not sure it is not said.
 */
export function isTorn(line: Buffer): boolean {
  if (line.toString('latin1', 0, BEGINNING.length) !== BEGINNING) return false;
  const end = line.toString('latin1', Math.max(0, line.length - CRC_LENGTH - 1));
  const tail = end.replace(/\r$/, '').slice(-CRC_LENGTH);
  const alike = Array.from(END_TEMPLATE).filter((wanted, index) =>
    wanted === 'h' ? /[0-9a-f]/.test(tail[index] ?? '') : tail[index] === wanted,
  ).length;
  return alike < LEAST_ALIKE && !line.some((byte) => byte < SPACE && byte !== CARRIAGE_RETURN);
}

/** What a damaged line is known by wherever it stands: the checksum of its bytes, and how many they are. */
export function lineFingerprint(line: Buffer): string {
  const whole = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
  return `${checksum(whole)}-${whole.length}`;
}

/** A line of a log as it can be checked: from the text of its event up to the closing brace, with its checksum. */
export function withChecksum(body: string): string {
  return `${body},"crc":"${checksum(Buffer.from(body))}"}`;
}
