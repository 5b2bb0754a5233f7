import type { Tool } from '../actions/tools/tools-file.js';
import type { DraftCheck } from './draft-goal.js';

/**
 * What a drafted plan is held against: the tools, if they are known.
 * @throws PlanError INVALID_INPUT for a schema that cannot be used
 */
export async function createDraftCheck(tools: readonly Tool[] | null): Promise<DraftCheck> {
  if (tools === null) return () => [];
  const { createArgumentChecker } = await import('../actions/tools/argument-checker.js');
  return createArgumentChecker(tools);
}
