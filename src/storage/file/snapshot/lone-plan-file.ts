import { PlanError } from '../../../kernel/errors.js';
import type { Plan } from '../../../plan/plan.js';
import { stampOf } from '../index/index-file.js';
import type { PlanPaths } from '../store-paths.js';
import { readPlanFile } from './plan-file-reader.js';
import { isPurged } from '../purge-plan.js';
import { planNotFound } from '../../plan-store-errors.js';

/** A plan file without a log. */
export interface LonePlanFile {
  readonly plan: Plan;
  /** Whether the file was changed, replaced or removed since. */
  readonly isChanged: () => Promise<boolean>;
}

/**
 * Reads a plan file that has no log: every invariant must hold.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function readLonePlanFile(planId: string, paths: PlanPaths): Promise<LonePlanFile> {
  if (await isPurged(paths)) throw planNotFound(planId);
  const before = stampOf(paths).plan;
  const alone = await readPlanFile(paths.planFile, planId, 'alone');
  if (alone.kind === 'absent') throw planNotFound(planId);
  if (alone.kind === 'plan') {
    const isChanged = async () => String(stampOf(paths).plan) !== String(before);
    return { plan: alone.plan, isChanged };
  }
  const first = alone.problems[0];
  throw new PlanError(
    'STORE_DAMAGED',
    `${paths.planFile} is not a valid plan: ${first?.message ?? 'unreadable'}`,
    {
      hint: {
        commandLine: `\`plan validate ${planId}\` lists every problem; it has no event log to rebuild it from.`,
      },
      details: { path: paths.planFile, problems: alone.problems.slice(0, 20) },
    },
  );
}
