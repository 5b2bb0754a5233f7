import { resolve } from 'node:path';

import { PlanError } from '../errors.js';
import { validatePlanFile } from '../plan/invariants.js';
import { fromLegacy } from '../plan/legacy.js';
import { summarize } from '../plan/plan.js';
import type { PlanFile, Summary } from '../plan/schema.js';
import { parseJson, refuseUnknownVersion } from '../store/file/plan-file-reader.js';
import { readTextFile } from '../store/text-files.js';
import type { Context } from './context.js';

/**
 * Takes a plan file, of this format or of the legacy tool, into the store under its own id.
 * @throws PlanError FILE_NOT_FOUND, INVALID_PLAN with every problem, UNSUPPORTED_VERSION, PLAN_EXISTS, STORAGE_FAILED
 */
export async function importPlan(context: Context, path: string): Promise<Summary> {
  const text = await readTextFile(resolve(context.environment.workingFolder, path));
  return storePlan(context, parsePlanToImport(text, path));
}

/**
 * Parses a plan file from elsewhere; what it reflects of a log there, and who planned it there, is left out.
 * @throws PlanError INVALID_PLAN with every problem, UNSUPPORTED_VERSION
 */
export function parsePlanToImport(text: string, path: string): PlanFile {
  const parsed = parseJson(text);
  if ('problem' in parsed)
    throw new PlanError('INVALID_PLAN', `${path}: ${parsed.problem.message}`, { details: { path } });
  refuseUnknownVersion(parsed.value, path);
  const { file, problems } = validatePlanFile(fromLegacy(parsed.value));
  const [first] = problems;
  if (file === null || first !== undefined) {
    throw new PlanError(
      'INVALID_PLAN',
      `${path} is not a valid plan: ${first?.message ?? ''} at ${first?.path ?? '$'}`,
      {
        hint: `\`plan validate ${path}\` lists every problem.`,
        details: { path, problems: problems.slice(0, 50) },
      },
    );
  }
  const { log: _elsewhere, crc: _checked, run: _ended, ...plan } = file;
  return plan;
}

/** Makes a plan of the store from a plan file. */
export async function storePlan(context: Context, plan: PlanFile): Promise<Summary> {
  const store = await context.storeToWrite();
  const log = await store.create({ type: 'plan_imported', plan });
  await log.publish('now');
  return summarize(log.plan);
}
