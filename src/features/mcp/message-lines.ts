import { Transform } from 'node:stream';

import {
  isJSONRPCRequest,
  parseJSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

import { truncate } from '../../kernel/text/truncate.js';

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
  /** Ends a line. @returns the message that was handed on, if it is one */
  const end = (stream: Transform): JSONRPCMessage | null => {
    let handedOn: JSONRPCMessage | null = null;
    const { parts, length } = line;
    if (length > longest) {
      const { head, tail } = line;
      const message = `the message has more than ${longest} bytes`;
      refuse({ id: idOfLongLine(head, tail), code: INVALID_REQUEST, message });
    } else if (length > 0) {
      const bytes = Buffer.concat(parts);
      const read = readMessage(bytes);
      if (read.kind === 'problem') refuse(read.problem);
      if (read.kind === 'message') {
        handedOn = read.message;
        stream.push(Buffer.concat([bytes, Buffer.of(LINE_FEED)]));
      }
    }
    line = newLine();
    return handedOn;
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
      const last = end(this);
      void answered(last !== null && isJSONRPCRequest(last) ? last.id : null).then(() => done());
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

type ReadLine =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'empty' };

/** Reads a line as a message, or says what keeps it from being one. */
function readMessage(bytes: Buffer): ReadLine {
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.trim() === '') return { kind: 'empty' };
    value = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8';
    return {
      kind: 'problem',
      problem: { id: null, code: PARSE_ERROR, message: `the line is not JSON: ${why}` },
    };
  }
  try {
    const message = parseJSONRPCMessage(value);
    const problem = versionProblem(message);
    return problem === null ? { kind: 'message', message } : { kind: 'problem', problem };
  } catch {
    const message = Array.isArray(value)
      ? 'each line must be one message; batches are not supported'
      : 'the line is not a message of JSON-RPC 2.0';
    return { kind: 'problem', problem: { id: idOf(value), code: INVALID_REQUEST, message } };
  }
}

/** A connection keeps the generation of the protocol that it began with, but each request of 2026 says which version it is of. */
function versionProblem(message: JSONRPCMessage): Problem | null {
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
