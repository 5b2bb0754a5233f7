import { readPlainBytes } from '../../../host/files/plain-file.js';
import { errorCode } from '../../../host/files/storage-error.js';
import { isJsonObject, isJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { readYaml } from '../../../kernel/yaml.js';
import { MOST_BYTES } from '../../runs/runners/limits.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { propertiesEnd } from './links.js';

const MARK = '\uFEFF';

/** A text as a file has it: what is written over or added keeps its byte order mark and its line ends. */
export interface NoteText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Whether every line ends in CRLF. */
  readonly isCrlf: boolean;
}

/** Returns the bytes of a file; null where there is none. @throws RefusedCall VALIDATION_ERROR for one that is too large */
export async function bytesOf(path: string, name: string): Promise<Buffer | null> {
  try {
    return await readPlainBytes(path, MOST_BYTES);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw new RefusedCall(
      'VALIDATION_ERROR',
      `${name} is not a plain file, or has more than ${MOST_BYTES} bytes`,
    );
  }
}

/** Reads bytes as a text. @throws RefusedCall NOT_TEXT */
export function noteText(bytes: Buffer, name: string): NoteText {
  let all: string;
  try {
    all = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RefusedCall('NOT_TEXT', `${name} is not UTF-8 text`);
  }
  const hasMark = all.startsWith(MARK);
  const text = hasMark ? all.slice(1) : all;
  const feeds = text.split('\n').length - 1;
  return { text, hasMark, isCrlf: feeds > 0 && text.split('\r\n').length - 1 === feeds };
}

/** Returns a text with the line ends of a file. */
export function withLineEnds(text: string, like: Pick<NoteText, 'isCrlf'> | null): string {
  return like?.isCrlf === true ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** Returns the bytes of a text, with the byte order mark that a file has. */
export function bytesOfText(text: string, like: Pick<NoteText, 'hasMark'> | null): Buffer {
  return Buffer.from(like?.hasMark === true ? MARK + text : text, 'utf8');
}

/** Returns the properties of a note; null where it has none, or they cannot be read. */
export function frontmatterOf(text: string): JsonObject | null {
  const end = propertiesEnd(text);
  if (end === 0) return null;
  const lines = text.slice(0, end).trimEnd().split(/\r?\n/).slice(1, -1).join('\n');
  const read = readYaml(lines, 0);
  return 'value' in read && isJsonObject(read.value) && isJsonValue(read.value) ? read.value : null;
}
