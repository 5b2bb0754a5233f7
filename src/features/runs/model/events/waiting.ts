import * as z from 'zod';

import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { codeKey, fileState, hash, instance, jsonObject, time } from './run-fields.js';

/** The run needs a person, and its executor stops, unless it is kept. */
export const waiting = defineRunChange({
  type: 'waiting',
  fields: {
    step: instance,
    for: z.enum(['approval', 'outcome']),
    summary: z.string(),
    args: jsonObject
      .optional()
      .describe('The arguments that the step would be called with, whole, where they are at most 64 kB.'),
    args_file: hash.optional().describe('Longer arguments: the file in the folder of the run.'),
    named: z
      .array(fileState)
      .optional()
      .describe('Files of the workspace that these arguments name, such as scripts, as they are.'),
    inputs: z
      .array(fileState)
      .optional()
      .describe(
        'Files that the call would replace, change or remove, as they are; others are not overwritten.',
      ),
    args_digest: hash
      .optional()
      .describe('Of the arguments that the step would be called with, and of the files that they name.'),
    code: z.string().optional().describe('The one-time code, as a keyed hash.'),
    code_key: codeKey.optional().describe('Whose key has drawn the code.'),
    expires_at: time.optional(),
    executor: z
      .enum(['kept'])
      .optional()
      .describe('Its process stays, with what it has opened, and goes on by itself; left out where it ends.'),
    needed: z.int().positive().optional().describe('How many people must agree; one where it is left out.'),
  },
  apply(run, event) {
    if (!run.running && run.waiting.length === 0) return refuseRunEvent({ code: 'not_running' });
    const { step, summary, at, args, args_file, named, args_digest, code, code_key, expires_at } = event;
    const { needed = 1 } = event;
    const asked = {
      step,
      for: event.for,
      summary,
      at,
      args,
      args_file,
      named,
      args_digest,
      code,
      code_key,
      expires_at,
      needed,
    };
    const others = run.waiting.filter((one) => one.step !== step);
    const running = event.executor === 'kept' && run.running;
    return acceptRunEvent({ ...run, running, waiting: [...others, asked] });
  },
  describe: (event) =>
    `waits for ${event.for === 'approval' ? 'approval of' : 'what became of'} ${event.step}`,
});
