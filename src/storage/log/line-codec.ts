import type * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { isNestedTooDeep, MAX_NESTING } from '../../kernel/json/nesting.js';
import { jsonPath } from '../../plan/invariants.js';
import type { EventStamp } from '../../plan/events/stamp.js';
import { checkLine, withChecksum } from './checked-line.js';
import { IN_OUR_WORDS } from '../../kernel/word-issue.js';

/**
 * Levels that an event lacks of what a reader takes: so much deeper can a part of it be in the plan file,
 * which must be read as well.
 */
const LEVELS_TO_SPARE = 4;

/**
 * A line that was read: an event, or the reason why it is none. An event that a newer version may have written has what
 * places it in the order.
 */
export type Line<Event> = { readonly event: Event } | DamagedLine;

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

/** A line to be appended, and its event as readers will see it. */
export interface WrittenLine<Event> {
  readonly line: string;
  readonly event: Event;
}

/** How the events of a log are written and read, whatever they are events of. */
export interface LineCodec<Event> {
  /**
   * One event as it is appended: a newline, its JSON, a newline. The leading one keeps a torn line of a
   * crashed writer from swallowing this one. Its last member, `crc`, is the CRC-32 of the line's bytes before it.
   */
  encode(this: void, event: Event): string;
  /**
   * Encodes an event and reads it back as any reader will: what cannot be read must not be acknowledged.
   * @throws PlanError INVALID_INPUT with what a reader would not take; nothing was written then
   */
  encodeReadably(this: void, event: Event): WrittenLine<Event>;
  /**
   * Reads one line without its newline. A byte that was changed beside the event, where a newline stood, does
   * not cost the event. Never throws.
   */
  decode(this: void, line: Buffer): Line<Event>;
}

/** What tells the events of a log apart from anything else. */
export interface EventSchemas<Event> {
  /** The event that a value is; null where it is none. It need not make the schemas of all. */
  read(this: void, value: unknown): Event | null;
  /** Of all events together, to say what is wrong with one. */
  readonly event: z.ZodType<Event>;
  /** The stamp alone: what is legible of an event whose type a newer version added. */
  readonly stamp: z.ZodType<UnknownEvent>;
}

/** Makes the codec of a log. */
export function createLineCodec<Event extends EventStamp & { readonly type: string }>(
  schemas: EventSchemas<Event>,
): LineCodec<Event> {
  return { encode, encodeReadably, decode };

  function encode(event: Event): string {
    const { crc: _stale, ...members }: Event & { readonly crc?: unknown } = event;
    return `\n${withChecksum(JSON.stringify(members).slice(0, -1))}\n`;
  }

  function encodeReadably(event: Event): WrittenLine<Event> {
    if (isNestedTooDeep(event, MAX_NESTING - LEVELS_TO_SPARE))
      throw unreadable(event, 'it is nested too deep');
    const line = encodeOrRefuse(event);
    const read = decode(Buffer.from(line.slice(1, -1)));
    if ('event' in read) return { line, event: read.event };
    const issue = schemas.event.safeParse(event, IN_OUR_WORDS).error?.issues[0];
    const reason = issue === undefined ? read.damage : `${issue.message} at ${jsonPath(issue.path)}`;
    throw unreadable(event, reason);
  }

  /** The text of many megabytes may be longer than any string. */
  function encodeOrRefuse(event: Event): string {
    try {
      return encode(event);
    } catch (cause) {
      if (cause instanceof RangeError) throw unreadable(event, 'its text is too long');
      throw cause;
    }
  }

  function decode(line: Buffer): Line<Event> {
    const whole = decodeExactly(line);
    if ('event' in whole) return whole;
    const inner = decodeExactly(line.subarray(line.indexOf('{'), line.lastIndexOf('}') + 1));
    return 'event' in inner ? inner : { ...whole, damage: `${whole.damage}${nameOf(line)}` };
  }

  function decodeExactly(line: Buffer): Line<Event> {
    const checked = checkLine(line);
    return 'damage' in checked ? checked : parseEvent(checked.text);
  }

  function parseEvent(text: string): Line<Event> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { damage: 'the line is not JSON' };
    }
    if (isNestedTooDeep(value)) return { damage: 'the line is nested too deep' };
    const event = schemas.read(value);
    if (event !== null) return { event };
    const stamp = schemas.stamp.safeParse(value);
    if (!stamp.success) return { damage: 'the line is not an event' };
    const { type, replica, clock } = stamp.data;
    return {
      damage: `an event of type ${type} that this version cannot read; a newer frctl may have written it`,
      unknown: { type, replica, clock },
    };
  }
}

function unreadable({ type, at }: { readonly type: string; readonly at: string }, reason: string): PlanError {
  return new PlanError(
    'INVALID_INPUT',
    `this change cannot be stored, because nobody could read it: ${reason}`,
    {
      hint: ['Nothing was written. If it is a time, look at the clock of this machine.'],
      details: { event: type, at },
    },
  );
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
