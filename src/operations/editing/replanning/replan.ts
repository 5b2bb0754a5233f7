import * as z from 'zod';

import { defineOperation } from '../../operation.js';
import { planningFields, planningFlags } from '../../planning/planning-fields.js';
import { goalArgument, planOption, text, toggle } from '../../shared/fields.js';
import { editorOption } from '../change-fields.js';
import { replanGoal } from './replan-goal.js';
import { replannedDocument, replannedSchema } from './replanned-schema.js';

/** Divides a goal anew, or shows how it would be divided; as {@link replanGoal}. */
export const replan = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    preview: toggle('only show what would change'),
    dryRun: toggle('the same as --preview'),
    revise: toggle('show a new plan for what is left beside this finished goal'),
    apply: toggle('with --revise: apply it'),
    because: text('what went wrong or has changed; the model is told', 'text', {
      flag: 'reason',
      formerly: 'because',
    }),
    by: editorOption(),
    plan: planOption(),
    ...planningFields(),
  }),
  output: replannedSchema,
  examples: [
    'plan replan 2 --preview --reason "The provider has no sandbox"',
    'plan replan 2 --reason "The provider has no sandbox"',
    'plan replan 2.1 --revise --apply',
  ],
  mutates: true,
  run: (context, input) => {
    const { signal, dropSignal, emit } = context;
    const preview = input.preview === true || input.dryRun === true;
    const options = { ...input, preview, ...planningFlags(input), signal, dropSignal };
    return replanGoal(context, input.goal, options, emit);
  },
  document: replannedDocument,
});
