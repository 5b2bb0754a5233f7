import { PlanError } from '../../../kernel/errors.js';
import type { Team } from '../team.js';
import type { Context } from '../../../operations/shared/context.js';

/** What workers share in the database of the plans. @throws PlanError WRONG_STATE for plans in files */
export async function teamOf(context: Context): Promise<Team> {
  const team = await context.team();
  if (team !== null) return team;
  throw new PlanError('WRONG_STATE', 'workers work in a database, and these plans are in files', {
    hint: {
      commandLine: '`plan store copy --to postgres` takes them there; docs/teams.md says how to set one up.',
    },
  });
}
