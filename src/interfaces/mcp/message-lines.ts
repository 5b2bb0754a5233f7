import { Transform } from 'node:stream';
import { truncate } from '../../kernel/text/truncate.js';

import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';

/** The codes of JSON-RPC for what is no message. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** What MCP adds to them, for a request of a version that the server does not speak. */
const UNSUPPORTED_VERSION = -32_022;
/** The versions that a request can name; those before them are agreed upon once, in a handshake. */
const NAMED_VERSIONS = ['2026-07-28'];

/** How much of the beginning and the end of a line that is too long is kept, to find whose it is. */
const KEPT_BYTES = 1024;
const LINE_FEED = 10;

type MessageId = string | number | null;

export interface MessageLinesOptions {
  /** The most bytes of a line. */
  readonly longest: number;
  /** Takes the answer to what is no message, or one that is too long. */
  readonly reply: (message: object) => void;
  /** Resolves when a request was answered, by its id, or it has taken too long; with null at once. */
  readonly answered: (id: string | number | null) => Promise<void>;
}

/**
 * Hands on the lines that are messages of JSON-RPC, each whole, and answers all others. A line that is too long is dropped while it
 * comes, so that it costs neither memory nor time, and the next one counts again. Empty lines are nothing.
 */
export function createMessageLines({ longest, reply, answered }: MessageLinesOptions): Transform {
  let line = newLine();
  const refuse = ({ id, ...error }: Problem) => reply({ jsonrpc: '2.0', id, error });
  const end = (stream: Transform): void => {
    const { parts, length } = line;
    if (length > longest) {
      const { head, tail } = line;
      const message = `the message has more than ${longest} bytes`;
      refuse({ id: idOfLongLine(head, tail), code: INVALID_REQUEST, message });
    } else if (length > 0) {
      const bytes = Buffer.concat(parts);
      const wrong = problemOf(bytes);
      if (wrong === null) stream.push(Buffer.concat([bytes, Buffer.of(LINE_FEED)]));
      else if (wrong !== 'empty') refuse(wrong);
    }
    line = newLine();
  };
  return new Transform({
    transform(this: Transform, chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
        addPart(line, chunk.subarray(start, at), longest);
        end(this);
        start = at + 1;
      }
      addPart(line, chunk.subarray(start), longest);
      done();
    },
    // The last line may lack its line feed. Whoever reads the stream answers nothing any more once it has ended.
    flush(this: Transform, done) {
      const last = Buffer.concat(line.parts);
      const isWaitedFor = line.length <= longest && problemOf(last) === null;
      end(this);
      if (isWaitedFor) void answered(requestOf(last)).then(() => done());
      else done();
    },
  });
}

/** A line that is being read. */
interface Line {
  /** All of it, while it is not too long. */
  parts: Buffer[];
  length: number;
  head: Buffer;
  /** Of one that is too long, its last bytes so far. */
  tail: Buffer;
}

function newLine(): Line {
  return { parts: [], length: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) };
}

function addPart(line: Line, part: Buffer, longest: number): void {
  const wasLong = line.length > longest;
  line.length += part.length;
  if (line.length <= longest) {
    if (part.length > 0) line.parts.push(part);
    return;
  }
  if (!wasLong) {
    line.head = Buffer.concat([...line.parts, part]).subarray(0, KEPT_BYTES);
    line.parts = [];
  }
  line.tail = Buffer.concat([line.tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
}

interface Problem {
  readonly id: MessageId;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What keeps a line from being a message; null for one that is a message. */
function problemOf(bytes: Buffer): Problem | 'empty' | null {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return 'empty';
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8';
    return { id: null, code: PARSE_ERROR, message: `the line is no JSON: ${why}` };
  }
  try {
    return versionProblem(parseJSONRPCMessage(value));
  } catch {
    return {
      id: idOf(value),
      code: INVALID_REQUEST,
      message: Array.isArray(value)
        ? 'a line is one message; several at once are none of this protocol'
        : 'the line is no message of JSON-RPC 2.0',
    };
  }
}

/** A connection keeps the generation of the protocol that it began with, but each request of 2026 says which version it is of. */
function versionProblem(message: ReturnType<typeof parseJSONRPCMessage>): Problem | null {
  if (!isJSONRPCRequest(message)) return null;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || NAMED_VERSIONS.includes(requested)) return null;
  return {
    id: message.id,
    code: UNSUPPORTED_VERSION,
    message: `Unsupported protocol version: ${truncate(requested, 100)}`,
    data: { supported: NAMED_VERSIONS, requested },
  };
}

/** The id of a message that is a request; null for any other. */
function requestOf(bytes: Buffer): MessageId {
  const message = parseJSONRPCMessage(JSON.parse(bytes.toString()));
  return isJSONRPCRequest(message) ? message.id : null;
}

function idOf(value: unknown): MessageId {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** An id that stands before everything that can hold another, and one that stands last. */
const FIRST_ID =
  /^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*,/;
const LAST_ID = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Whose request a line is that was not read as a whole. */
function idOfLongLine(head: Buffer, tail: Buffer): MessageId {
  const found = FIRST_ID.exec(head.toString())?.[1] ?? LAST_ID.exec(tail.toString())?.[1];
  if (found === undefined) return null;
  return found.startsWith('"') ? found.slice(1, -1) : Number(found);
}
