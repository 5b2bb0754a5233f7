import * as z from 'zod';

import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { hash, instance } from './run-fields.js';

/** What a foreach runs over is fixed. */
export const itemsFixed = defineRunChange({
  type: 'items_fixed',
  fields: { step: instance, count: z.int().nonnegative(), digest: hash.describe('Of the items.') },
  apply(run, { step, count, digest }) {
    if (!run.running) return refuseRunEvent({ code: 'not_running' });
    const known = run.loops.get(step);
    if (known !== undefined && (known.count !== count || known.digest !== digest))
      return refuseRunEvent({ code: 'items_differ', step });
    return acceptRunEvent({ ...run, loops: run.loops.with(step, { count, digest }) });
  },
  describe: ({ step, count }) => `${step} runs over ${count} ${count === 1 ? 'item' : 'items'}`,
});
