import { readRunEvent, runEventSchema, runStampSchema } from '../../model/run-events.js';
import type { RunEvent } from '../../model/run-events.js';
import { createLineCodec } from '../../../../storage/log/line-codec.js';

/** How the events of runs are written and read: as those of plans are. */
export const runCodec = createLineCodec<RunEvent>({
  read: readRunEvent,
  event: runEventSchema,
  stamp: runStampSchema,
});
