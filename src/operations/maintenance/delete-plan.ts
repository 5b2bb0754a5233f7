import * as z from 'zod';

import { truncate } from '../../kernel/text/truncate.js';
import { PlanError } from '../../kernel/errors.js';
import { defineOperation } from '../operation.js';
import { planArgument, toggle } from '../shared/fields.js';
import type { Purge } from '../shared/hooks.js';
import { refuseWhilePlannedHere } from '../planning/run/planned-now.js';
import { archiveNamed, forgetIfCurrent } from './archive-plan.js';
import { findPlanId } from '../shared/find-plan.js';
import { isUnreadablePlan } from '../../storage/unreadable-plan.js';

/**
 * Deletes a plan: into the archive, or with `purge` for good. A plan that cannot be read can be purged too.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, PLANNER_BUSY, INVALID_INPUT, STORAGE_FAILED
 */
export const deletePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    purge: toggle('delete for good; the plan must be named'),
  }),
  output: z.object({
    deleted: z.object({
      id: z.string(),
      purged: z.boolean().describe('Whether it is gone for good; else it is archived.'),
      runs: z
        .array(z.string())
        .readonly()
        .optional()
        .describe('The runs of its goals, which are gone with it.'),
    }),
  }),
  examples: ['plan delete 0398', 'plan delete 0398a958 --purge'],
  mutates: true,
  async run(context, { plan: name, purge }) {
    const store = context.store();
    if (purge !== true) return { id: (await archiveNamed(context, name)).id, purged: false };
    if (name === undefined) {
      throw new PlanError('INVALID_INPUT', 'name the plan that is to be deleted for good', {
        hint: { commandLine: 'plan delete --purge <plan id>' },
      });
    }
    const id = await findPlanId(context, name);
    // Nobody loses a plan because a word fits: for good it goes by its id alone.
    if (!id.startsWith(name.trim().toLowerCase()))
      throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(name, 80))} is not the id of a plan`, {
        hint: { commandLine: `What is deleted for good is named by its id: plan delete --purge ${id}` },
      });
    const log = await store.open(id).catch((thrown: unknown) => {
      if (isUnreadablePlan(thrown)) return null;
      throw thrown;
    });
    if (log !== null) await refuseWhilePlannedHere(context, log.plan);
    const purged = { id, plan: log?.plan ?? null };
    const others: Purge[] = [];
    for (const feature of context.features)
      if (feature.purge !== undefined) others.push(await feature.purge(context, purged));
    await store.purge(id);
    await forgetIfCurrent(context, id);
    const documents = await context.documents();
    await documents?.proposals.dropAll(id);
    await documents?.checklists.dropAll(id);
    for (const other of others) await other.drop();
    const runs = others.flatMap((each) => each.runs);
    return { id, purged: true, ...(runs.length === 0 ? {} : { runs }) };
  },
  document: (deleted) => ({ deleted }),
});
