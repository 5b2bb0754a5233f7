import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import { changeTree } from '../../../operations/editing/change-tree.js';
import type { TreeChange } from '../../../operations/editing/change-tree.js';
import { planOfCall, planField } from '../fields.js';
import { defineTool } from '../tool.js';

const OPS = [
  'add',
  'edit',
  'move',
  'remove',
  'reopen',
  'replan',
  'redo',
  'depend',
  'hold',
  'unhold',
  'undo',
] as const;

const changeSchema = z.strictObject({
  op: z.enum(OPS),
  goal: z.string().optional(),
  parent: z.string().optional(),
  before: z.string().optional(),
  description: z.string().optional(),
  acceptance: z.string().optional(),
  priority: z.string().optional(),
  because: z.string().optional(),
  until: z.string().optional(),
  on: z.array(z.string()).optional(),
  off: z.array(z.string()).optional(),
});

type Change = z.output<typeof changeSchema>;

/** Changes the tree, all or nothing. */
export const planEdit = defineTool({
  name: 'plan_edit',
  description:
    'Change the tree, all or nothing. add: description, parent, before?; edit: goal, description?, acceptance?, priority? (critical to someday); move: goal, parent, before?; remove, reopen, replan (divide again; also redo): goal, because?; depend: goal, on, off; hold: goal, because, until?; unhold: goal; undo: last change.',
  input: z.object({ plan: planField(), dry_run: z.boolean().optional(), changes: z.array(changeSchema) }),
  output: z.object({
    changed: z.array(z.object({ op: z.string(), goal: z.string().optional() })),
    ids: z.array(z.string()),
    outline: z.string(),
  }),
  annotations: { destructiveHint: true },
  async run({ library, context }, { plan: named, dry_run, changes }) {
    if (changes.length === 0) throw new PlanError('USAGE', 'no change is given');
    for (const [index, { op, because = '' }] of changes.entries())
      if (op === 'hold' && because.trim() === '')
        throw new PlanError('USAGE', `changes[${index}] (hold): because is missing`, {
          hint: ['Say there why the goal is on hold.'],
        });
    const plan = await planOfCall(library, named);
    const made = await changeTree(context, changes.map(asTreeChange), { plan, dryRun: dry_run });
    return { document: { ...made } };
  },
});

const COMMANDS: Readonly<Record<Change['op'], TreeChange['operation']>> = {
  add: 'add',
  edit: 'edit',
  move: 'move',
  remove: 'remove',
  reopen: 'reopen',
  // What is divided anew waits to be planned; whoever plans is asked about it.
  replan: 'divide again',
  redo: 'divide again',
  depend: 'depend',
  hold: 'hold',
  unhold: 'unhold',
  undo: 'undo',
};

function asTreeChange(change: Change): TreeChange {
  const { op, goal, because } = change;
  const input = Object.fromEntries(
    Object.entries({ goal, because, ...membersOf(change) }).filter(([, value]) => value !== undefined),
  );
  return { op, operation: COMMANDS[op], input };
}

function membersOf({
  op,
  parent,
  before,
  description,
  acceptance,
  priority,
  because,
  until,
  on,
  off,
}: Change) {
  const criteria = acceptance?.split('\n').filter((line) => line.trim() !== '');
  switch (op) {
    case 'add':
      return { goal: undefined, description, under: parent, before, acceptance: criteria, priority };
    case 'edit':
      return { description, acceptance: criteria, priority };
    case 'move':
      return { under: parent, before };
    case 'depend':
      return { on, notOn: off };
    case 'hold':
      return { because: undefined, reason: because, until };
    case 'reopen':
      return { because: undefined, reason: because };
    case 'undo':
      return { goal: undefined, because: undefined };
    default:
      return {};
  }
}
