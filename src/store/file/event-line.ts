import { crc32 } from 'node:zlib';

import { eventSchema, eventStampSchema } from '../../plan/events.js';
import type { PlanEvent } from '../../plan/events.js';
import { isNestedTooDeep } from '../../plan/nesting.js';

/** A line that was read: an event, or the reason why it is none. */
export type EventLine = { readonly event: PlanEvent } | { readonly damage: string };

const CRC_PATTERN = /,"crc":"([0-9a-f]{8})"\}\r?$/;
const CRC_LENGTH = ',"crc":"01234567"}'.length;

/**
 * One event as it is appended: a newline, its JSON, a newline. The leading one keeps a torn line of a
 * crashed writer from swallowing this one. Its last member, `crc`, is the CRC-32 of the line's bytes before it.
 */
export function encodeEvent(event: PlanEvent): string {
  const { crc: _stale, ...members } = event;
  const body = JSON.stringify(members).slice(0, -1);
  return `\n${body},"crc":"${checksum(Buffer.from(body))}"}\n`;
}

/**
 * Reads one line without its newline. A byte that was changed beside the event, where a newline stood, does
 * not cost the event. Never throws.
 */
export function decodeEvent(line: Buffer): EventLine {
  const whole = decodeExactly(line);
  if ('event' in whole) return whole;
  const inner = decodeExactly(line.subarray(line.indexOf('{'), line.lastIndexOf('}') + 1));
  return 'event' in inner ? inner : { damage: `${whole.damage}${nameOf(line)}` };
}

function decodeExactly(line: Buffer): EventLine {
  const tail = line.subarray(Math.max(0, line.length - CRC_LENGTH - 1)).toString('latin1');
  const crc = CRC_PATTERN.exec(tail);
  if (crc === null) return { damage: 'the line is cut off or is no event' };
  const body = line.subarray(0, line.length - crc[0].length);
  if (checksum(body) !== crc[1]) return { damage: 'the line’s checksum does not fit its text' };
  return parseEvent(`${body.toString('utf8')}}`);
}

/** What is still legible of a damaged line: which event it was. */
function nameOf(line: Buffer): string {
  const text = line.subarray(0, 2000).toString('utf8');
  const parts = ['id', 'at', 'by', 'type', 'goal'].flatMap((name) => {
    const value = new RegExp(`"${name}":"([^"\\\\]{1,64})"`).exec(text)?.[1];
    return value === undefined ? [] : [`${name} ${value}`];
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function parseEvent(text: string): EventLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { damage: 'the line is not JSON' };
  }
  if (isNestedTooDeep(value)) return { damage: 'the line is nested too deep' };
  const parsed = eventSchema.safeParse(value);
  if (parsed.success) return { event: parsed.data };
  const stamp = eventStampSchema.safeParse(value);
  return {
    damage: stamp.success
      ? `an event of type ${stamp.data.type} that this version cannot read; a newer frctl may have written it`
      : 'the line is no event',
  };
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
