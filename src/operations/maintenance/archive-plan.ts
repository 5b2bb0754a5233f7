import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import { summarySchema } from '../../plan/schema.js';
import type { Summary } from '../../plan/schema.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { planArgument, text } from '../shared/fields.js';
import { refuseWhilePlannedHere } from '../planning/run/planned-now.js';
import { findPlan, refuseGuessing } from '../shared/find-plan.js';
import { summaryNow } from '../shared/summary-now.js';

const archivedSchema = z.object({ plan: summarySchema });

/**
 * Archives a plan: it is listed apart and not worked on until it is brought back. Its files stay where they are.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when it is archived already, PLANNER_BUSY, STORAGE_FAILED
 */
export const archivePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: archivedSchema,
  examples: ['plan archive 0398'],
  mutates: true,
  run: async (context, { plan }) => archiveNamed(context, plan),
  document: (plan) => ({ plan }),
});

/**
 * Brings a plan back from the archive; the one archived last, when none is named.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when it is not archived, STORAGE_FAILED
 */
export const restorePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: text(
      'plan id, its first 3+ characters, or words of its goal (default: the one archived last)',
      'plan',
    ),
  }),
  output: archivedSchema,
  examples: ['plan restore 0398'],
  mutates: true,
  async run(context, { plan }) {
    const log = await findPlan(context, plan ?? (await archivedLast(context)));
    if (!log.archived) throw notArchived(log);
    return write(context, log, { type: 'plan_unarchived' });
  },
  document: (plan) => ({ plan }),
});

/** Archives the plan of a name. @throws PlanError as {@link archivePlan} */
export async function archiveNamed(context: Context, name: string | undefined): Promise<Summary> {
  const log = await findPlan(context, name, 'change');
  if (log.archived) throw archivedAlready(log);
  await refuseWhilePlannedHere(context, log.plan);
  const archived = await write(context, log, { type: 'plan_archived' });
  await forgetIfCurrent(context, archived.id);
  return archived;
}

/** Sees that a plan that is archived is no longer the one that is meant. */
export async function forgetIfCurrent(context: Context, id: string): Promise<void> {
  if ((await context.chosenPlan()) === id) await context.choosePlan(null);
  // Whoever may not read what was changed last, such as a stranger's store, may still archive.
  if ((await context.changedPlan().catch(() => null)) === id) await context.noteChanged(null);
}

async function write(
  context: Context,
  log: PlanLog,
  event: PayloadOf<'plan_archived'> | PayloadOf<'plan_unarchived'>,
): Promise<Summary> {
  const [outcome] = await log.append([event]);
  // Another process was faster.
  if (outcome !== undefined && outcome.refused !== null)
    throw event.type === 'plan_archived' ? archivedAlready(log) : notArchived(log);
  await log.publish('now');
  return summaryNow(context, log.plan);
}

async function archivedLast(context: Context): Promise<string> {
  const { plans, perhapsNewest } = await context.store().list('archived');
  refuseGuessing(perhapsNewest, plans.length);
  const [last] = plans;
  if (last === undefined)
    throw new PlanError('PLAN_NOT_FOUND', 'the archive is empty', {
      hint: { commandLine: '`plan list` shows the plans there are.' },
    });
  return last.id;
}

function archivedAlready({ plan: { header } }: PlanLog): PlanError {
  return new PlanError('WRONG_STATE', `plan ${header.id} is archived already`, {
    hint: {
      commandLine: `\`plan restore ${header.id}\` brings it back, \`plan delete ${header.id} --purge\` removes its files.`,
    },
    details: { plan: header.id },
  });
}

function notArchived({ plan: { header } }: PlanLog): PlanError {
  return new PlanError('WRONG_STATE', `plan ${header.id} is not archived`, {
    hint: { commandLine: '`plan list --archived` shows archived plans.' },
    details: { plan: header.id },
  });
}
