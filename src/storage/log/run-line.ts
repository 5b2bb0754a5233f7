import { readRunEvent, runEventSchema, runStampSchema } from '../../execution/run-events.js';
import type { RunEvent } from '../../execution/run-events.js';
import { createLineCodec } from './line-codec.js';

/** How the events of runs are written and read: as those of plans are. */
export const runCodec = createLineCodec<RunEvent>({
  read: readRunEvent,
  event: runEventSchema,
  stamp: runStampSchema,
});
