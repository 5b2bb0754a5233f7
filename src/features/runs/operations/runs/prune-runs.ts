import * as z from 'zod';

import { PlanError } from '../../../../kernel/errors.js';
import type { Run, RunStatus } from '../../model/run.js';
import { defineOperation } from '../../../../operations/operation.js';
import type { Context } from '../../../../operations/shared/context.js';
import { text, texts, toggle } from '../../../../operations/shared/fields.js';
import { RUNS } from '../../parts.js';
import { readDuration } from '../durations.js';
import { isExecutorAlive, statusNow } from '../run-state.js';

const MONTH_MS = 30 * 86_400_000;
const MOST_MS = 3650 * 86_400_000;
/** What can no longer be continued. */
const OVER: ReadonlySet<RunStatus> = new Set(['succeeded', 'failed', 'aborted', 'expired']);

/**
 * Removes runs that are over, with their outputs.
 * @throws PlanError USAGE, E_PLAN_NOT_FOUND, WRONG_STATE for one that can be continued, STORAGE_FAILED
 */
export const pruneRuns = defineOperation({
  arguments: ['runs'],
  input: z.strictObject({
    runs: texts('runs to remove (default: all that are over and older than 30 days)', 'runs'),
    olderThan: text('remove all ended runs older than this: 12h, 30d', 'time'),
    dryRun: toggle('show what would be removed'),
  }),
  output: z.object({ removed: z.array(z.string()).readonly(), kept: z.number() }),
  examples: ['plan runs prune', 'plan runs prune --older-than 7d --dry-run', 'plan runs prune run-k3f9x2w8'],
  mutates: true,
  async run(context, { runs: given = [], olderThan, dryRun }) {
    const named = new Set(given);
    if (named.size > 0 && olderThan !== undefined)
      throw new PlanError('USAGE', 'both runs and --older-than are given', {
        hint: ['Name the runs, or say how old those are that are removed.'],
      });
    const store = await context.part(RUNS);
    const { runs, problems } = await store.list();
    const age = olderThan === undefined ? MONTH_MS : readDuration(olderThan, '--older-than', MOST_MS);
    const isOver = async (run: Run) => OVER.has(await statusNow(run, context));
    const isOld = ({ updated_at }: Run) => context.environment.now() - Date.parse(updated_at) >= age;
    const chosen: string[] = [];
    for (const name of named) {
      const found = runs.find(({ id }) => id === name);
      // One whose log cannot be read can be removed by name alone.
      if (found !== undefined && !(await isOver(found)) && !(await isStuck(context, found)))
        throw openStill(name);
      if (found === undefined && problems.every(({ run }) => run !== name)) await store.open(name);
      chosen.push(name);
    }
    if (named.size === 0) for (const run of runs) if (isOld(run) && (await isOver(run))) chosen.push(run.id);
    if (dryRun !== true) for (const name of chosen) await store.purge(name);
    return { removed: chosen, kept: runs.length + problems.length - chosen.length };
  },
});

/** Whether nobody can go on with a run, or end it, because its log is damaged. */
async function isStuck(context: Context, run: Run): Promise<boolean> {
  if (await isExecutorAlive(run, context)) return false;
  const { damage } = await (await context.part(RUNS)).open(run.id);
  return damage.some(({ kind }) => kind !== 'torn');
}

function openStill(run: string): PlanError {
  return new PlanError('WRONG_STATE', `${run} is not over: it can be continued`, {
    hint: { commandLine: `\`plan abort ${run}\` ends it first.` },
    details: { run },
  });
}
