import * as z from 'zod';

import { instanceInRun, noLongerWaiting, withInstance } from '../run.js';
import { acceptRunEvent, defineRunChange, refuseRunEvent } from './define-run-event.js';
import { attempt, effects, fileState, hash, instance, jsonObject } from './run-fields.js';

/** The intent: a tool is about to be called. It is durable before the call is made. */
export const attemptStarted = defineRunChange({
  type: 'attempt_started',
  fields: {
    step: instance,
    attempt,
    key: z.string().describe('The same for every attempt of an instance.'),
    args: jsonObject
      .optional()
      .describe('The arguments as they are given, secrets left out, where they are at most 64 kB.'),
    args_file: hash.optional().describe('Longer arguments: the file in the folder of the run.'),
    args_digest: hash.describe('SHA-256 of the arguments as they are given.'),
    before: z
      .array(fileState)
      .optional()
      .describe(
        'The files that it would replace or remove, as they are, where its tool tells by them what it did.',
      ),
    tool: z.string(),
    definition: z.string(),
    effects,
    executor: z.string().describe('Id of the start that the attempt belongs to.'),
  },
  apply(run, event) {
    const { step, tool } = event;
    if (!run.running) return refuseRunEvent({ code: 'not_running' });
    if (run.executor?.id !== event.executor) return refuseRunEvent({ code: 'run_taken' });
    const known = instanceInRun(run, step);
    if (known.state !== 'pending' && known.state !== 'failed')
      return refuseRunEvent({ code: 'not_open', step, state: known.state });
    if (known.final) return refuseRunEvent({ code: 'not_open', step, state: known.state });
    if (event.attempt !== known.attempt + 1)
      return refuseRunEvent({ code: 'wrong_attempt', step, expected: known.attempt + 1 });
    const prepared = run.prepared.tools.find(({ name }) => name === tool);
    if (prepared?.definition !== event.definition)
      return refuseRunEvent({ code: 'tool_changed', step, tool });
    return acceptRunEvent(
      noLongerWaiting(
        withInstance(run, step, {
          state: 'started',
          attempt: event.attempt,
          verified: 0,
          tool,
          effects: event.effects,
          started_at: event.at,
          ended_at: null,
          error: null,
          settled: null,
        }),
        step,
      ),
    );
  },
  describe: ({ step, tool, attempt: number }) =>
    `began ${step}: ${tool}${number > 1 ? `, attempt ${number}` : ''}`,
});
