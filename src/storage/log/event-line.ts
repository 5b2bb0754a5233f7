import { eventSchema, eventStampSchema, readEvent } from '../../plan/events.js';
import type { PlanEvent } from '../../plan/events.js';
import { createLineCodec } from './line-codec.js';
import type { WrittenLine } from './line-codec.js';

/** A line to be appended to the log of a plan, and its event as readers will see it. */
export type ReadableLine = WrittenLine<PlanEvent>;

const { encode, encodeReadably, decode } = createLineCodec<PlanEvent>({
  read: readEvent,
  event: eventSchema,
  stamp: eventStampSchema,
});

/** How the events of plans are written and read; see {@link createLineCodec}. */
export { encode as encodeEvent, encodeReadably, decode as decodeEvent };

/** A line that is longer is written once: whoever has such a plan has the document or the file that it was made of. */
const MOST_WRITTEN_TWICE = 16 * 1024 * 1024;

/**
 * The lines of events that a new log begins with. What makes the plan is in it twice, one after the other, so that
 * no single byte can cost it; readers pass over an event whose id they have read.
 */
export function twiceMade(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines;
  return first.length > MOST_WRITTEN_TWICE ? lines : [first, ...lines];
}
