import { resolve } from 'node:path';

import { summarize } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import type { CoveredLine, UnaskedGoal } from '../../planning/document-coverage.js';
import { readTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';
import { readPlan } from '../shared/find-plan.js';
import { LARGEST_DOCUMENT, shownPath } from './init-plan.js';

export interface CoverageOptions {
  /** The Markdown document. */
  readonly source: string;
  readonly plan?: string | undefined;
}

export interface CoverageReport {
  readonly plan: Summary;
  readonly file: string;
  /** Lines that need a goal, and how many of them have one. */
  readonly lines: number;
  readonly covered: number;
  readonly uncovered: readonly CoveredLine[];
  /** Goals that no line asked for; those below them are only counted. */
  readonly unasked: readonly UnaskedGoal[];
  /** Every line with its verdict, in order. */
  readonly verdicts: readonly CoveredLine[];
}

/**
 * Which lines of a document no goal of the plan covers, and which goals no line asked for.
 * @throws PlanError FILE_NOT_FOUND, PLAN_NOT_FOUND, INVALID_INPUT
 */
export async function coverPlan(context: Context, options: CoverageOptions): Promise<CoverageReport> {
  const { workingFolder } = context.environment;
  const plan = await readPlan(context.store(), options.plan);
  const file = shownPath(options.source, workingFolder);
  const text = await readTextFile(resolve(workingFolder, options.source), LARGEST_DOCUMENT);
  const { documentLines } = await import('../../rules/documents/document-lines.js');
  const { coverDocument } = await import('../../planning/document-coverage.js');
  const { lines, unasked } = coverDocument(plan, documentLines(text, file), file);
  const uncovered = lines.filter(({ covered }) => !covered);
  return {
    plan: summarize(plan),
    file,
    lines: lines.length,
    covered: lines.length - uncovered.length,
    uncovered,
    unasked,
    verdicts: lines,
  };
}
