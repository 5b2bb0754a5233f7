import { PlanError } from '../../kernel/errors.js';

/** Makes the error for what is left to workers where there can be none. */
export function workersNeedDatabase(): PlanError {
  return new PlanError('WRONG_STATE', 'workers work in a database, and these plans are in files', {
    hint: {
      commandLine: '`plan store copy --to postgres` takes them there; docs/teams.md says how to set one up.',
    },
  });
}
