import { acceptRun, defineRunChange } from './define-run-event.js';

/** Somebody gave a wrong code for the run. After five of them it takes no approval any more. */
export const codeRefused = defineRunChange({
  type: 'code_refused',
  fields: {},
  apply: (run) => acceptRun({ ...run, wrong_codes: run.wrong_codes + 1 }),
  describe: () => 'refused a wrong code',
});
