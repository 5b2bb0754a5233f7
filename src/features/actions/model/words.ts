/**
 * Members of a plan that say nothing of what happens: names, times, reasons, and what other systems carry. All others
 * decide; they are in the digest, and a dialect that cannot say them loses something.
 */
export const PLAN_WORDS = [
  'schema_version',
  'id',
  'title',
  'description',
  'goal',
  'goal_id',
  'created_at',
  'assumptions',
  'rationale',
  'risks',
  'outputs',
  'ui_hints',
  'metadata',
  'extensions',
] as const;
/** The same of a step. */
export const STEP_WORDS = ['title', 'detail', 'tags', 'metadata', 'extensions'] as const;
/** The same of a condition. */
export const CHECK_WORDS = ['description'] as const;
