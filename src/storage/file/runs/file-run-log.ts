import { join } from 'node:path';

import { outputWithin } from '../../../execution/run-events.js';
import type { RunEvent, RunPayload } from '../../../execution/run-events.js';
import type { RunAppend, RunLog } from '../../../execution/run-log.js';
import { identify } from '../../../host/files/file-identity.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { PlanError } from '../../../kernel/errors.js';
import type { Stamp } from '../../plan-store.js';
import { noRun } from '../../run-store-errors.js';
import { createTurns } from '../../turns.js';
import type { WrittenLine } from '../../log/line-codec.js';
import { readLinesAs } from '../log/read-lines.js';
import type { LinePlace } from './line-places.js';
import { runCodec } from '../../log/run-line.js';
import { createRunLogFile } from './run-log-file.js';
import type { RunLogFile } from './run-log-file.js';
import type { RunPaths } from './run-paths.js';
import { keepBytes, keepValue, readRunValue } from './run-values-on-disk.js';

/** Who wrote a line; a run is carried out on one machine, whose file says the order. */
const REPLICA = 'local';

export interface FileRunLogOptions {
  readonly run: string;
  readonly paths: RunPaths;
  readonly stamp: Stamp;
}

/**
 * Opens the log of a run. The order in the file is the order of events, so of two that contend the first in the file wins.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED when what prepared the run cannot be read, STORAGE_FAILED
 */
export async function openFileRunLog({ run: name, paths, stamp }: FileRunLogOptions): Promise<RunLog> {
  const found = await identify(paths.log);
  if (found === null) throw noRun(name);
  const file = createRunLogFile(paths.log, found);
  const inTurn = createTurns();
  const append = batchingWriter(file, stamp, inTurn);
  const stateOf = () => {
    if (file.run === null) throw unreadable(paths.log, name);
    return file.run;
  };
  await inTurn(() => file.readOn());
  if (stateOf().id !== name) throw unreadable(paths.log, name);
  return {
    get run() {
      return stateOf();
    },
    get damage() {
      return file.damage;
    },
    folder: paths.folder,
    append,
    async refresh() {
      await inTurn(() => file.readOn());
      return stateOf();
    },
    events: () => eventsIn(paths.log),
    output: (event) => outputIn(paths.log, event, file.placeOf(event)),
    keep: (value) => keepValue(paths.folder, value),
    keepBytes: (content) => keepBytes(paths.folder, content),
    read: (sha256) => readRunValue(join(paths.folder, sha256), sha256),
  };
}

async function eventsIn(path: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const now = await identify(path);
  for await (const line of readLinesAs(runCodec.decode, path, 0, now?.size ?? 0))
    if ('event' in line) events.push(line.event);
  return events;
}

/** The output that stands in a line of the log. */
async function outputIn(path: string, id: string, place: LinePlace | undefined): Promise<JsonValue> {
  for await (const line of readLinesAs(runCodec.decode, path, place?.start ?? 0, place?.end ?? 0))
    if ('event' in line && line.event.id === id) {
      const output = outputWithin(line.event);
      if (output !== undefined) return output;
    }
  throw new PlanError('STORE_DAMAGED', `the output of the event ${id} is gone from ${path}`, {
    details: { path, event: id },
  });
}

/** What one call of `append` wants written. */
interface WaitingAppend {
  readonly payloads: readonly RunPayload[];
  readonly resolve: (outcomes: readonly RunAppend[]) => void;
  readonly reject: (cause: unknown) => void;
}

/** Appends events; calls that come while a write is under way are written together. */
function batchingWriter(
  file: RunLogFile,
  stamp: Stamp,
  inTurn: ReturnType<typeof createTurns>,
): RunLog['append'] {
  const queue: WaitingAppend[] = [];
  return (payloads) =>
    new Promise((resolve, reject) => {
      queue.push({ payloads, resolve, reject });
      if (queue.length === 1) void inTurn(writeQueued);
    });

  async function writeQueued(): Promise<void> {
    const batch = queue.splice(0);
    try {
      const stamped = batch.map(({ payloads }) => payloads.map(lineOf));
      const verdicts = await file.write(stamped.flat());
      for (const [index, { resolve }] of batch.entries())
        resolve(
          (stamped[index] ?? []).map(({ event }) => ({ event, refused: verdicts.get(event.id) ?? null })),
        );
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  function lineOf(payload: RunPayload): WrittenLine<RunEvent> {
    const { change: _command, ...who } = stamp();
    return runCodec.encodeReadably({ ...who, replica: REPLICA, clock: file.lines + 1, ...payload });
  }
}

function unreadable(path: string, run: string): PlanError {
  return new PlanError('STORE_DAMAGED', `what prepared the run cannot be read in ${path}`, {
    hint: `Nothing can be done with it any more; \`plan prepare\` makes another run. \`plan runs prune ${run}\` removes this one.`,
    details: { path, run },
  });
}
