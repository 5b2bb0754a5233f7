import { PlanError } from '../../../kernel/errors.js';
import { eventSchema, eventStampSchema, readEvent } from '../../../plan/events.js';
import type { PlanEvent } from '../../../plan/events.js';
import { jsonPath } from '../../../plan/invariants.js';
import { isNestedTooDeep, MAX_NESTING } from '../../../kernel/json/nesting.js';
import { checkLine, withChecksum } from './checked-line.js';

/**
 * Levels that an event lacks of what a reader takes: so much deeper can a part of it stand in the plan file,
 * which must be read as well.
 */
const LEVELS_TO_SPARE = 4;

/**
 * A line that was read: an event, or the reason why it is none. An event that a newer version may have written has what
 * places it in the order.
 */
export type EventLine = { readonly event: PlanEvent } | DamagedLine;

/** Why a line is no event. */
export interface DamagedLine {
  readonly damage: string;
  readonly unknown?: UnknownEvent;
}

/** What is legible of an event that this version cannot read. */
export interface UnknownEvent {
  readonly type: string;
  readonly replica: string;
  readonly clock: number;
}

/**
 * One event as it is appended: a newline, its JSON, a newline. The leading one keeps a torn line of a
 * crashed writer from swallowing this one. Its last member, `crc`, is the CRC-32 of the line's bytes before it.
 */
export function encodeEvent(event: PlanEvent): string {
  const { crc: _stale, ...members } = event;
  return `\n${withChecksum(JSON.stringify(members).slice(0, -1))}\n`;
}

/** A line to be appended, and its event as readers will see it. */
export interface ReadableLine {
  readonly line: string;
  readonly event: PlanEvent;
}

/**
 * Encodes an event and reads it back as any reader will: what cannot be read must not be acknowledged.
 * @throws PlanError INVALID_INPUT with what a reader would not take; nothing was written then
 */
export function encodeReadably(event: PlanEvent): ReadableLine {
  if (isNestedTooDeep(event, MAX_NESTING - LEVELS_TO_SPARE)) throw unreadable(event, 'it is nested too deep');
  const line = encodeOrRefuse(event);
  const read = decodeEvent(Buffer.from(line.slice(1, -1)));
  if ('event' in read) return { line, event: read.event };
  const issue = eventSchema.safeParse(event).error?.issues[0];
  const reason = issue === undefined ? read.damage : `${issue.message} at ${jsonPath(issue.path)}`;
  throw unreadable(event, reason);
}

/** The text of many megabytes may be longer than any string. */
function encodeOrRefuse(event: PlanEvent): string {
  try {
    return encodeEvent(event);
  } catch (cause) {
    if (cause instanceof RangeError) throw unreadable(event, 'its text is too long');
    throw cause;
  }
}

/** A line that is longer is written once: whoever has such a plan has the document or the file that it was made of. */
const MOST_WRITTEN_TWICE = 16 * 1024 * 1024;

/**
 * The lines of a new log. What makes the plan is in it twice, one after the other, so that no single byte can cost it;
 * readers pass over an event whose id they have read.
 */
export function twiceMade(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines;
  return first.length > MOST_WRITTEN_TWICE ? lines : [first, ...lines];
}

function unreadable({ type, at }: PlanEvent, reason: string): PlanError {
  return new PlanError('INVALID_INPUT', `this change cannot be kept, for nobody could read it: ${reason}`, {
    hint: 'Nothing was written. If it is a time, look at the clock of this machine.',
    details: { event: type, at },
  });
}

/**
 * Reads one line without its newline. A byte that was changed beside the event, where a newline stood, does
 * not cost the event. Never throws.
 */
export function decodeEvent(line: Buffer): EventLine {
  const whole = decodeExactly(line);
  if ('event' in whole) return whole;
  const inner = decodeExactly(line.subarray(line.indexOf('{'), line.lastIndexOf('}') + 1));
  return 'event' in inner ? inner : { ...whole, damage: `${whole.damage}${nameOf(line)}` };
}

function decodeExactly(line: Buffer): EventLine {
  const checked = checkLine(line);
  return 'damage' in checked ? checked : parseEvent(checked.text);
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
  const event = readEvent(value);
  if (event !== null) return { event };
  const stamp = eventStampSchema.safeParse(value);
  if (!stamp.success) return { damage: 'the line is no event' };
  const { type, replica, clock } = stamp.data;
  return {
    damage: `an event of type ${type} that this version cannot read; a newer frctl may have written it`,
    unknown: { type, replica, clock },
  };
}
