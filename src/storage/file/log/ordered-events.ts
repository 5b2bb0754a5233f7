import { closeSync, readSync } from 'node:fs';

import { storageError } from '../../../host/files/storage-error.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { PlanEvent } from '../../../plan/events.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import { decodeEvent } from '../../log/event-line.js';
import { openLogToRead } from './raw-lines.js';
import { readLines } from './read-lines.js';

/** Where an event of a log stands, and what places it in the order. */
interface LocatedLine {
  readonly offset: number;
  readonly end: number;
  readonly clock: number;
  readonly replica: string;
}

/**
 * The events of a log in canonical order, one at a time, so that a history of any length takes little memory: of each
 * event only its place is kept. The log is read twice.
 * @throws PlanError STORAGE_FAILED
 */
export async function* eventsInOrder(path: string, log: FileIdentity): AsyncGenerator<PlanEvent> {
  const locations: LocatedLine[] = [];
  const replicas = new Map<string, string>();
  for await (const line of readLines(path, 0, log.size)) {
    const ordered = 'event' in line ? line.event : line.unknown;
    if (ordered === undefined) continue;
    // One text for each replica, not one for each line.
    const replica = replicas.get(ordered.replica) ?? ordered.replica;
    replicas.set(replica, replica);
    locations.push({ offset: line.raw.offset, end: line.raw.end, clock: ordered.clock, replica });
  }
  const file = openLogToRead(path);
  try {
    for (const location of inCanonicalOrder(locations)) {
      const event = eventAt(file, path, location);
      if (event !== null) yield event;
    }
  } finally {
    closeSync(file);
  }
}

/** Null for one of a newer version, and where the log was written over meanwhile. */
function eventAt(file: number, path: string, { offset, end }: LocatedLine): PlanEvent | null {
  try {
    const bytes = Buffer.alloc(end - offset);
    const length = readSync(file, bytes, 0, bytes.length, offset);
    const line = bytes.subarray(0, bytes[length - 1] === NEWLINE ? length - 1 : length);
    const read = decodeEvent(line);
    return 'event' in read ? read.event : null;
  } catch (cause) {
    throw storageError('read', path, cause);
  }
}

const NEWLINE = 0x0a;
