import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { Plan } from '../../../plan/plan.js';
import type { PauseCause } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Team } from '../team.js';

/** The plans of which a worker has said that it plans them. */
export interface AnnouncedPlans {
  /** Says so of a plan, once until it ends. */
  begun(planId: string): void;
  /** Says how those ended that workers plan no more. @throws PlanError STORAGE_FAILED */
  look(): Promise<void>;
}

interface Announcing {
  readonly team: Pick<Team, 'plans'>;
  /** A plan as it is now; null when it is gone. It throws a PlanError, STORAGE_FAILED where the next look may do better. */
  readonly read: (planId: string) => Promise<PlanLog | null>;
  readonly say: (message: string) => void;
}

/** Makes what tells a person what a worker plans, and how that ended, whichever worker has ended it. */
export function announcedPlans({ team, read, say }: Announcing): AnnouncedPlans {
  const announced = new Set<string>();
  return {
    begun(planId) {
      if (!announced.has(planId)) say(`Planning ${planId}.`);
      announced.add(planId);
    },
    async look() {
      if (announced.size === 0) return;
      const current = new Set((await team.plans()).map(({ plan }) => plan));
      for (const planId of announced) {
        if (current.has(planId)) continue;
        const end = await readEnd(planId);
        announced.delete(planId);
        say(end);
      }
    },
  };

  /** How a plan ended; of one that cannot be read, that, so that it hides no other. */
  async function readEnd(planId: string): Promise<string> {
    try {
      const log = await read(planId);
      return log === null ? `${planId} was deleted.` : endOf(log.plan);
    } catch (cause) {
      // The database itself may answer again.
      if (cause instanceof PlanError && cause.code === 'STORAGE_FAILED') throw cause;
      return `Workers no longer plan ${planId}, and how it ended cannot be read: ${messageOf(cause)}`;
    }
  }
}

const WHY: Readonly<Record<PauseCause, string>> = {
  user: 'somebody asked for it',
  budget: 'its budget is used up',
  model: 'its model failed',
  agent: 'an agent is to answer',
};

function endOf({ header: { id, status, paused_because, warnings = [] }, counts }: Plan): string {
  if (status === 'paused')
    return `Paused ${id}${paused_because == null ? '' : `: ${WHY[paused_because]}`}. \`plan status ${id}\` says how to go on.`;
  if (counts.pending > 0) return `${id} is no longer left to workers.`;
  const failed = counts.failed === 0 ? '' : `, ${counts.failed} failed`;
  const goals = `${counts.total} ${counts.total === 1 ? 'goal' : 'goals'}`;
  const unknown = warnings.find(({ code }) => code === 'no_method');
  return `Planned ${id}: ${goals}${failed}.${unknown === undefined ? '' : ` But ${unknown.message}`}`;
}
