import type { CommandSpec, OptionSpec } from './command.js';
import { GOAL_ARGUMENT, PLAN_OPTION } from './common-arguments.js';
import { PLANNING_OPTIONS } from './planning-option-specs.js';

const BECAUSE_OPTION: OptionSpec = { flags: '--because <text>', description: 'why, for the log' };
const BY_OPTION: OptionSpec = { flags: '--by <name>', description: 'who edits (default: user@host)' };
/** What every change by hand takes. */
const CHANGE_OPTIONS = [BECAUSE_OPTION, BY_OPTION, PLAN_OPTION];
const PLACE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--under <goal>', description: 'the goal above it' },
  { flags: '--before <goal>', description: 'the sibling that it stands before' },
  { flags: '--after <goal>', description: 'the sibling that it stands after' },
  { flags: '--at <n>', description: 'its place among its siblings, from 1', numeric: true },
];
const DETAIL_OPTION: OptionSpec = { flags: '--detail <text>', description: 'more about it' };
const ACCEPTANCE_OPTION: OptionSpec = {
  flags: '--acceptance <text...>',
  description: 'what must hold for it to be done, one criterion each',
  many: true,
};

/** The commands with which a plan is edited by hand and replanned. */
export const EDITING_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'add',
    summary: 'add a goal by hand',
    args: [{ name: '<description>', description: 'what to accomplish' }],
    options: [
      ...PLACE_OPTIONS,
      DETAIL_OPTION,
      ACCEPTANCE_OPTION,
      { flags: '--depends-on <goal...>', description: 'goals that come first', many: true },
      { flags: '--composite', description: 'it waits to be planned (default: it is atomic)' },
      ...CHANGE_OPTIONS,
    ],
    examples: [
      'plan add "Write the release notes"',
      'plan add "Rate-limit the sign-in" --under 2 --after 2.3 --depends-on 2.1',
    ],
    load: () => import('./commands/add.js'),
  },
  {
    name: 'edit',
    summary: 'change the words of a goal',
    args: [GOAL_ARGUMENT],
    options: [
      { flags: '--description <text>', description: 'what to accomplish' },
      DETAIL_OPTION,
      ACCEPTANCE_OPTION,
      { flags: '--tag <tag...>', description: 'its tags, in place of those it has', many: true },
      {
        flags: '--clear <field...>',
        description: 'fields to take away',
        choices: ['detail', 'acceptance', 'tags'],
        many: true,
      },
      ...CHANGE_OPTIONS,
    ],
    examples: ['plan edit 1.2 --description "Ship the beta"', 'plan edit 1.2 --clear detail tags'],
    load: () => import('./commands/edit.js'),
  },
  {
    name: 'move',
    summary: 'move a goal, with all below it',
    args: [GOAL_ARGUMENT],
    options: [...PLACE_OPTIONS, ...CHANGE_OPTIONS],
    examples: ['plan move 3.2 --under 1', 'plan move 1.4 --before 1.1'],
    load: () => import('./commands/move.js'),
  },
  {
    name: 'remove',
    summary: 'take a goal away, with all below it',
    args: [GOAL_ARGUMENT],
    options: [{ flags: '--force', description: 'also with finished work' }, ...CHANGE_OPTIONS],
    examples: ['plan remove 1.4 --because "The provider does it for us"'],
    load: () => import('./commands/remove.js'),
  },
  {
    name: 'split',
    summary: 'divide a goal that has no sub-goals',
    args: [GOAL_ARGUMENT],
    options: [
      {
        flags: '--into <text...>',
        description: 'the sub-goals (default: as the model or the rules divide it)',
        many: true,
      },
      ...CHANGE_OPTIONS,
      ...PLANNING_OPTIONS,
    ],
    examples: ['plan split 1.2', 'plan split 1.2 --into "Write the schema" "Move the data"'],
    load: () => import('./commands/split.js'),
  },
  {
    name: 'merge',
    summary: 'make one goal of siblings that nobody has begun',
    args: [GOAL_ARGUMENT, { name: '<others...>', description: 'the goals that go into it' }],
    options: [{ flags: '--description <text>', description: 'what it says from here on' }, ...CHANGE_OPTIONS],
    examples: ['plan merge 1.2 1.3 --description "Set up the database"'],
    load: () => import('./commands/merge.js'),
  },
  {
    name: 'depend',
    summary: 'make a goal wait for others, or no longer',
    args: [GOAL_ARGUMENT],
    options: [
      { flags: '--on <goal...>', description: 'goals that come first from now on', many: true },
      { flags: '--not-on <goal...>', description: 'goals that it waits for no longer', many: true },
      ...CHANGE_OPTIONS,
    ],
    examples: ['plan depend 2.1 --on 1.3 --because "It reads the new schema"', 'plan depend 2 --not-on 1'],
    load: () => import('./commands/depend.js'),
  },
  {
    name: 'replan',
    summary: 'divide a failed or changed goal anew, without touching what is done',
    args: [GOAL_ARGUMENT],
    options: [
      { flags: '--preview', description: 'only show what would change' },
      { flags: '--revise', description: 'plan anew what is left beside this finished goal; only shown' },
      { flags: '--apply', description: 'with --revise: do it' },
      { flags: '--because <text>', description: 'what went wrong or has changed; it is told to the model' },
      BY_OPTION,
      PLAN_OPTION,
      ...PLANNING_OPTIONS,
    ],
    examples: [
      'plan replan 2 --preview --because "The provider has no sandbox"',
      'plan replan 2 --because "The provider has no sandbox"',
      'plan replan 2.1 --revise --apply',
    ],
    load: () => import('./commands/replan.js'),
  },
  {
    name: 'rollback',
    summary: 'take an expansion back, so that the goal waits to be planned',
    args: [GOAL_ARGUMENT],
    options: CHANGE_OPTIONS,
    examples: ['plan rollback 2', 'plan rollback 2 --because "Too fine" && plan resume'],
    load: () => import('./commands/rollback.js'),
  },
];
