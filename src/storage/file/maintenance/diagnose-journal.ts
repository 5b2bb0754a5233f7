import type { PlanEvent } from '../../../plan/events.js';
import { bringLogBack, forgetLogs, removedLogs } from '../log/removed-logs.js';
import type { PlanLog } from '../../plan-store.js';
import type { FilePlanLog } from '../log/file-plan-log.js';
import type { Diagnosis } from '../../maintenance.js';
import { messageFor } from '../../../plan/event-message.js';

/** As many changes are told one by one; of more only how many they are. */
const MOST_TOLD = 5;

/** Changes that were acknowledged here and that something took out of the log. */
export async function journalDiagnoses(log: FilePlanLog, eventLog: string): Promise<readonly Diagnosis[]> {
  const { events, action, file } = await log.droppedByGit();
  const pending: Diagnosis = {
    code: 'TO_BE_WRITTEN_AGAIN',
    severity: 'note',
    file: eventLog,
    message: `something took ${counted(log.pending)} out of the log; the plan has them still`,
    cure: 'The next change of the plan writes them again, and so does `plan doctor --fix`.',
    mend: () => writeAgain(log),
  };
  const taken: Diagnosis = {
    code: 'TAKEN_BY_GIT',
    severity: 'warning',
    file,
    message: `git (${action}) took ${counted(events.length)} out of the log, and no branch has them: ${named(events, log)}`,
    cure: '`plan doctor --fix` writes them again, `plan doctor --accept` lets them go.',
    mend: () => writeAgain(log),
    accept: async () => {
      await log.discardDropped();
      return 'let them go';
    },
  };
  return [...(log.pending > 0 ? [pending] : []), ...(events.length > 0 ? [taken] : [])];
}

/** Logs that something removed; each with the id of its plan. @throws PlanError STORAGE_FAILED */
export async function removedLogDiagnoses(folder: string): Promise<ReadonlyMap<string, Diagnosis>> {
  const found = new Map<string, Diagnosis>();
  for (const removed of await removedLogs(folder)) {
    const { planId, eventLog, events } = removed;
    found.set(planId, {
      code: 'LOG_REMOVED',
      severity: 'warning',
      file: eventLog,
      message: `the log of plan ${planId} is gone; the journal still has its ${events === 1 ? 'event' : `${events} events`}`,
      cure: '`plan doctor --fix` puts the log in its place again, `plan doctor --accept` lets it go.',
      mend: async () => {
        await bringLogBack(removed);
        return 'put the log in its place again';
      },
      accept: async () => {
        await forgetLogs(folder, planId);
        return 'let it go';
      },
    });
  }
  return found;
}

async function writeAgain(log: FilePlanLog): Promise<string> {
  await log.restoreDropped();
  await log.publish('now');
  return 'wrote them again';
}

function counted(changes: number): string {
  return changes === 1 ? 'a change' : `${changes} changes`;
}

function named(events: readonly PlanEvent[], { plan }: PlanLog): string {
  const told = events
    .slice(0, MOST_TOLD)
    .map((event) => `${event.type} (${messageFor(event, plan)}, ${event.at})`);
  const more = events.length - told.length;
  return `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
