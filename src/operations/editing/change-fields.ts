import * as z from 'zod';

import { field, planOption, text, texts, toggle } from '../shared/fields.js';

/** What every change by hand takes. */
export const changeFields = () => ({
  because: text('why, for the log', 'text', { flag: 'reason', formerly: 'because' }),
  by: editorOption(),
  plan: planOption(),
});

/** The field of a change that shows it instead of making it. */
export const dryRunOption = () => toggle('only show what would change; nothing is written');

/** The field of a change for who edits. */
export const editorOption = () => text('who edits (default: user@host)', 'name');

/** Where a goal is to stand; goals are named as on the command line. */
export const positionFields = () => ({
  under: text('the goal above it', 'goal'),
  before: text('the sibling that it stands before', 'goal'),
  after: text('the sibling that it stands after', 'goal'),
  at: field(z.int().min(1).optional(), 'its place among its siblings, from 1', { value: 'n' }),
});

/** What is said of a goal besides its description. */
export const detailFields = () => ({
  detail: text('more about it'),
  acceptance: texts('what must hold for it to be done, one criterion each'),
  touches: texts('what it is likely to change: paths, globs, `area:NAME`', 'path'),
  checks: texts('a tool that must succeed, with its arguments: "test.file path=test/a.ts"', 'check', {
    flag: 'check',
  }),
  priority: text('how urgent it is: critical, high, normal, low, someday, or 0 to 4', 'priority'),
});
