import { workersNeedDatabase } from '../../../operations/planning/workers-need-database.js';
import type { Context } from '../../../operations/shared/context.js';
import { TEAM } from '../parts.js';
import type { Team } from '../team.js';

/** What workers share in the database of the plans. @throws PlanError WRONG_STATE for plans in files */
export async function teamOf(context: Context): Promise<Team> {
  const team = await context.partIfAny(TEAM);
  if (team !== null) return team;
  throw workersNeedDatabase();
}
