import { eventSchema, eventStampSchema } from '../../plan/events.js';
import type { PlanEvent } from '../../plan/events.js';
import { isNestedTooDeep } from '../../plan/nesting.js';
import { checkLine, withChecksum } from './checked-line.js';

/** A line that was read: an event, or the reason why it is none. */
export type EventLine = { readonly event: PlanEvent } | { readonly damage: string };

/**
 * One event as it is appended: a newline, its JSON, a newline. The leading one keeps a torn line of a
 * crashed writer from swallowing this one. Its last member, `crc`, is the CRC-32 of the line's bytes before it.
 */
export function encodeEvent(event: PlanEvent): string {
  const { crc: _stale, ...members } = event;
  return `\n${withChecksum(JSON.stringify(members).slice(0, -1))}\n`;
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
  const parsed = eventSchema.safeParse(value);
  if (parsed.success) return { event: parsed.data };
  const stamp = eventStampSchema.safeParse(value);
  return {
    damage: stamp.success
      ? `an event of type ${stamp.data.type} that this version cannot read; a newer frctl may have written it`
      : 'the line is no event',
  };
}
