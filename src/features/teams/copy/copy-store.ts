import * as z from 'zod';

import { CONTENTS, RUN_CONTENTS } from '../parts.js';
import { copyContents, copyRuns } from './copy-contents.js';
import { defineOperation } from '../../../operations/operation.js';
import { field } from '../../../operations/shared/fields.js';

const copiedSchema = z.object({
  kind: z.enum(['plan', 'run', 'action_plan', 'output']),
  id: z.string(),
  outcome: z
    .enum(['copied', 'went_on', 'same', 'ahead', 'differs', 'failed'])
    .describe(
      '`copied`: it is there now; `went_on`: what it had more is there now; `same`: it was there already; `ahead`: the copy has gone on; `differs`: there is another of that name, which stays; `failed`: see the message.',
    ),
  events: z.int().describe('Events that were written.'),
  message: z.string().optional(),
});

/**
 * Copies every plan with its action plans, and every run with its outputs, from files to PostgreSQL or back. The events of a
 * log are copied as they are, to the byte. What is there already stays as it is, but for what is added at the end of its log,
 * so that a copy that was broken off can be begun again. Where the project keeps its plans is not changed.
 * @throws PlanError STORE_NOT_FOUND, INVALID_CONFIG where no database is named, STORAGE_FAILED
 */
export const copyStore = defineOperation({
  input: z.strictObject({
    to: field(z.enum(['postgres', 'files']), 'where to; the other one is copied from', { value: 'kind' }),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    kind: z.enum(['postgres', 'files']).describe('What it was copied to.'),
    copied: z.array(copiedSchema).readonly(),
  }),
  examples: ['plan store copy --to postgres', 'plan store copy --to files --json'],
  mutates: true,
  async run(context, { to: kind }) {
    const other = kind === 'postgres' ? 'files' : 'postgres';
    const [from, to] = [await context.part(CONTENTS, other), await context.part(CONTENTS, kind)];
    const copied: z.output<typeof copiedSchema>[] = [];
    for await (const one of copyContents(from, to)) copied.push(one);
    const runs = await context.partIfAny(RUN_CONTENTS, other);
    const runsThere = await context.partIfAny(RUN_CONTENTS, kind);
    if (runs !== null && runsThere !== null)
      for await (const one of copyRuns(runs, runsThere)) copied.push(one);
    return { from: from.location, to: to.location, kind, copied };
  },
  exitStatus: ({ copied }) => (copied.some(({ outcome }) => isLeft(outcome)) ? 1 : 0),
});

/** Whether something that was to be copied is not there. */
function isLeft(outcome: z.output<typeof copiedSchema>['outcome']): boolean {
  return outcome === 'differs' || outcome === 'failed';
}
