import { codeKey } from './run-fields.js';
import { acceptRunEvent, defineRunChange } from './define-run-event.js';

/**
 * Somebody gave a wrong code. After five of one user a run takes no code any more that this user's key has drawn: with
 * another key nobody can give it.
 */
export const codeRefused = defineRunChange({
  type: 'code_refused',
  fields: {
    code_key: codeKey
      .optional()
      .describe('Whose key it was looked up with; where it is left out it counts against every code.'),
  },
  apply: (run, { code_key = '' }) =>
    acceptRunEvent({
      ...run,
      wrong_codes: new Map(run.wrong_codes).set(code_key, (run.wrong_codes.get(code_key) ?? 0) + 1),
    }),
  describe: () => 'refused a wrong code',
});
