import type { EventType, PlanEvent } from '../../../plan/events.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { isOf } from '../../log/goal-named.js';
import { readRawBatches } from './raw-lines.js';

/**
 * The events of a log that are of a type and name a goal, in the order of the file. Lines that do not hold both as
 * they are, in plain letters, are not looked at any further.
 * @throws PlanError STORAGE_FAILED
 */
export async function findEvents(path: string, type: EventType, goal: string): Promise<readonly PlanEvent[]> {
  const log = await fileIdentity(path);
  if (log === null) return [];
  const [typeBytes, goalBytes] = [Buffer.from(type), Buffer.from(goal)];
  const found = new Map<string, PlanEvent>();
  for await (const lines of readRawBatches(path, 0, log.size, 'passing')) {
    for (const { bytes } of lines) {
      if (!bytes.includes(typeBytes) || !bytes.includes(goalBytes)) continue;
      // Most goals have no such line, and the schemas of events take long to load.
      const { decodeEvent } = await import('../../log/event-line.js');
      const line = decodeEvent(bytes);
      // A merge can repeat a line.
      if ('event' in line && isOf(line.event, type, goal)) found.set(line.event.id, line.event);
    }
  }
  return [...found.values()];
}
