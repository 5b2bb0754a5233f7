import type { PlanFile } from '../../../plan/schema.js';
import type { FilePlanStore } from '../file-store.js';
import type { PlanFolder } from '../store-paths.js';

/** A plan to be examined. */
export interface DiagnosisOptions {
  readonly store: FilePlanStore;
  readonly folder: string;
  /** Where its files are that count. */
  readonly planFolder: PlanFolder;
  readonly id: string;
  readonly keep: 'file' | 'log' | undefined;
}

/**
 * The plan of a plan file as an option of a diagnosis takes it over: of what log it was, and who planned then, is
 * over.
 */
export function withoutPosition(file: PlanFile): PlanFile {
  const { log: _position, run: _ended, ...plan } = file;
  return plan;
}
